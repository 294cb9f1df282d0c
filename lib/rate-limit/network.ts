import { isIP, isIPv4, SocketAddress } from 'node:net';

/** Where a request comes from: what one customer usually has, and the range that it is in. */
interface Network {
  /** The IPv4 address, or the /64 network of an IPv6 address. */
  readonly address: string;
  /** The /24 network of an IPv4 address, or the /48 network of an IPv6 address. */
  readonly network: string;
}

export function networkOf(ip: string): Network {
  const [plain = ''] = ip.split('%');
  // X-Forwarded-For may contain anything.
  if (isIP(plain) === 0) return { address: 'unknown', network: 'unknown' };
  if (isIPv4(plain)) return { address: plain, network: plain.slice(0, plain.lastIndexOf('.')) };
  const { address } = new SocketAddress({ address: plain, family: 'ipv6' });
  const mapped = address.replace(/^::ffff:(?=[\d.]+$)/, '');
  if (isIPv4(mapped)) return networkOf(mapped);
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  const groups = [...head, ...zeros, ...tail];
  return { address: groups.slice(0, 4).join(':'), network: groups.slice(0, 3).join(':') };
}
