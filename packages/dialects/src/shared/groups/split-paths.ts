import type { HookEventName } from '@tenterhook/protocol';
import { formatValue } from '../text.js';
import type { DocumentPath, Reporter } from '../settings/reporter.js';
import { unquotedUses } from '../lint/unquoted-variables.js';

export interface CommandPlace {
  readonly reporter: Reporter;
  readonly eventName: HookEventName;
  readonly hookId: string;
  /** Of the hook. */
  readonly path: DocumentPath;
}

/** Says of variables in a command that hold a directory, known now, at whose white space a shell would split what has no quotes. */
export function reportSplitPaths(command: string, directories: Readonly<Record<string, string>>, place: CommandPlace): void {
  const { reporter, eventName, hookId, path } = place;
  const spaced = Object.keys(directories).filter((name) => /\s/.test(directories[name] as string));
  for (const name of unquotedUses(command, spaced)) {
    const message = `$${name} stands without quotes, and its value ${formatValue(directories[name])} has white space, at which the shell splits it.`;
    const remedy = `Write it in quotes: \\"$${name}\\".`;
    reporter.report('unquoted_variable', 'warning', [...path, 'command'], message, { remedy, eventName, hookId });
  }
}
