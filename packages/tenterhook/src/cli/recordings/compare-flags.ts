import { type CompareOptions, formatDiff, type RecordingDiff } from '@tenterhook/recording';
import { type CommandContext, printJson } from '../context.js';
import { UsageError } from '../errors/exit-status.js';

/** The flags that say what is compared. */
export interface CompareFlags {
  readonly texts?: boolean;
  readonly progress?: boolean;
  readonly times?: string;
  readonly json?: boolean;
}

/** Returns the options of a comparison. Throws if `--times` is not a factor such as `2x`. */
export function compareOptionsOf({ texts, progress, times }: CompareFlags): CompareOptions {
  if (times === undefined) return { texts, progress };
  const factor = Number(/^(\d+(?:\.\d+)?)x?$/.exec(times)?.[1] ?? Number.NaN);
  if (!(factor > 1)) throw new UsageError(`--times must be a factor above 1, such as 2x, and is ${JSON.stringify(times)}.`);
  return { texts, progress, times: factor };
}

/** Prints a comparison. `more` are further fields of the JSON document. */
export function printDiff(diff: RecordingDiff, title: string, { json }: CompareFlags, context: CommandContext, more: object = {}): void {
  if (!json) {
    context.stdout.write(formatDiff(diff, title));
    return;
  }
  const { requests, same, times } = diff;
  // The whole compared values would be many times as long, and the differences are in the list.
  const different = diff.different.map(({ recorded: _recorded, now: _now, ...one }) => one);
  printJson(context, { state: different.length === 0 ? 'same' : 'differs', requests, same, different, times, ...more });
}
