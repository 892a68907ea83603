import { type Recording, RecordingError, readRecording } from '@tenterhook/recording';
import { type CommandContext, printError, printJson, resolvePath } from '../context.js';
import { CommandError, ExitStatus } from '../errors/exit-status.js';

/** Reads the recordings that a command names. What is wrong with a part of a recording is one warning on stderr. */
export async function readRecordings(files: readonly string[], context: CommandContext): Promise<Recording[]> {
  const recordings: Recording[] = [];
  for (const file of files) {
    const recording = await readRecording(resolvePath(context, file));
    for (const { code, message } of recording.problems) printError(context, `warning: ${code}: ${message}`);
    recordings.push(recording);
  }
  return recordings;
}

/** Runs a command. A recording that cannot be used is one message on stderr, `state: failed` in JSON, and the exit status 1. */
export async function reportingFailure(
  { json = false }: { readonly json?: boolean },
  context: CommandContext,
  command: () => Promise<number>,
): Promise<number> {
  try {
    return await command();
  } catch (error) {
    // Without --json, the caller prints a CommandError like those of other commands.
    const failed = error instanceof RecordingError ? error : error instanceof CommandError && json ? error.error : undefined;
    if (failed === undefined) throw error;
    const { code, message } = failed;
    if (json) printJson(context, { state: 'failed', error: { code, message } });
    printError(context, `${code}: ${message}`);
    return ExitStatus.expectedFailure;
  }
}
