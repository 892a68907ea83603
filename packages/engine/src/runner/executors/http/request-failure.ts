import type { Exit } from '@tenterhook/protocol';
import { AddressRefused } from './guarded-lookup.js';

const closed = (host: string) => `${host} closed the connection before the whole answer was there. Look into the log of that server`;

const reasons: Readonly<Record<string, (host: string) => string>> = {
  ENOTFOUND: (host) => `there is no host of the name in "${host}". Check the URL`,
  EAI_AGAIN: (host) => `the name in "${host}" could not be looked up just now. Check the network`,
  ECONNREFUSED: (host) => `nothing listens at ${host}. Start the server, or check the port in the URL`,
  ECONNRESET: closed,
  EPIPE: closed,
};

/**
 * An error of a connection in our own words. Those of Node go no further: what they quote of a request may be a secret. `shownHost` is
 * what messages may name.
 */
export function requestFailure(error: unknown, shownHost: string, durationMs: number): Exit {
  if (error instanceof AddressRefused) return addressRefused(error, durationMs);
  const code = codeOf(error);
  return { kind: 'unrunnable', code: 'request_failed', message: messageOf(code, shownHost), durationMs };
}

function messageOf(code: string, host: string): string {
  const known = reasons[code];
  if (known !== undefined) return known(host);
  if (code.startsWith('HPE_')) return `${host} answered something that is no HTTP (${code}). Check the port in the URL`;
  if (/CERT|SSL|TLS|ISSUER|SIGNATURE|EPROTO/.test(code)) {
    return `no secure connection to ${host} came about (${code}). Mend its certificate, or give Node its authority in NODE_EXTRA_CA_CERTS`;
  }
  return `${host} could not be reached (${code})`;
}

function addressRefused({ host, address }: AddressRefused, durationMs: number): Exit {
  const what = address === host ? host : `${host} leads to ${address}, which`;
  const remedy = `To allow it, list it in http.allowPrivateAddresses: ["${host}"]`;
  return {
    kind: 'unrunnable',
    code: 'address_refused',
    message: `${what} is a private address, where no hook may go. ${remedy}`,
    durationMs,
  };
}

function codeOf(error: unknown): string {
  const code: unknown = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : 'unknown error';
}
