import { isIP } from 'node:net';
import { isPlainObject } from '@tenterhook/runtime/json';

/** Where hooks of the kind `http` may go. */
export interface HttpOptions {
  /**
   * Private addresses that a request may go to, else refused because a URL in a settings file must not reach into the network that the agent
   * happens to stand in: all of them (`true`), or those of a list. In it a host name stands for whatever the name leads to, an address or
   * a CIDR range (`127.0.0.1`, `10.0.0.0/8`, `fd00::/8`) for those addresses, whichever name leads to them. @default false
   */
  readonly allowPrivateAddresses?: boolean | readonly string[];
}

const field = 'http.allowPrivateAddresses';

/** A TypeError that names the option and its value: a list with a slip in it would let in what nobody meant, or keep a guard from its server. */
export function requireHttpOptions(options: unknown = {}): HttpOptions {
  if (!isPlainObject(options)) throw new TypeError(`"http" must be { allowPrivateAddresses }, and is ${shown(options)}.`);
  const unknown = Object.keys(options).find((key) => key !== 'allowPrivateAddresses');
  if (unknown !== undefined) throw new TypeError(`"http" has no option "${unknown}"; it has allowPrivateAddresses.`);
  const { allowPrivateAddresses: allowed = false } = options;
  if (typeof allowed === 'boolean') return { allowPrivateAddresses: allowed };
  if (!Array.isArray(allowed)) {
    throw new TypeError(`"${field}" must be true, false or an array of host names, addresses and CIDR ranges, and is ${shown(allowed)}.`);
  }
  for (const [index, entry] of allowed.entries()) {
    const isUsable = typeof entry === 'string' && (isIP(entry) !== 0 || isRange(entry) || isHostName(entry));
    if (isUsable) continue;
    const examples = '"localhost", "127.0.0.1" or "10.0.0.0/8"';
    throw new TypeError(
      `"${field}[${index}]" must be a host name, an address or a CIDR range such as ${examples}, and is ${shown(entry)}.`,
    );
  }
  // A copy: what the caller changes later must not change what was checked.
  return { allowPrivateAddresses: [...(allowed as string[])] };
}

function isRange(entry: string): boolean {
  const [address = '', prefix = '', ...rest] = entry.split('/');
  const mostBits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= mostBits;
}

/** Without a port, a wildcard or a scheme. A name that ends in a number would be read as an address, and is none. */
function isHostName(entry: string): boolean {
  return /^(?=.{1,254}$)(?:[\p{L}\p{N}_-]+\.)*[\p{L}\p{N}_-]+\.?$/u.test(entry) && !/(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/i.test(entry);
}

function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  return typeof value === 'string' ? `the text ${JSON.stringify(value.slice(0, 80))}` : String(value);
}
