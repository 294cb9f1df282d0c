// write-a-policy.ts
import { type AccessPolicy, InvalidClientMetadata, type RegistrationPolicy } from 'campus-oidc';
import { loopbackClients } from 'campus-oidc/policies';
import { issueTokens } from 'campus-oidc/testing';
import { createHarbour, origin, platform } from './harbour.ts';

/** Narrows what a teacher may grant; never adds to it. */
const readOnlyForTeachers: AccessPolicy = ({ member, scopes }) => {
  if (!member?.roles.includes('teacher')) return undefined; // takes nothing away, also from services
  const text = 'Teachers of this school can let applications read courses, but not change them.';
  return { scopes: scopes.filter((scope) => scope !== 'courses:write'), text };
};

/** Refuses apps without a name of their own; the next policy decides on the others. */
const named: RegistrationPolicy = {
  name: 'named',
  decide({ metadata }) {
    if (metadata.client_name === undefined) throw new InvalidClientMetadata('client_name is required here');
    return undefined;
  },
};

const campus = createHarbour({ access: [readOnlyForTeachers], registration: [named, loopbackClients()] });
const [harbour] = platform.schools;
if (!harbour) throw new Error('there is no school');

const body = { redirect_uris: ['http://127.0.0.1/callback'] };
for (const client of [body, { ...body, client_name: 'My CLI' }]) {
  const { outcome, policy, status } = await campus.explainRegistration(harbour, client);
  console.log(outcome, policy, status);
}
const request = { site: origin, memberId: 'tess', clientId: 'reports', scopes: ['openid', 'courses:read'] };
console.log((await issueTokens(campus, request)).scope);
await issueTokens(campus, { ...request, scopes: [...request.scopes, 'courses:write'] }).catch((error: Error) =>
  console.log(error.message),
);
