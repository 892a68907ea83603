import { BlockList, isIP } from 'node:net';

/** Everything that is not the public internet of version 4, as IANA's registry of special purposes has it. */
const private4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
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
];

/**
 * Of version 6 everything but 2000::/3: loopback, unspecified, IPv4-mapped, unique-local, link-local, multicast and what has no use yet; and
 * of 2000::/3 what is for protocols, documentation and tunnels, which carry an address of version 4 in them.
 */
const private6: readonly (readonly [string, number])[] = [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

// One list for each version: BlockList compares an address of version 4 with ranges of version 6 as well, and would find all of them in ::/3.
const of4 = listOf(private4, 'ipv4');
const of6 = listOf(private6, 'ipv6');

/** How a network without version 4 reaches the public internet of version 4; private is what the address within is. */
const translated = listOf([['64:ff9b::', 96]], 'ipv6');
const ofTranslated = listOf(
  private4.map(([address, bits]) => [`64:ff9b::${address}`, 96 + bits] as const),
  'ipv6',
);

/** Whether an address is none of the public internet; what is no address is not either. */
export function isPrivateAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return of4.check(address, 'ipv4');
  if (version === 0) return true;
  return translated.check(address, 'ipv6') ? ofTranslated.check(address, 'ipv6') : of6.check(address, 'ipv6');
}

function listOf(ranges: readonly (readonly [string, number])[], version: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [address, bits] of ranges) list.addSubnet(address, bits, version);
  return list;
}
