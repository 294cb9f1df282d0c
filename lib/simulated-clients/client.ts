import { type Discovery, endpoint } from './discovery.ts';
import { type JsonMembers, textOf, textsOf } from '../kernel/json.ts';
import type { SimulatedClient } from './simulated-client.ts';
import { Stopped, type Wire } from './wire.ts';

export interface Client {
  readonly id: string;
  readonly secret?: string | undefined;
}

export function takesDocuments(server: JsonMembers): boolean {
  return server['client_id_metadata_document_supported'] === true;
}

/** The client that an app is at this server: the one it was given, its document, or a registration. */
export async function becomeClient(
  wire: Wire,
  { name, document, registration }: SimulatedClient,
  discovery: Discovery,
  scopes: readonly string[],
): Promise<Client> {
  if (document !== undefined && takesDocuments(discovery.server)) return { id: document };
  if (!registration) throw new Stopped(`${name} has no client_id for this server, and cannot register`);
  const { clientName, redirectUris, authMethods, applicationType, scope } = registration;
  const advertised = textsOf(discovery.server, 'token_endpoint_auth_methods_supported');
  const { status, body } = await wire.send({
    request: 'registration',
    url: endpoint(discovery, 'registration'),
    body: {
      json: {
        client_name: clientName,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: authMethods.find((method) => advertised.includes(method)) ?? authMethods[0],
        ...(applicationType && { application_type: applicationType }),
        ...(scope && { scope: scope === 'asked' ? scopes.join(' ') : '' }),
      },
    },
  });
  const id = textOf(body, 'client_id');
  if ((status !== 200 && status !== 201) || id === undefined)
    throw new Stopped(`registration was refused: ${refusal(status, body)}`);
  // What the answer says counts, whatever was asked for. RFC 7591 section 3.2.1.
  const isPublic = textOf(body, 'token_endpoint_auth_method') === 'none';
  return { id, secret: isPublic ? undefined : textOf(body, 'client_secret') };
}

/** Why an endpoint has refused. RFC 6749 section 5.2. */
export function refusal(status: number, body: JsonMembers): string {
  return `${textOf(body, 'error') ?? status} (${textOf(body, 'error_description') ?? ''})`;
}

/** The fields with which a client says who it is at the token endpoint. */
export function clientFields({ id, secret }: Client): Record<string, string> {
  return { client_id: id, ...(secret !== undefined && { client_secret: secret }) };
}
