import { ExitStatus, UsageError } from './exit-status.js';
import { version } from './version.js';

/** How a command ends with an error: its status, what a program reads of it, and what a person reads. */
export interface CliError {
  readonly status: number;
  readonly code: 'invalid_request' | 'internal_error';
  readonly message: string;
  /** What goes to stderr; `''` where it was printed already. */
  readonly shown: string;
}

/** Formats what a command threw: a usage error is a sentence, everything else is a bug in this program. */
export function formatCliError(error: unknown): CliError {
  const message = isGoneDirectory(error)
    ? 'The current directory no longer exists. Change to a directory that exists.'
    : error instanceof Error
      ? error.message
      : String(error);
  if (error instanceof UsageError || isGoneDirectory(error))
    return { status: ExitStatus.usage, code: 'invalid_request', message, shown: `tenterhook: ${message}\n` };
  const detail = error instanceof Error ? (error.stack ?? message) : message;
  const shown = `tenterhook: This is a bug in tenterhook ${version}, not in your hooks. Report it with the lines below.\n${detail}\n`;
  return { status: ExitStatus.bug, code: 'internal_error', message, shown };
}

/** Reading the current directory throws this, in whichever place of a command that happens. */
function isGoneDirectory(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return code === 'ENOENT' && syscall === 'uv_cwd';
}
