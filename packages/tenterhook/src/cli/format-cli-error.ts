import { escapeForTerminal } from '../output/terminal/escape.js';
import { maxMessage } from './context.js';
import { ExitStatus, UsageError } from './exit-status.js';
import { version } from './version.js';

/** How a command ends with an error: its exit status, the error for programs, and the text for people. */
export interface CliError {
  readonly status: number;
  readonly code: 'invalid_request' | 'internal_error';
  readonly message: string;
  /** The text for stderr; `''` if it was printed already. */
  readonly shown: string;
}

const maxLines = 100;

/** Formats what a command threw. A usage error is one sentence; anything else is a bug in this program. */
export function formatCliError(error: unknown): CliError {
  const message = isGoneDirectory(error)
    ? 'The current directory no longer exists. Change to a directory that exists.'
    : error instanceof Error
      ? error.message
      : String(error);
  if (error instanceof UsageError || isGoneDirectory(error))
    return { status: ExitStatus.usage, code: 'invalid_request', message, shown: `tenterhook: ${message}\n` };
  // The stack and the message may quote the command line, a file or a hook, so each line is escaped.
  const detail = (error instanceof Error ? (error.stack ?? message) : message)
    .split('\n')
    .slice(0, maxLines)
    .map((line) => escapeForTerminal(line, maxMessage))
    .join('\n');
  const shown = `tenterhook: This is a bug in tenterhook ${version}, not in your hooks. Report it with the lines below.\n${detail}\n`;
  return { status: ExitStatus.bug, code: 'internal_error', message, shown };
}

/** Tests for the error that is thrown wherever a command reads a current directory that was deleted. */
function isGoneDirectory(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return code === 'ENOENT' && syscall === 'uv_cwd';
}
