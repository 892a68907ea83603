import type { ResponseError } from '@tenterhook/protocol';
import { escapeForTerminal } from '../../output/terminal/escape.js';
import { maxMessage } from '../context.js';
import { version } from '../version.js';
import { CommandError, ExitStatus, UsageError } from './exit-status.js';

/** How a command ends with an error: its exit status, the error for programs, and the text for people. */
export interface CliError {
  readonly status: number;
  readonly error: ResponseError;
  /** The message for stderr, not yet wrapped and escaped. `''` if the message was printed already. */
  readonly message: string;
  /** For a bug of this program: the lines for stderr, which are printed instead of `message`. */
  readonly report?: string;
}

const maxLines = 100;

/** Formats what a command threw. Errors other than a usage error are bugs of this program. */
export function formatCliError(error: unknown): CliError {
  const message = isGoneDirectory(error)
    ? 'The current directory no longer exists. Change to a directory that exists.'
    : error instanceof Error
      ? error.message
      : String(error);
  if (error instanceof UsageError || isGoneDirectory(error))
    return { status: ExitStatus.usage, error: { code: 'invalid_request', message }, message };
  if (error instanceof CommandError) {
    return { status: ExitStatus.expectedFailure, error: error.error, message: `${error.error.code}: ${message}` };
  }
  // The stack and the message may quote the command line, a file or a hook, so they are escaped.
  const detail = (error instanceof Error ? (error.stack ?? message) : message)
    .split('\n')
    .slice(0, maxLines)
    .map((line) => escapeForTerminal(line, maxMessage))
    .join('\n');
  const report = `tenterhook: This is a bug in tenterhook ${version}, not in your hooks. Report it with the lines below.\n${detail}\n`;
  return { status: ExitStatus.bug, error: { code: 'internal_error', message }, message, report };
}

/** Tests for the error of `process.cwd()` in a directory that was deleted. */
function isGoneDirectory(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return code === 'ENOENT' && syscall === 'uv_cwd';
}
