import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IPv4 blocks without public servers: the IANA special-purpose registry, multicast, and the Azure host agent. */
const specialIPv4 = blocks('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]);

/** The only IPv6 block with public servers. Mapped IPv4 addresses (`::ffff:0:0/96`, `64:ff9b::/96`) are outside. */
const globalIPv6 = blocks('ipv6', [['2000::', 3]]);

/** Blocks within `globalIPv6`: protocol assignments with Teredo, documentation, 6to4. */
const specialIPv6 = blocks('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

/**
 * Whether a server on the public internet can have this address. False for loopback, private, link-local, shared, mapped,
 * translated, documentation, benchmarking, multicast and reserved addresses, and for any other text.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialIPv4.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  return globalIPv6.check(address, 'ipv6') && !specialIPv6.check(address, 'ipv6');
}

function blocks(family: 'ipv4' | 'ipv6', subnets: readonly (readonly [address: string, prefix: number])[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of subnets) list.addSubnet(address, prefix, family);
  return list;
}
