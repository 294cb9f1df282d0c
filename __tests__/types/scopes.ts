// Compiles only if the scopes of clients are checked where they and the catalogue are literals.
import { createCampus, type ScopeRow, type SchoolPlatform, type StandardScope, type StaticClient } from 'campus-oidc';
import { memoryStore } from 'campus-oidc/adapters/memory';
import { keys } from './support.ts';

declare const platform: SchoolPlatform;
declare const rowsOfATable: readonly ScopeRow[];
declare const namesOfATable: readonly string[];

const base = { platform, store: memoryStore(), keys };
const client = {
  clientId: 'app',
  clientName: 'App',
  audience: 'operator',
  redirectUris: ['https://app.example'],
} as const;
const lessons = { scope: 'lessons:write', area: 'Lessons', access: 'write', text: 'Book lessons' } as const;

createCampus({ ...base, clients: [{ ...client, scopes: ['openid', 'courses:read'] }] });
// @ts-expect-error there is no such scope
createCampus({ ...base, clients: [{ ...client, scopes: ['openid', 'course:read'] }] });

createCampus({
  ...base,
  scopes: { own: [{ scope: 'lessons:write', area: 'Lessons', access: 'write', text: 'Book lessons' }] },
  clients: [
    { ...client, scopes: ['openid', 'lessons:write'] },
    // @ts-expect-error there is no such scope
    { ...client, scopes: ['openid', 'lesson:write'] },
  ],
});
createCampus({ ...base, clients: [{ ...client, scopes: ['lessons:write'] }], scopes: { own: [lessons] } });
// @ts-expect-error there is no such scope
createCampus({ ...base, clients: [{ ...client, scopes: ['lessons:read'] }], scopes: { own: [lessons] } });

// A catalogue of any strings, and a client with any, are checked at startup.
createCampus({ ...base, scopes: { own: rowsOfATable }, clients: [{ ...client, scopes: ['lessons:write'] }] });
createCampus({
  ...base,
  scopes: { own: [lessons, ...rowsOfATable] },
  clients: [{ ...client, scopes: ['lessons:read'] }],
});
createCampus({ ...base, clients: [{ ...client, scopes: namesOfATable }] });
const declaredApart: StaticClient = { ...client, scopes: ['openid', 'lessons:write'] };
createCampus({ ...base, clients: [declaredApart] });

// One that is declared apart can name them.
const named: StaticClient<StandardScope | 'lessons:write'> = { ...client, scopes: ['openid', 'lessons:write'] };
createCampus({ ...base, scopes: { own: [lessons] }, clients: [named] });
// @ts-expect-error the catalogue does not have lessons:write
createCampus({ ...base, clients: [named] });
// @ts-expect-error there is no such scope
export const misspelt: StaticClient<StandardScope> = { ...client, scopes: ['openid', 'course:read'] };
