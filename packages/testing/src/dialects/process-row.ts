import type { OutcomeStatus } from '@tenterhook/protocol';
import type { Printed } from './printed.js';
import type { Said } from './said.js';

/** A hook that does one thing, and what its outcome may be. */
export interface ProcessRow {
  /** What it does, in words. */
  readonly what: string;
  readonly command: string;
  readonly timeoutMs?: number;
  readonly says: Said;
  /** Absent where it does not end by itself, or by a signal. */
  readonly exitCode?: number;
  readonly signal?: string;
  readonly statuses: readonly OutcomeStatus[];
  /** It prints more than is kept. */
  readonly isCutOff?: true;
}

/** An end with exit code 0 is none that failed; of any other the dialect says whether it blocks, or what else it means. */
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

/** A command that prints exactly these bytes. */
export function printing(bytes: string | Uint8Array): string {
  if (typeof bytes === 'string' && !/[\0\r\u0080-\uffff]/.test(bytes)) return `printf %s ${quoted(bytes)}`;
  const octal = Array.from(Buffer.from(bytes as string), (byte) => `\\${byte.toString(8).padStart(3, '0')}`);
  return `printf ${quoted(octal.join(''))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
