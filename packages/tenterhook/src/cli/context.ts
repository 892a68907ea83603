import { randomUUID } from 'node:crypto';
import { isAbsolute, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { HookExecutionResponse, ResponseError } from '@tenterhook/protocol';
import { escapeUnseen } from '@tenterhook/runtime/text';
import { paragraph, type ReportStyle, shortenPaths } from '../output/reports/report-style.js';
import { createPaint, hasColours, type Paint } from '../output/terminal/palette.js';

/** Everything of its process that a command uses, so that a caller can run one in a process of its own. */
export interface CommandContext {
  /** Relative paths of the command line start here. Reading it throws where the directory was deleted. */
  readonly cwd: string;
  /** The environment of the command and of the hooks that it runs. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  readonly stdout: CommandStream;
  readonly stderr: CommandStream;
}

/** The part of a stream that commands use. `process.stdout` is one, and so is any writable stream. */
export type CommandStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number; readonly writable: boolean };

/** The context of a command that is a process of its own. */
export const processContext: CommandContext = {
  get cwd() {
    return process.cwd();
  },
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
};

/** A path of the command line, absolute. The current directory, which may have been deleted, is asked only where the path needs it. */
export function resolvePath(context: CommandContext, path: string): string {
  return isAbsolute(path) ? resolve(path) : resolve(context.cwd, path);
}

/** Diagnostics go to stderr, so that stdout has only the answer. */
export function printError(context: CommandContext, message: string): void {
  const { stderr, env } = context;
  const style = { paint: createPaint(hasColours(stderr, env)), width: widthOf(stderr), directory: directoryOf(context) };
  const [word = ''] = /^(?:error|warning|note|\w+_\w+)(?=: )/.exec(message) ?? [];
  const lines = paragraph(`tenterhook: ${shortenPaths(message, style)}`, { indent: 0, hanging: 2, max: 4_000 }, style);
  const look = word === 'note' ? 'cyan' : word === 'warning' ? 'yellow' : 'red';
  stderr.write(`${lines.join('\n').replace(`tenterhook: ${word}`, () => `tenterhook: ${style.paint(look, word)}`)}\n`);
}

/** Wrapped only on a terminal, so that other programs find a fact on one line. A pseudo terminal without a size reports 0. */
function widthOf({ isTTY, columns }: CommandStream): number {
  return isTTY ? columns || 80 : Number.POSITIVE_INFINITY;
}

export function printJson({ stdout }: CommandContext, document: object): void {
  stdout.write(formatJsonLine(document));
}

/** The colours of stdout. */
export function paintOf({ stdout, env }: CommandContext): Paint {
  return createPaint(hasColours(stdout, env));
}

/** How reports on stdout are printed. */
export function styleOf(context: CommandContext): ReportStyle {
  return { paint: paintOf(context), width: widthOf(context.stdout), directory: directoryOf(context) };
}

/** The current directory; undefined if it was deleted, which reading it reports. */
export function directoryOf(context: CommandContext): string | undefined {
  try {
    return context.cwd;
  } catch {
    return undefined;
  }
}

/** The answer to a request that could not be made: programs that read stdout still get one document. */
export function toFailure(error: ResponseError): HookExecutionResponse {
  return { correlationId: randomUUID(), success: false, error };
}

/**
 * One document on one line. JSON leaves bidi and C1 controls unescaped, and stdout may be a terminal; as escapes they are the same text.
 */
export function formatJsonLine(document: object): string {
  return `${escapeUnseen(JSON.stringify(document))}\n`;
}
