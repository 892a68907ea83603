import { readRecording } from '@tenterhook/recording';
import { type CommandContext, printError, resolvePath } from '../context.js';
import { UsageError } from '../exit-status.js';

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

/** Prints what a recording contains, and that a person must read it before others do. */
export async function reportRecorded(file: string, context: CommandContext): Promise<void> {
  const { exchanges, messages } = await readRecording(file);
  const events = exchanges.filter(({ request }) => request !== undefined).length;
  const counts = `${events} event${events === 1 ? '' : 's'}, ${messages.length} message${messages.length === 1 ? '' : 's'}`;
  printError(
    context,
    `note: recorded ${counts} in ${file}. Only secrets of known shapes are masked, so read the file before you commit or share it.`,
  );
}
