import { type JsonMembers, textOf, textsOf } from '../kernel/json.ts';
import type { Challenge } from './mcp.ts';
import { Stopped, type Wire } from './wire.ts';
import type { ResourceLookup } from './simulated-client.ts';

/** What an app has found out about a server before it asks the person. */
export interface Discovery {
  /** Protected-resource metadata; absent if there is none, or if the app throws it away. */
  readonly resource: JsonMembers | undefined;
  /** Authorization-server metadata. */
  readonly server: JsonMembers;
  readonly issuer: string;
}

/** Protected-resource metadata that suits the app. RFC 9728 section 3. */
export async function findResource(
  wire: Wire,
  how: ResourceLookup,
  address: string,
  challenge: Challenge | undefined,
): Promise<JsonMembers | undefined> {
  const { origin, pathname } = new URL(address);
  const root = `${origin}/.well-known/oauth-protected-resource`;
  const path = pathname === '/' ? undefined : `${root}${pathname}`;
  const urls = { challenge: challenge?.metadata, path, root };
  for (const lookup of how.lookups) {
    const url = urls[lookup];
    if (url === undefined) continue;
    const { status, body } = await wire.send({ request: 'protected-resource metadata', url });
    const resource = textOf(body, 'resource');
    if (status !== 200 || resource === undefined) continue;
    if (suits(resource, address, how)) return body;
    if (how.mismatch === 'ignore') return undefined;
    throw new Stopped(`resource ${resource} is not the address that was typed`);
  }
  return undefined;
}

function suits(resource: string, address: string, { compare }: ResourceLookup): boolean {
  if (compare === 'none') return true;
  if (compare === 'equal') return resource === address;
  const [named, typed] = [URL.parse(resource), new URL(address)];
  return named?.origin === typed.origin && withSlash(typed.pathname).startsWith(withSlash(named.pathname));
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

/** Authorization-server metadata. RFC 8414 section 3, OpenID Connect Discovery section 4. */
export async function findServer(wire: Wire, address: string, resource: JsonMembers | undefined): Promise<Discovery> {
  const [issuer = new URL(address).origin] = resource ? textsOf(resource, 'authorization_servers') : [];
  const at = URL.parse(issuer);
  if (!at) throw new Stopped(`the authorization server ${issuer} is not an address`);
  const { origin, pathname } = at;
  const path = pathname === '/' ? '' : pathname;
  for (const name of ['oauth-authorization-server', 'openid-configuration']) {
    const url = `${origin}/.well-known/${name}${path}`;
    const { status, body: server } = await wire.send({ request: 'authorization-server metadata', url });
    if (status !== 200) continue;
    const named = textOf(server, 'issuer');
    if (named !== issuer) throw new Stopped(`the metadata of ${issuer} names the issuer ${named ?? 'nobody'}`);
    if (!textsOf(server, 'code_challenge_methods_supported').includes('S256')) {
      throw new Stopped(`${issuer} does not support PKCE with S256`);
    }
    return { resource, server, issuer };
  }
  throw new Stopped(`${issuer} has no authorization-server metadata`);
}

export function endpoint({ server, issuer }: Discovery, name: string): string {
  const url = textOf(server, `${name}_endpoint`);
  if (url === undefined) throw new Stopped(`${issuer} has no ${name} endpoint`);
  if (!URL.canParse(url)) throw new Stopped(`the ${name} endpoint ${url} of ${issuer} is not an address`);
  return url;
}
