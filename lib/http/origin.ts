import { boundedCache } from '../kernel/bounded-cache.ts';
import { longestHost, servedOrigin } from '../kernel/served-origin.ts';
import type { ReceivedRequest } from './received-request.ts';

/** Strictly parsed; `undefined` if its parts contradict each other. `X-Forwarded-*` are used only if the host trusts the proxy. */
export function requestOrigin(request: ReceivedRequest): string | undefined {
  return originOf(request, request.protocol, addressedHost(request, request.isProxied));
}

/** The origin that a request through a proxy addresses if the proxy is not trusted; `undefined` for any other request. */
export function forwardedOrigin(request: ReceivedRequest): string | undefined {
  const protocol = firstOf(request, 'X-Forwarded-Proto');
  if (request.isProxied || (protocol === '' && firstOf(request, 'X-Forwarded-Host') === '')) return undefined;
  return originOf(request, protocol === '' ? request.protocol : protocol, addressedHost(request, true));
}

function originOf({ target }: ReceivedRequest, protocol: string, host: string | undefined): string | undefined {
  if (host === undefined || host.length > longestHost) return undefined;
  const address = `${protocol}://${host}`;
  let origin = parsed.get(address);
  if (origin === undefined) {
    origin = servedOrigin(protocol, host);
    if (origin === undefined) return undefined;
    parsed.set(address, origin);
  }
  return targetAgrees(target, origin) ? origin : undefined;
}

/** The origins of recent requests: parsing an address takes longer than finding the school. */
const parsed = boundedCache<string>(1000);

/** The first value of a header that each proxy adds to. */
function firstOf(request: ReceivedRequest, header: string): string {
  return request.get(header).split(',', 1)[0]?.trim() ?? '';
}

function addressedHost(request: ReceivedRequest, proxied: boolean): string | undefined {
  if (proxied) {
    const forwarded = firstOf(request, 'X-Forwarded-Host');
    if (forwarded !== '') return forwarded;
  }
  const [authority] = request.values(':authority');
  if (authority !== undefined) return authority;
  const hosts = request.values('Host');
  return hosts.length > 1 ? undefined : hosts[0];
}

/** A request target in absolute form also contains the host; it must be the same one. RFC 9112 section 3.2.2. */
function targetAgrees(target: string, origin: string): boolean {
  return target.startsWith('/') || URL.parse(target)?.origin === origin;
}
