import type { RecordOptions } from '@tenterhook/recording';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeOption, suggestName } from '@tenterhook/runtime/text';

/** How `createHooks()` records its bus. The project directory gets the placeholder `⟦project⟧` unless `roots` has another one. */
export interface HooksRecordOptions extends Omit<RecordOptions, 'stream'> {
  /** The file to create, usually `<name>.bus.jsonl`. A relative path is resolved against the current directory. */
  readonly file: string;
}

/** The environment variable that has the file, or the options as JSON. */
export const recordVariable = 'TENTERHOOK_RECORD';

/** What the variable may contain as JSON. Secrets are named, and their values are read from other variables. */
export interface VariableOptions {
  readonly file: string;
  readonly append?: boolean;
  readonly mask?: boolean;
  readonly secrets?: readonly string[];
}

const optionNames = Object.keys({
  file: true,
  append: true,
  roots: true,
  secrets: true,
  mask: true,
  form: true,
  channels: true,
  about: true,
  thread: true,
  onFailure: true,
  maxLineBytes: true,
  maxFileBytes: true,
  maxFiles: true,
  maxQueuedBytes: true,
} satisfies Record<keyof HooksRecordOptions, true>);

/** Throws a TypeError for options without a file, and for unknown ones: a misspelled `secrets` would write the secrets to the file. */
export function checkRecord(record: unknown, path: string): void {
  if (!isPlainObject(record)) {
    throw new TypeError(`createHooks: "${path}" must be an object such as { file: "run.bus.jsonl" }, and is ${describeOption(record)}.`);
  }
  const unknown = Object.keys(record).find((option) => !optionNames.includes(option));
  if (unknown !== undefined) {
    const remedy = suggestName(unknown, optionNames, `Its options are ${optionNames.join(', ')}.`);
    throw new TypeError(`createHooks: "${path}" has no option "${unknown}". ${remedy}`);
  }
  const { file } = record;
  if (typeof file === 'string' && file !== '') return;
  throw new TypeError(`createHooks: "${path}.file" must be a path, and is ${describeOption(file)}.`);
}

/**
 * Returns the options in the environment variable. A value that begins with `{` is JSON, and any other value is the file. Undefined if the
 * variable is not set. Throws an Error that says what is wrong.
 */
export function readRecordVariable(env: Readonly<Record<string, string | undefined>>): HooksRecordOptions | undefined {
  const value = env[recordVariable] ?? '';
  if (value === '') return undefined;
  if (!value.startsWith('{')) return { file: value };
  const { file, append = false, mask = true, secrets = [] } = JSON.parse(value) as VariableOptions;
  const named = secrets.map((name) => {
    const secret = env[name];
    if (secret === undefined) throw new Error(`the environment variable ${name} of a secret is not set.`);
    return [name, secret] as const;
  });
  return { file, append, mask, secrets: Object.fromEntries(named) };
}
