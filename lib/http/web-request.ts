import { forwardedAddress, protocolOf, type ProxyTrust } from './proxy-options.ts';
import type { ReceivedRequest } from './received-request.ts';
import { isObject } from '../kernel/validate.ts';

/** By its shape, since a framework may have a class of its own. */
export function isWebRequest(request: unknown): request is Request {
  return isObject(request) && isObject(request['headers']) && typeof request['headers']['get'] === 'function';
}

/** The request of a web handler, as in Hono and Bun. Its headers have joined what was sent several times. */
export function webRequest({ method, url, headers }: Request, trust: ProxyTrust): ReceivedRequest {
  const { protocol, host, pathname, search } = new URL(url);
  const { proxy: isProxied = false } = trust;
  const get = (header: string): string => (isPseudoHeader(header) ? '' : (headers.get(header) ?? ''));
  const hosts = hostsOf(protocol, host, get('Host'));
  return {
    method,
    target: `${pathname}${search}`,
    protocol: protocolOf(protocol === 'https:', isProxied, get('X-Forwarded-Proto')),
    isProxied,
    get ip() {
      return (isProxied ? forwardedAddress(get('X-Forwarded-For'), trust) : undefined) ?? '';
    },
    values: (header) => (header.toLowerCase() === 'host' ? hosts : [get(header)].filter((value) => value !== '')),
    get,
  };
}

/** HTTP/2 has them in the address of the request. */
function isPseudoHeader(header: string): boolean {
  return header.startsWith(':');
}

/** The hosts that a request names, in its address and its header: two if they contradict each other. RFC 9112 section 3.2.2. */
function hostsOf(protocol: string, host: string, header: string): readonly string[] {
  if (header === '') return [host];
  return URL.parse(`${protocol}//${header}`)?.host === host ? [header] : [header, host];
}
