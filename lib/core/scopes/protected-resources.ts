import { identityScopes, type ScopeCatalogue } from './scopes.ts';

/** A part of a school that takes access tokens. All parts have one audience, the origin. RFC 9728. */
export interface ProtectedResource {
  /** The path of its address; empty for the origin itself. */
  readonly path: string;
  /** `scopes_supported`: what a client should request to use all of it. */
  readonly scopes: readonly string[];
  /** Whether it and its metadata are also served with a slash at the end. @default false */
  readonly atSlash?: boolean | undefined;
  /** For whose clients its address is made. @default for all */
  readonly audience?: 'member' | 'operator' | undefined;
}

/** A resource whose operations require these scopes; any token can also have the identity scopes. */
export function protectedResource(
  { all }: ScopeCatalogue,
  path: string,
  required: Iterable<string>,
): ProtectedResource {
  const listed = new Set<string>([...identityScopes, ...required]);
  return { path, scopes: all.filter((scope) => listed.has(scope)) };
}

/** All resources of a school. The first is the origin, which includes the others. */
export function siteResources(
  catalogue: ScopeCatalogue,
  parts: readonly ProtectedResource[],
): readonly [ProtectedResource, ...ProtectedResource[]] {
  const all = parts.flatMap(({ scopes }) => scopes);
  return [protectedResource(catalogue, '', all), ...parts];
}

/** The resource with this address at one of these origins, with or without a slash at its end. The path is compared as it is. */
export function findResource(
  resources: readonly ProtectedResource[],
  origins: readonly string[],
  address: string,
): ProtectedResource | undefined {
  const bare = withPlainOrigin(address).replace(/\/$/, '');
  return resources.find(({ path }) => origins.some((origin) => bare === `${origin}${path}`));
}

const webAddress = /^(https?):\/\/([\w.-]+|\[[\da-f:.]+\])(?::(\d*))?(?=[/?#]|$)/i;
const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443' };

/** The address with its scheme and host in lower case, and without the port of its scheme. RFC 3986 sections 6.2.2.1 and 6.2.3. */
function withPlainOrigin(address: string): string {
  return address.replace(webAddress, (_origin, scheme: string, host: string, port = '') => {
    const known = port === '' || port === defaultPorts[scheme.toLowerCase()];
    return `${scheme}://${host}`.toLowerCase() + (known ? '' : `:${port}`);
  });
}
