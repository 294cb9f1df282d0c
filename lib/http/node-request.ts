import type { IncomingMessage } from 'node:http';
import { forwardedAddress, protocolOf, type ProxyTrust, trustIn } from './proxy-options.ts';
import { headerValues, type ReceivedRequest } from './received-request.ts';
import { isObject } from '../kernel/validate.ts';

export function isNodeRequest(request: unknown): request is IncomingMessage {
  return isObject(request) && Array.isArray(request['rawHeaders']);
}

/** The request of a framework on `node:http`, such as Express. */
export function nodeRequest(req: IncomingMessage, trust: ProxyTrust): ReceivedRequest {
  const { isProxied, ip } = trustIn(req, trust);
  const values = (header: string): readonly string[] => headerValues(req, header);
  const get = (header: string): string => values(header).join(', ');
  const isEncrypted = Reflect.get(req.socket, 'encrypted') === true;
  return {
    method: req.method ?? '',
    target: originalTarget(req),
    protocol: protocolOf(isEncrypted, isProxied, get('X-Forwarded-Proto')),
    isProxied,
    get ip() {
      const forwarded = isProxied ? forwardedAddress(get('X-Forwarded-For'), trust) : undefined;
      return ip ?? forwarded ?? req.socket.remoteAddress ?? '';
    },
    values,
    get,
  };
}

/** What the caller sent: below a path, Express and others shorten `req.url`. */
function originalTarget(req: IncomingMessage): string {
  const original: unknown = Reflect.get(req, 'originalUrl');
  return typeof original === 'string' ? original : (req.url ?? '');
}
