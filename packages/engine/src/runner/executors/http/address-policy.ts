import { lookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { domainToASCII } from 'node:url';

/**
 * Decides which addresses a request may connect to. Deciding by host names was rejected: a name can resolve to any address, and a moment
 * later to a different one.
 */
export class AddressPolicy {
  readonly #allowsAll: boolean;
  readonly #names = new Set<string>();
  readonly #of4 = new BlockList();
  readonly #of6 = new BlockList();

  /** `allowed`: a checked `HttpOptions.allowPrivateAddresses`. */
  constructor(allowed: boolean | readonly string[] = []) {
    this.#allowsAll = allowed === true;
    for (const entry of typeof allowed === 'boolean' ? [] : allowed) this.#allow(entry);
  }

  /** Whether a request may connect. `host` is the name or address in the URL. `address` is the address to which it resolved. */
  allows(host: string, address: string): boolean {
    if (this.#allowsAll || !isPrivateAddress(address)) return true;
    if (this.#names.has(normalised(host))) return true;
    // A range of IPv4 also covers IPv4-mapped IPv6 addresses. A range of IPv6 never covers IPv4.
    return isIP(address) === 4 ? this.#of4.check(address, 'ipv4') : this.#of4.check(address, 'ipv6') || this.#of6.check(address, 'ipv6');
  }

  #allow(entry: string): void {
    const [address = '', bits] = entry.split('/');
    const version = isIP(address);
    if (version === 0) this.#names.add(normalised(entry));
    else if (version === 4) this.#of4.addSubnet(address, Number(bits ?? 32), 'ipv4');
    else this.#of6.addSubnet(address, Number(bits ?? 128), 'ipv6');
  }
}

/** The addresses of this machine. The IPv4 range also covers IPv4-mapped IPv6 addresses. */
const loopback = ['127.0.0.0/8', '::1'];

/**
 * Returns the policy for the requests of a hook. `callsThisMachine` means that hooks of this format usually call this machine. Then these
 * calls are allowed too. If the host passed `false`, no private address is allowed, not even this machine.
 */
export function createPolicy(allowed: boolean | readonly string[] | undefined, callsThisMachine: boolean): AddressPolicy {
  const isExtended = callsThisMachine && typeof allowed !== 'boolean';
  return new AddressPolicy(isExtended ? [...(allowed ?? []), ...loopback] : allowed);
}

/** Returns a host name as it is in URLs: lower case, ASCII, without the final dot. */
function normalised(host: string): string {
  const name = host.replace(/\.$/, '');
  return domainToASCII(name) || name.toLowerCase();
}

/** The IPv4 addresses that are not public, from IANA's registry of special purposes. */
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
 * The IPv6 addresses that are not public. Everything outside of 2000::/3 is not public (e.g. loopback, link-local, multicast). Within
 * 2000::/3 these are the ranges for protocols, for documentation, and for tunnels, which contain an IPv4 address.
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

// There are two lists, because BlockList also compares IPv4 addresses with IPv6 ranges. In one list, the IPv6 range ::/3 would contain
// all IPv4 addresses.
const of4 = listOf(private4, 'ipv4');
const of6 = listOf(private6, 'ipv6');

/**
 * A NAT64 address contains an IPv4 address: a network without IPv4 reaches that address through it. The NAT64 address is private if the
 * IPv4 address is private.
 */
const translated = listOf([['64:ff9b::', 96]], 'ipv6');
const ofTranslated = listOf(
  private4.map(([address, bits]) => [`64:ff9b::${address}`, 96 + bits] as const),
  'ipv6',
);

/** Whether an address is not on the public internet. True for a text that is not an address. */
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

/** Returns a sentence that says how to allow the private addresses of a host, in a program and at the command line. */
export function allowingRemedy(host: string): string {
  return `To allow it, pass { http: { allowPrivateAddresses: ["${host}"] } } to createHooks(), or --allow-private-address ${host} at the command line`;
}

/**
 * Whether the host in a URL is certainly refused, without a name lookup. False for every name except the names of this machine, e.g.
 * `localhost` (RFC 6761).
 */
export function isRefusedByName(host: string, policy: AddressPolicy): boolean {
  const name = normalised(host.replace(/^\[(.*)\]$/, '$1'));
  if (name === 'localhost' || name.endsWith('.localhost')) return !policy.allows(name, '127.0.0.1') && !policy.allows(name, '::1');
  return isIP(name) !== 0 && !policy.allows(name, name);
}

/** All addresses of a name. */
export type ResolveHost = (host: string) => Promise<readonly { readonly address: string }[]>;

/** Thrown if a request was not sent because its address is not allowed. */
export class AddressRefused extends Error {
  readonly host: string;
  readonly address: string;

  constructor(host: string, address: string) {
    super('the address is refused');
    this.host = host;
    this.address = address;
  }
}

export const resolveHost: ResolveHost = (host) => lookup(host, { all: true });

/**
 * Returns a lookup function for sockets that leaves out addresses that are not allowed. A separate lookup before the connection was
 * rejected, because the lookup of the socket could then return an address that was not checked.
 */
export function guardedLookup(policy: AddressPolicy, resolve: ResolveHost): LookupFunction {
  return (host, options, callback) => {
    allowedOf(host, policy, resolve).then(
      (found) => {
        const [first] = found;
        if (options.all || first === undefined) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

async function allowedOf(host: string, policy: AddressPolicy, resolve: ResolveHost): Promise<{ address: string; family: number }[]> {
  const found = await resolve(host);
  const [first] = found;
  if (first === undefined) throw Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' });
  const allowed = found.filter(({ address }) => policy.allows(host, address));
  if (allowed.length === 0) throw new AddressRefused(host, first.address);
  return allowed.map(({ address }) => ({ address, family: isIP(address) }));
}
