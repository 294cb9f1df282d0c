import { isObject, isText, must } from './checks.ts';
import { checkRedirectUri } from '../protocol/redirect-uri.ts';
import { isScope, mayHave } from '../protocol/scopes.ts';

/** Checks `clients`, and the clients that registration policies bring; each id is there once. */
export function checkClients(clients: unknown, registration: readonly { readonly clients?: unknown }[]): void {
  must(Array.isArray(clients), 'clients', 'be an array');
  const ids = new Set<unknown>();
  clients.forEach((client, i) => checkClient(client, `clients[${i}]`, ids));
  registration.forEach((policy, i) => {
    const path = `registration[${i}].clients`;
    const brought = policy.clients ?? [];
    must(Array.isArray(brought), path, 'be an array');
    brought.forEach((client, j) => checkClient(client, `${path}[${j}]`, ids));
  });
}

const clientMembers: ReadonlySet<string> = new Set([
  'clientId',
  'clientName',
  'audience',
  'redirectUris',
  'scopes',
  'clientSecret',
  'resourceServer',
  'clientUri',
  'sites',
]);

/** Checks one client that is written down in code; `ids` collects the ids seen so far. */
export function checkClient(client: unknown, path: string, ids: Set<unknown>): void {
  must(isObject(client), path, 'be an object');
  for (const name of Object.keys(client)) must(clientMembers.has(name), `${path}.${name}`, 'not be given');
  const { clientId, clientName, audience, redirectUris, scopes, clientSecret, resourceServer, clientUri, sites } =
    client;
  must(isText(clientId) && /^[\x21-\x7e]+$/.test(clientId), `${path}.clientId`, 'be printable ASCII without spaces');
  must(
    !clientId.startsWith('https://'),
    `${path}.clientId`,
    'not start with https://, which names a metadata document',
  );
  must(!ids.has(clientId), `${path}.clientId`, `be unique; ${JSON.stringify(clientId)} is there twice`);
  ids.add(clientId);
  must(isText(clientName), `${path}.clientName`, 'be a non-empty string');
  must(audience === 'operator' || audience === 'member', `${path}.audience`, 'be "operator" or "member"');
  must(Array.isArray(redirectUris), `${path}.redirectUris`, 'be an array of strings');
  must(redirectUris.length > 0 || resourceServer === true, `${path}.redirectUris`, 'not be empty');
  redirectUris.forEach((uri, i) => {
    const wrong =
      typeof uri === 'string'
        ? checkRedirectUri(uri, { https: true, loopback: true, localhost: true, privateUse: true })
        : 'is no string';
    must(wrong === undefined, `${path}.redirectUris[${i}]`, `be a redirect URI, but it ${wrong}`);
  });
  must(Array.isArray(scopes), `${path}.scopes`, 'be an array of scopes');
  must(scopes.length > 0 || redirectUris.length === 0, `${path}.scopes`, 'not be empty');
  scopes.forEach((scope, i) => {
    must(
      typeof scope === 'string' && isScope(scope),
      `${path}.scopes[${i}]`,
      `be a scope of the catalogue, not ${JSON.stringify(scope)}`,
    );
    must(
      mayHave(audience, scope),
      `${path}.scopes[${i}]`,
      `not be ${scope}, which is for ${audience === 'member' ? 'operator' : 'member'} clients alone`,
    );
  });
  must(clientSecret === undefined || isText(clientSecret), `${path}.clientSecret`, 'be a non-empty string');
  must(resourceServer !== true || clientSecret !== undefined, `${path}.clientSecret`, 'be set for a resource server');
  must(
    clientUri === undefined || (isText(clientUri) && isWebAddress(clientUri)),
    `${path}.clientUri`,
    'be an https: or http: address',
  );
  must(
    sites === undefined || (Array.isArray(sites) && sites.every(isText)),
    `${path}.sites`,
    'be an array of site ids',
  );
}

function isWebAddress(value: string): boolean {
  return ['https:', 'http:'].includes(URL.parse(value)?.protocol ?? '');
}
