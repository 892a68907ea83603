import { clientBounds } from '../client/client-bounds.js';

/** The first word of each request and each answer. It changes if older clients could not be answered any more. */
export const protocolWord = 'TH1';

/** The agent name of requests about the daemon itself. Their event is `status` or `stop`. */
export const ownAgent = 'tenterhook';

const { maxInputBytes, maxEnvironmentBytes } = clientBounds;
const maxLineBytes = 16_384;
/** The largest request, all parts together. */
export const maxRequestBytes = maxLineBytes + maxEnvironmentBytes + maxInputBytes;

/** One event of an agent, as a client passes it on. */
export interface DaemonRequest {
  /** The version of the client. */
  readonly version: string;
  readonly agent: string;
  readonly event: string;
  /** The words after the event, e.g. `--closed`. */
  readonly words: readonly string[];
  /** The working directory of the client. Undefined if it was deleted. */
  readonly cwd?: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What the agent wrote to stdin. */
  readonly text: string;
}

/** What the client prints, and its exit code. */
export interface DaemonAnswer {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Writes a request: a line, then texts that end with NUL, then the input. The texts are the working directory after `=`, the variables, and
 * an empty text.
 */
export function formatRequest({ version, agent, event, words, cwd, environment, text }: DaemonRequest): Buffer {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}\0`);
  const head = [`${[protocolWord, version, agent, event, ...words].join(' ')}\n`, cwd === undefined ? '' : `=${cwd}\0`, ...variables, '\0'];
  return Buffer.from(`${head.join('')}${text}`);
}

/** Reads a request. Returns undefined for anything else. */
export function parseRequest(bytes: Buffer): DaemonRequest | undefined {
  const end = bytes.subarray(0, maxLineBytes).indexOf('\n');
  const [word, version, agent, event, ...words] = bytes.toString('utf8', 0, Math.max(end, 0)).split(' ');
  if (word !== protocolWord || version === undefined || agent === undefined || event === undefined) return undefined;
  const environment: Record<string, string> = {};
  let cwd: string | undefined;
  for (let from = end + 1; from - end <= maxEnvironmentBytes; ) {
    const to = bytes.indexOf(0, from);
    if (to < 0) return undefined;
    const text = bytes.toString('utf8', from, to);
    from = to + 1;
    if (text === '') {
      if (bytes.length - from > maxInputBytes) return undefined;
      return { version, agent, event, words, environment, text: bytes.toString('utf8', from), ...(cwd === undefined ? {} : { cwd }) };
    }
    const equals = text.indexOf('=');
    if (equals === 0) cwd = text.slice(1);
    else if (equals > 0) environment[text.slice(0, equals)] = text.slice(equals + 1);
  }
  return undefined;
}

/** Returns whether words of a request can be written into its line. */
export function areWords(words: readonly string[]): boolean {
  return words.every((word) => /^[^\s\p{Cc}]+$/u.test(word));
}

/** Writes an answer, without the `+` that is sent when the event is taken. */
export function formatAnswer({ exit, stdout, stderr }: DaemonAnswer): Buffer {
  const [out, error] = [Buffer.from(stdout), Buffer.from(stderr)];
  return Buffer.concat([Buffer.from(`${protocolWord} ${exit} ${out.length} ${error.length}\n`), out, error]);
}

/** Reads an answer without its `+`. Returns undefined if it is torn. */
export function parseAnswer(bytes: Buffer): DaemonAnswer | undefined {
  const end = bytes.indexOf('\n');
  const [, exit, out, error] = /^TH1 (\d{1,3}) (\d+) (\d+)$/.exec(bytes.toString('latin1', 0, Math.max(end, 0))) ?? [];
  if (exit === undefined || end + 1 + Number(out) + Number(error) > bytes.length) return undefined;
  const split = end + 1 + Number(out);
  return {
    exit: Number(exit),
    stdout: bytes.toString('utf8', end + 1, split),
    stderr: bytes.toString('utf8', split, split + Number(error)),
  };
}
