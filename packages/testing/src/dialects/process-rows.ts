import type { OutcomeStatus } from '@tenterhook/protocol';
import type { DialectConformanceOptions, SampleAnswers } from './dialect-case.js';
import { allowWith, type Printed, type Said } from './printed.js';

/** A hook that does one thing, and what its outcome may be. */
export interface ProcessRow {
  /** What the hook does, in words. It completes "a hook that". */
  readonly what: string;
  readonly command: string;
  readonly timeoutMs?: number;
  readonly says: Said;
  /** The exit code. Undefined for a hook that does not end by itself, or that a signal ends. */
  readonly exitCode?: number;
  readonly signal?: string;
  readonly statuses: readonly OutcomeStatus[];
  /** True if the hook prints more than the system keeps. */
  readonly isCutOff?: true;
}

/** Returns a hook that exits. Exit code 0 is a success; the dialect decides what every other code means. */
export function exits(exitCode: number, what: string, command: string, says: Said): ProcessRow {
  const statuses: OutcomeStatus[] = exitCode === 0 ? ['succeeded', 'blocked'] : ['failed', 'blocked', 'succeeded'];
  return {
    what: `${what} and exits with ${exitCode}`,
    command: exitCode === 0 ? command : `${command}; exit ${exitCode}`,
    says,
    exitCode,
    statuses,
  };
}

export function printsRow({ what, stdout, says }: Printed): ProcessRow {
  return exits(0, `prints ${what}`, printing(stdout), says);
}

/** Returns a command that prints exactly these bytes. */
export function printing(bytes: string | Uint8Array): string {
  if (typeof bytes === 'string' && !/[\0\r\u0080-\uffff]/.test(bytes)) return `printf %s ${quoted(bytes)}`;
  const octal = Array.from(Buffer.from(bytes as string), (byte) => `\\${byte.toString(8).padStart(3, '0')}`);
  return `printf ${quoted(octal.join(''))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The timeout in milliseconds. It is a whole number of seconds, because some formats have timeouts in seconds. */
const timeoutMs = 1000;

const signals = ['TERM', 'KILL', 'SEGV', 'INT', 'HUP', 'PIPE', 'USR1'];

/** More than the 16 MiB that a system keeps by default. */
const floodBytes = 17 * 1024 * 1024;

/** Exit codes with a meaning in a format or for a shell. */
const meaningful = [0, 1, 2, 3, 126, 127, 128, 130, 137, 143, 255];

/** Returns two hooks for each exit code: one prints an answer that allows, the other prints nothing. */
export function exitRows(options: DialectConformanceOptions): ProcessRow[] {
  const allows = printing(JSON.stringify(options.answers.allow ?? {}));
  return meaningful.flatMap((exitCode) => [
    exits(exitCode, 'prints an answer that allows', allows, exitCode === 0 ? 'unclear' : allowWith(options, exitCode)),
    exits(exitCode, 'is silent', ':', exitCode === 0 ? 'silence' : 'no allow'),
  ]);
}

export function signalRows({ allow = {} }: SampleAnswers): ProcessRow[] {
  return signals.flatMap((signal): ProcessRow[] =>
    [':', printing(JSON.stringify(allow))].map((before) => ({
      what: `${before === ':' ? 'is silent' : 'prints an answer that allows'} and is terminated by SIG${signal}`,
      command: `ulimit -c 0; ${before}; kill -${signal} $$; exec sleep 20`,
      says: 'no allow',
      signal: `SIG${signal}`,
      statuses: ['failed'],
    })),
  );
}

/** Returns hooks that close, ignore or mix up their streams, or print a lot. */
export function streamRows(options: DialectConformanceOptions): ProcessRow[] {
  const { answers, readsStderr = false } = options;
  const { allow = {}, deny } = answers;
  const [allows, denies] = [allow, deny].map((answer) => printing(JSON.stringify(answer))) as [string, string];
  const bytes = printing(Uint8Array.of(0, 255, 254, 192, 10));
  return [
    exits(0, 'does not read its stdin', 'exit 0', 'silence'),
    exits(0, 'closes its stdin and denies', `exec 0<&-; ${denies}`, 'deny'),
    exits(0, 'reads half of its stdin and denies', `head -c 100 >/dev/null; ${denies}`, 'deny'),
    exits(0, 'closes its stdout', 'exec 1>&-', 'silence'),
    exits(0, 'closes its stdout and its stderr', 'exec 1>&- 2>&-', 'silence'),
    exits(1, 'closes all its streams', 'exec 0<&- 1>&- 2>&-', 'no allow'),
    exits(0, 'prints an answer that allows on stderr alone', `${allows} >&2`, readsStderr ? 'no allow' : 'silence'),
    exits(0, 'prints an answer that denies on stderr alone', `${denies} >&2`, readsStderr ? 'deny' : 'silence'),
    exits(0, 'prints bytes that are not text on stderr', `${bytes} >&2`, readsStderr ? 'text' : 'silence'),
    exits(0, 'prints a text, and an answer that allows on stderr', `echo checked; ${allows} >&2`, 'text'),
    exits(0, 'denies, and prints an answer that allows on stderr', `${denies}; ${allows} >&2`, 'deny'),
    exits(1, 'prints an answer that allows on both streams', `${allows}; ${allows} >&2`, allowWith(options, 1)),
    exits(2, 'prints an answer that allows on both streams', `${allows}; ${allows} >&2`, allowWith(options, 2)),
    exits(0, 'denies in two halves', `printf '\\n'; sleep 0.05; ${denies}`, 'deny'),
    exits(0, 'prints a megabyte of text', flood(1_000_000, 'x'), 'text'),
    exits(0, 'prints two mebibytes of empty lines', flood(2 * 1024 * 1024, '\\n'), 'silence'),
  ];
}

export function timeoutRows({ allow = {} }: SampleAnswers): ProcessRow[] {
  const answer = JSON.stringify(allow);
  const halves = { 'half an answer that allows': answer.slice(0, -1), 'an answer that allows': answer };
  return Object.entries(halves).map(([what, text]) => ({
    what: `prints ${what} and does not end within its timeout`,
    command: `${printing(text)}; exec sleep 20`,
    timeoutMs,
    says: 'no allow',
    statuses: ['timed-out'],
  }));
}

/** Returns hooks that print so much that the system keeps only the beginning. The lost part may contain a deny. */
export function floodRows({ allow = {}, deny }: SampleAnswers): ProcessRow[] {
  const [allows, denies] = [allow, deny].map((answer) => printing(JSON.stringify(answer)));
  const rows = [
    exits(0, 'prints 17 MiB of text', flood(floodBytes, 'x'), 'odd'),
    exits(0, 'prints an answer that allows and 17 MiB of white space', `${allows}; ${flood(floodBytes, ' ')}`, 'no allow'),
    exits(0, 'prints an answer that denies and 17 MiB of white space', `${denies}; ${flood(floodBytes, ' ')}`, 'lost deny'),
  ];
  return rows.map((row) => ({ ...row, statuses: ['succeeded', 'blocked', 'failed'], isCutOff: true }));
}

/**
 * Returns hooks with the exit codes 0, 1 and 2, with an answer and without output. It also returns a hook that a signal ends, and
 * hooks that close their streams.
 */
export function fewRows(options: DialectConformanceOptions): ProcessRow[] {
  const streams = streamRows(options);
  return [...exitRows(options).slice(0, 6), ...signalRows(options.answers).slice(1, 2), ...streams.slice(1, 2), ...streams.slice(4, 6)];
}

function flood(bytes: number, character: string): string {
  return `head -c ${bytes} /dev/zero | tr '\\0' '${character}'`;
}
