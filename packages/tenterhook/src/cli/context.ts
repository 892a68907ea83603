import { randomUUID } from 'node:crypto';
import { isAbsolute, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { HookExecutionResponse, ResponseError } from '@tenterhook/protocol';
import { escapeUnseen } from '@tenterhook/runtime/text';
import { paragraph, type ReportStyle, shortenPaths } from '../output/reports/report-style.js';
import { createPaint, hasColours, type Paint } from '../output/terminal/palette.js';

/** The parts of the process that a command uses. A program that runs a command in its own process can replace them. */
export interface CommandContext {
  /** Relative paths of the command line are resolved against this directory. The getter throws if the directory was deleted. */
  readonly cwd: string;
  /** The environment of the command and of the hooks that it runs. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: CommandStream;
  readonly stderr: CommandStream;
}

/** A stream that commands write to. Every writable stream of Node can be passed, e.g. `process.stdout`. */
export type CommandStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  readonly writable: boolean;
};

/** The context of a command that runs in a process of its own. */
export const processContext: CommandContext = {
  get cwd() {
    return process.cwd();
  },
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
};

/**
 * Makes a path of the command line absolute. Reads the current directory only for a relative path, because that directory may be deleted.
 */
export function resolvePath(context: CommandContext, path: string): string {
  return isAbsolute(path) ? resolve(path) : resolve(context.cwd, path);
}

/** The maximum number of characters of a message on stderr. */
export const maxMessage = 4_000;

/** Prints a message to stderr, so that stdout contains only the answer. */
export function printError(context: CommandContext, message: string): void {
  const { stderr, env } = context;
  const style = { paint: createPaint(hasColours(stderr, env)), width: widthOf(stderr), directory: directoryOf(context) };
  const [word = ''] = /^(?:error|warning|note|\w+_\w+)(?=: )/.exec(message) ?? [];
  const lines = paragraph(`tenterhook: ${shortenPaths(message, style)}`, { indent: 0, hanging: 2, max: maxMessage }, style);
  const look = word === 'note' ? 'cyan' : word === 'warning' ? 'yellow' : 'red';
  stderr.write(`${lines.join('\n').replace(`tenterhook: ${word}`, () => `tenterhook: ${style.paint(look, word)}`)}\n`);
}

/**
 * Returns the width for wrapping. Output that is not a terminal is not wrapped, so that other programs find each fact on one line. A pseudo
 * terminal without a size reports 0 columns; 80 is used.
 */
function widthOf({ isTTY, columns }: CommandStream): number {
  return isTTY ? columns || 80 : Number.POSITIVE_INFINITY;
}

export function printJson({ stdout }: CommandContext, document: object): void {
  stdout.write(formatJsonLine(document));
}

export function paintOf({ stdout, env }: CommandContext): Paint {
  return createPaint(hasColours(stdout, env));
}

export function styleOf(context: CommandContext): ReportStyle {
  return { paint: paintOf(context), width: widthOf(context.stdout), directory: directoryOf(context) };
}

/** Returns the current directory, or undefined if it was deleted. */
export function directoryOf(context: CommandContext): string | undefined {
  try {
    return context.cwd;
  } catch {
    return undefined;
  }
}

/** Creates an error response for a request that could not be sent. With it, a program that reads stdout always receives a JSON document. */
export function toFailure(error: ResponseError): HookExecutionResponse {
  return { correlationId: randomUUID(), success: false, error };
}

/**
 * Formats a JSON document as one line. Escapes bidi and C1 control characters too, because stdout may be a terminal. The escapes do not
 * change the meaning of the JSON.
 */
export function formatJsonLine(document: object): string {
  return `${escapeUnseen(JSON.stringify(document))}\n`;
}
