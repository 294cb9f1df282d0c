import { isIPv4, isIPv6, SocketAddress } from 'node:net';

/** Some proxies add the port, and write IPv6 in brackets. */
const withPort = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * The address in an entry of `X-Forwarded-For`, in its shortest spelling: without port, brackets and zone, and IPv4 where it is mapped to
 * IPv6. `undefined` for anything else: the header can contain any text.
 */
export function parseAddress(entry: string): string | undefined {
  const [, bracketed, dotted] = withPort.exec(entry) ?? [];
  const [plain = ''] = (bracketed ?? dotted ?? entry).split('%', 1);
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return undefined;
  const { address } = new SocketAddress({ address: plain, family: 'ipv6' });
  const mapped = address.replace(/^::ffff:/, '');
  return isIPv4(mapped) ? mapped : address;
}
