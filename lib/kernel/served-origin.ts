/** A name, of which browsers accept underscores too, or an address; without a dot at the end. */
const hostPattern = /^(\[[\da-f:.]+\]|[\da-z_](?:[\w.-]*[\da-z_])?)(?::\d{1,5})?$/i;

/** Names of DNS have at most 253 characters. */
export const longestHost = 300;

/** The origin at which requests with this `Host` are served; `undefined` for a host that no school can have. */
export function servedOrigin(protocol: string, host: string): string | undefined {
  const name = host.length > longestHost ? undefined : hostPattern.exec(host)?.[1];
  if (name === undefined || !['http', 'https'].includes(protocol)) return undefined;
  const url = URL.parse(`${protocol}://${host}`);
  // Spellings that the URL parser rewrites (0x7f.1, 127.1) are rejected.
  return url?.hostname === name.toLowerCase() ? url.origin : undefined;
}

/** Whether requests can have this origin, written as `URL.origin` writes it. */
export function isServedOrigin(value: unknown): boolean {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url !== null && servedOrigin(url.protocol.slice(0, -1), url.host) === value;
}
