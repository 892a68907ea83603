import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressPolicy } from './address-policy.js';

/** Every address that a name leads to. */
export type ResolveHost = (host: string) => Promise<readonly { readonly address: string }[]>;

/** The request was not made, because it would have gone where it must not go. */
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
 * What a socket asks for the addresses of a name. It connects to one of those that it is given, so that what was checked is what is
 * connected to: a name that is looked up for a check, and again for the connection, may have another address by then. Where a name leads to
 * several places, those that are refused are left out.
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
  if (first === undefined) throw Object.assign(new Error('the name leads nowhere'), { code: 'ENOTFOUND' });
  const allowed = found.filter(({ address }) => policy.allows(host, address));
  if (allowed.length === 0) throw new AddressRefused(host, first.address);
  return allowed.map(({ address }) => ({ address, family: isIP(address) }));
}
