import { isIPv4 } from 'node:net';
import type { Context } from 'koa';
import type { OnFault } from '../../observe/events.ts';
import { parseAddress } from '../../observe/request-trace.ts';
import { hourlyFaults } from '../../observe/hourly-faults.ts';

/** Where a request comes from: what one customer usually has, and the range that it is in. */
export interface Caller {
  /** The IPv4 address, or the /64 network of an IPv6 address. Absent if it is not known. */
  readonly address?: string;
  /** The /24 network of an IPv4 address, or the /48 network of an IPv6 address. It is the proxy’s if the caller’s is not known. */
  readonly network: string;
}

export type CallerFinder = (ctx: Context) => Caller;

/** Callers whose address the host's proxy does not tell are one network, never one address: there can be any number of them. */
export function callerFinder(onFault: OnFault): CallerFinder {
  const report = hourlyFaults(onFault);
  return ({ ip, req }) => {
    const address = parseAddress(ip);
    if (address !== undefined) return callerOf(address);
    const proxy = parseAddress(req.socket.remoteAddress ?? '');
    const network = `via ${proxy === undefined ? 'unknown' : callerOf(proxy).network}`;
    // Without any address, the caller has disconnected.
    if (ip !== '') {
      const subject = { of: network, name: String(proxy) };
      report(subject, 'the address of a caller is unknown', () => adviceFor(ip, proxy));
    }
    return { network };
  };
}

function adviceFor(ip: string, proxy = 'an unknown address'): Error {
  const sent = ip.slice(0, 60).replace(/[^\x20-\x7e]/g, '?');
  return new Error(
    `X-Forwarded-For must have the IP address of the caller, not "${sent}" from ${proxy}; let the proxy overwrite it, and set app.maxIpsCount or campus.handler({ maxIpsCount })`,
  );
}

function callerOf(address: string): Caller {
  if (isIPv4(address)) return { address, network: address.slice(0, address.lastIndexOf('.')) };
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  const groups = [...head, ...zeros, ...tail];
  return { address: groups.slice(0, 4).join(':'), network: groups.slice(0, 3).join(':') };
}
