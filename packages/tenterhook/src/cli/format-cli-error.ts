import { ExitStatus, UsageError } from './exit-status.js';
import { version } from './version.js';

/** How a command ends with an error: its status, what a program reads of it, and what a person does. */
export interface Told {
  readonly status: number;
  readonly code: 'invalid_request' | 'internal_error';
  readonly message: string;
  /** What goes to stderr; `''` where it has been said. */
  readonly shown: string;
}

/** What a command threw: wrong use is said in a sentence, everything else is a bug of ours. */
export function toldAs(error: unknown): Told {
  const message = isGoneDirectory(error)
    ? 'The current directory does not exist any more. Change to one that does.'
    : error instanceof Error
      ? error.message
      : String(error);
  if (error instanceof UsageError || isGoneDirectory(error))
    return { status: ExitStatus.usage, code: 'invalid_request', message, shown: `tenterhook: ${message}\n` };
  const detail = error instanceof Error ? (error.stack ?? message) : message;
  const shown = `tenterhook: This is a bug of tenterhook ${version}, not of your hooks. Please report it with the lines below.\n${detail}\n`;
  return { status: ExitStatus.bug, code: 'internal_error', message, shown };
}

/** Whoever asks for a path relative to it learns so, in whichever place of a command that is. */
function isGoneDirectory(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return code === 'ENOENT' && syscall === 'uv_cwd';
}
