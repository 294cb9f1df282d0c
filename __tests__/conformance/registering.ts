import type { CampusOptions } from '../../lib/index.ts';
import { loopbackClients, vendorPlatforms } from '../../policies/index.ts';
import { type JsonResponse, jsonResponse, type TestClient } from '../helpers/flow.ts';
import { metadata, text } from './probes.ts';
import type { CheckContext, RowSchools } from './row.ts';

/** A known vendor. */
export const acme = {
  clientId: 'acme-agents',
  clientName: 'Acme Agents',
  names: ['Acme Agents'],
  redirectUris: ['https://agents.acme.example/callback'],
};
/** Only known vendors can register. */
export const vendors = [vendorPlatforms([acme])];
/** Known vendors and loopback clients can register. */
export const both = [...vendors, loopbackClients()];

/** The metadata of a tool on a person's own machine. */
export const tool = {
  client_name: 'Command line',
  application_type: 'native',
  redirect_uris: ['http://127.0.0.1:8123/callback'],
  token_endpoint_auth_method: 'none',
};
/** The metadata of an application with a fixed callback. */
export const web = { client_name: 'Web', redirect_uris: ['https://web.example/callback'] };

type Policies = NonNullable<CampusOptions['registration']>;

/** Schools with these registration policies. */
export function schools({ start }: CheckContext, registration: Policies): Promise<RowSchools> {
  return start({ campus: { registration } });
}

/** Posts to the `registration_endpoint` of the metadata. */
export async function register(origin: string, body: object): Promise<JsonResponse> {
  const url = text((await metadata(origin))['registration_endpoint']);
  const headers = { 'content-type': 'application/json' };
  return jsonResponse(await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }));
}

/** Registers a tool with a loopback redirect URI. */
export async function newTool(origin: string): Promise<TestClient> {
  const { body } = await register(origin, tool);
  return { id: text(body['client_id']), redirectUri: 'http://127.0.0.1:50123/callback', scope: 'openid courses:read' };
}
