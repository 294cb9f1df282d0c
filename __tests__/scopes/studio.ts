import type { CampusOptions, ScopeRow } from '../../lib/index.ts';
import { defineTool } from '../../lib/mcp/index.ts';
import { loopbackClients } from '../../policies/index.ts';
import { reports, type TestClient, webMemberApp } from '../helpers/flow.ts';
import { testClients } from '../helpers/clients.ts';
import { type HostApp, type SchoolsOptions } from '../helpers/schools.ts';
import type { Campus } from '../../lib/index.ts';
import Koa from 'koa';

/** Scopes of a studio for pottery: one for each audience. */
export const studioScopes = [
  { scope: 'kilns:read', area: 'Kilns', access: 'read', text: "View the studio's 12'' kilns | and ovens" },
  { scope: 'kilns:write', area: 'Kilns', access: 'write', audience: 'operator', text: 'Fire and cool kilns' },
  { scope: 'shelf:read', area: 'Your shelf', access: 'read', audience: 'member', text: 'View what is on your shelf' },
  { scope: 'glazes:write', area: 'Glazes', access: 'write', audience: 'any', text: 'Mix glazes' },
] as const satisfies readonly ScopeRow[];

const scopesOf = {
  reports: ['openid', 'profile', 'email', 'courses:read', 'kilns:read', 'kilns:write', 'glazes:write'],
  'web-member-app': ['openid', 'profile', 'email', 'account:read', 'shelf:read', 'glazes:write'],
} as const;

const clients = testClients.map((client) => {
  const { clientId } = client;
  return clientId === 'reports' || clientId === 'web-member-app' ? { ...client, scopes: scopesOf[clientId] } : client;
});

/** The confidential client that may use the kilns, and the one for members. */
export const kilnApp: TestClient = { ...reports, scope: scopesOf.reports.join(' ') };
export const shelfApp: TestClient = { ...webMemberApp, scope: scopesOf['web-member-app'].join(' ') };

export const studioCampus: Partial<CampusOptions> = {
  scopes: { own: studioScopes },
  clients,
  registration: [loopbackClients()],
};

const fireKiln = defineTool({
  name: 'fire_kiln',
  description: 'Fires a kiln.',
  access: {
    scopes: ['kilns:read'],
    actions: { argument: 'do', scopes: { look: [], fire: ['kilns:write'] } },
  },
  inputSchema: { type: 'object', properties: { do: { enum: ['look', 'fire'] } }, required: ['do'] },
  run: () => 'done',
});

const myShelf = defineTool({
  name: 'my_shelf',
  description: 'What is on the shelf.',
  access: { scopes: ['shelf:read'] },
  run: () => 'a bowl',
});

/** The studio with a tool, a field and a route of its own that need the studio's scopes. */
export const studio: SchoolsOptions = {
  campus: studioCampus,
  mcp: { tools: [fireKiln, myShelf] },
  memberApi: {
    typeDefs: 'extend type Viewer { shelf: [String!]! @requiresScopes(scopes: ["shelf:read"]) }',
    resolvers: { Viewer: { shelf: () => ['a bowl'] } },
  },
  app: guardedApp,
};

function guardedApp(campus: Campus): HostApp {
  const app = new Koa();
  app.silent = true;
  return app
    .use(campus.middleware())
    .use(campus.requireAccess({ scopes: ['kilns:write'] }))
    .use((ctx) => void (ctx.body = 'fired'));
}
