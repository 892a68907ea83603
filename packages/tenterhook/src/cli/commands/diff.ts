import { compareRecordings, type Recording } from '@tenterhook/recording';
import { type CommandContext, printError } from '../context.js';
import { ExitStatus } from '../errors/exit-status.js';
import { type CompareFlags, compareOptionsOf, printDiff } from '../recordings/compare-flags.js';
import { readRecordings, reportingFailure } from '../recordings/read-recordings.js';

/** Compares two recordings. Resolves to the exit status: 1 if they differ, or if one of them cannot be read. */
export async function diff(before: string, after: string, flags: CompareFlags, context: CommandContext): Promise<number> {
  const options = compareOptionsOf(flags);
  return reportingFailure(flags, context, async () => {
    const [recorded, now] = (await readRecordings([before, after], context)) as [Recording, Recording];
    const found = compareRecordings(recorded, now, options);
    printDiff(found, `${before} against ${after}`, flags, context);
    // Equal by the rules of a comparison, and still probably a mistake. A replay refuses such a recording, because it has nothing to send.
    if (found.requests === 0) printError(context, 'note: neither recording has a request. Record an agent while it runs hooks.');
    return found.different.length === 0 ? ExitStatus.ok : ExitStatus.expectedFailure;
  });
}
