import { BlockList, isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { isPrivateAddress } from './private-addresses.js';

/** Which addresses a request may connect to. Asked about each address itself: a name may lead anywhere, and elsewhere a moment later. */
export class AddressPolicy {
  readonly #allowsAll: boolean;
  readonly #names = new Set<string>();
  readonly #of4 = new BlockList();
  readonly #of6 = new BlockList();

  /** `allowed`: as HttpOptions says, and checked. */
  constructor(allowed: boolean | readonly string[]) {
    this.#allowsAll = allowed === true;
    for (const entry of typeof allowed === 'boolean' ? [] : allowed) this.#allow(entry);
  }

  /** `host`: the name that the URL has, or the address itself. */
  allows(host: string, address: string): boolean {
    if (this.#allowsAll || !isPrivateAddress(address)) return true;
    if (this.#names.has(normalised(host))) return true;
    // A range of version 4 is meant for an IPv4-mapped address too, one of version 6 for nothing of version 4.
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

/** As a URL has it: small letters, in ASCII, without the last dot. */
function normalised(host: string): string {
  const name = host.replace(/\.$/, '');
  return domainToASCII(name) || name.toLowerCase();
}
