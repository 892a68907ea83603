import { statSync } from 'node:fs';
import { type RecordedMessage, type Recording, RecordingError, readRecording } from '@tenterhook/recording';
import { type CommandContext, printError, resolvePath } from '../context.js';
import { UsageError } from '../errors/exit-status.js';

/** The flags of `tenterhook record` about what the recording contains, and where it is. */
export interface PlanFlags {
  readonly to?: string;
  readonly append?: boolean;
  readonly unmasked?: boolean;
  readonly secret?: readonly string[];
}

/** Where and how to record. */
export interface RecordingPlan {
  readonly file: string;
  readonly append: boolean;
  readonly mask: boolean;
  readonly secrets: Readonly<Record<string, string>>;
}

export function recordingPlanOf({ to, append = false, unmasked = false, secret = [] }: PlanFlags, context: CommandContext): RecordingPlan {
  if (to === '') throw new UsageError('--to is empty. Pass the path of the file to create.');
  const name = to ?? `hooks-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.bus.jsonl`;
  if (unmasked) printError(context, 'warning: --unmasked: the recording contains secrets as they are. Do not commit or share it.');
  return { file: resolvePath(context, name), append, mask: !unmasked, secrets: secretsOf(secret, context) };
}

/** Reads the values of secrets from the environment, so that they are in no command line. */
export function secretsOf(names: readonly string[], { env }: CommandContext): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => {
      const value = env[name];
      if (value === undefined)
        throw new UsageError(`--secret ${name}: the environment variable ${name} is not set. Set it, or remove the option.`);
      if (!/^[A-Za-z]\w*$/.test(name)) {
        throw new UsageError(
          `--secret ${name}: the name must begin with a letter, and have only letters, digits and "_". Rename the variable.`,
        );
      }
      if (value.length < 8) {
        throw new UsageError(
          `--secret ${name}: the value of ${name} is too short to be replaced everywhere; it must have 8 characters or more.`,
        );
      }
      return [name, value];
    }),
  );
}

/** What is in the file of a recording before this one continues it. */
export interface RecordedBefore {
  /** The highest number of a message. */
  readonly n: number;
  /** The files with their sizes. Undefined if there is no recording. */
  readonly sizes: string | undefined;
}

export const nothingBefore: RecordedBefore = { n: 0, sizes: undefined };

export async function readBefore({ file, append }: RecordingPlan): Promise<RecordedBefore> {
  if (!append) return nothingBefore;
  try {
    const recording = await readRecording(file);
    return { n: recording.messages.reduce((highest, { n = 0 }) => Math.max(highest, n), 0), sizes: sizesOf(recording) };
  } catch (error) {
    // There is no file yet. One that is not a recording is refused by the recorder, which says why.
    if (error instanceof RecordingError) return nothingBefore;
    throw error;
  }
}

/** The files of a recording with their sizes, which change with every line. */
export function sizesOf({ files }: Pick<Recording, 'files'>): string {
  return files.map((file) => `${file} ${statSync(file).size}`).join('\n');
}

/** Prints what this recording has added to its file, and that a person must read the file before others do. */
export async function reportRecorded(file: string, before: RecordedBefore, context: CommandContext): Promise<void> {
  const { exchanges, messages, problems } = await readRecording(file);
  // That the recording ended early was said already.
  for (const { code, message } of problems) if (code !== 'interrupted') printError(context, `warning: ${code}: ${message}`);
  const isAdded = (message: RecordedMessage | undefined) => message !== undefined && (message.n ?? 0) > before.n;
  const events = exchanges.filter(({ request }) => isAdded(request)).length;
  const added = messages.filter(isAdded).length;
  const counts = `${events} event${events === 1 ? '' : 's'}, ${added} message${added === 1 ? '' : 's'}`;
  printError(
    context,
    `note: recorded ${counts} in ${file}. Only secrets of known shapes are masked, so read the file before you commit or share it.`,
  );
}
