import type { CampusOptions, StaticClient } from 'campus-oidc';
import { clientCredentials, deviceAuthorization } from 'campus-oidc/grants';
import { defineTool } from 'campus-oidc/mcp';
import { demoClients, memberClient } from './clients.ts';
import type { Queries } from './queries.ts';

/** Copies students and courses to the school's student information system every night. */
const syncService: StaticClient = {
  clientId: 'harbour-sync',
  clientName: 'Harbour Sync',
  audience: 'service',
  clientSecret: 'demo-sync-secret',
  redirectUris: [],
  scopes: ['students:read', 'courses:read'],
  sites: ['harbour'],
};

/** For operators, and for services, which have no member. */
function studentsTool(queries: Queries) {
  return defineTool({
    name: 'list_students',
    title: 'Students',
    description: 'The names and e-mail addresses of the students of this school.',
    access: { scopes: ['students:read'], audience: ['operator', 'service'] },
    annotations: { readOnlyHint: true, openWorldHint: false },
    run(_args, { site }) {
      const students = queries.everyone(site.id).filter(({ roles }) => roles.includes('student'));
      return { structuredContent: { students: students.map(({ id, name, email }) => ({ id, name, email })) } };
    },
  });
}

/** People can also connect it on another device. */
function withDevice(client: StaticClient): StaticClient {
  return client === memberClient ? { ...client, device: true } : client;
}

type GrantOptions = Pick<CampusOptions, 'grants' | 'clientAuthentication'>;

/** What `DEMO_GRANTS=all` switches on: clients that have no browser. */
export function demoGrants(queries: Queries, setting: string | undefined = process.env.DEMO_GRANTS) {
  const isOn = setting === 'all';
  const options: GrantOptions = {
    grants: [clientCredentials(), deviceAuthorization()],
    clientAuthentication: ['client_secret_basic', 'private_key_jwt'],
  };
  return {
    options: isOn ? options : {},
    clients: isOn ? [...demoClients.map(withDevice), syncService] : demoClients,
    tools: isOn ? [studentsTool(queries)] : [],
  };
}
