import type { CommandFindings } from '@tenterhook/protocol';
import { unquotedUses } from '../../lint/unquoted-variables.js';

/** A command that a shell could not run. `name` is the name in the shell's message, if there is one. */
export interface FailedCommand {
  readonly command: string;
  readonly name: string | undefined;
  readonly findings: CommandFindings | undefined;
}

/**
 * Finds a mistake in the text of a command that a shell could not run. Returns how to correct the mistake, or undefined. The
 * shell's message alone is not enough: it contains only the name that remains after the shell has expanded and split the text.
 */
export function commandMistake({ command, name, findings }: FailedCommand): string | undefined {
  if (name?.startsWith('~')) return `The shell does not expand ~ within quotes: write "$HOME${name.slice(1)}", or ~ before the quotes`;
  const backslashed = name === undefined ? undefined : wordWithBackslashes(command, name);
  if (backslashed !== undefined) return `The shell removes backslashes that are not quoted: write ${backslashed.replaceAll('\\', '/')}`;
  const [split] = unquotedUses(command, findings?.spacedVariables ?? []);
  if (split !== undefined) return `$${split} is not quoted, and the shell splits its value at a blank: write "$${split}"`;
  if (findings?.pathWithBlank !== undefined)
    return `The shell splits a path at a blank: write "${findings.pathWithBlank}", with the quotes`;
  return emptyVariableMistake(command, findings);
}

/**
 * Finds a path in the command that begins with an empty variable, e.g. `$UNSET/guard.sh`. The shell may run such a command, but the
 * command may then fail.
 */
export function emptyVariableMistake(command: string, findings: CommandFindings | undefined): string | undefined {
  const empty = findings?.emptyVariables.find((name) => new RegExp(`\\$(?:\\{${name}\\}|${name}\\b)"?/`).test(command));
  return empty === undefined ? undefined : `$${empty} is empty: set it in the environment of the agent, or write the path without it`;
}

/** Returns the word of the command that becomes this name when the shell removes its backslashes. */
function wordWithBackslashes(command: string, name: string): string | undefined {
  const words = command.split(/[\s"';&|()]+/).filter((word) => /\\\w/.test(word));
  return words.find((word) => word.replaceAll('\\', '') === name);
}
