import { formatDiagnostic } from '@tenterhook/protocol';
import type { CreateHooksOptions } from '../create-hooks-options.js';
import { type CommandContext, printError, resolvePath } from './context.js';
import { CommandError, UsageError } from './exit-status.js';

/** The flags with which a user trusts hooks of a project for one command. They store nothing. */
export interface TrustFlags {
  /** A file with pins of hooks, which are trusted in addition to those that the user has accepted. */
  readonly trustPins?: string;
  /** Trusts all hooks of the project. */
  readonly trustProject?: boolean;
}

/** The option `trust` of `createHooks`. Throws if the file of pins cannot be used: hooks that are expected to run would be skipped. */
export async function trustOf(
  { trustPins, trustProject }: TrustFlags,
  projectDir: string,
  context: CommandContext,
): Promise<Pick<CreateHooksOptions, 'trust'>> {
  if (trustProject === true) return { trust: 'all' };
  if (trustPins === undefined) return {};
  // An empty value may come from an unset variable. As a path it would mean the current directory.
  if (trustPins === '') throw new UsageError('--trust-pins is empty. Pass a file with the output of tenterhook trust --pins.');
  const { readPinsFile } = await import('@tenterhook/trust');
  const read = readPinsFile(resolvePath(context, trustPins), projectDir);
  if ('pins' in read) return { trust: { mode: 'store', pins: read.pins } };
  const { problem } = read;
  throw new CommandError({ code: 'invalid_settings', message: formatDiagnostic(problem), details: { diagnostics: [problem] } });
}

/** Prints on stderr what the user must know about trust before the command does its work. */
export function reportTrust({ trustProject }: TrustFlags, context: CommandContext): void {
  if (trustProject === true) printError(context, 'note: --trust-project: all hooks of the project are trusted for this command.');
}
