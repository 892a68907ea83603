import type { RecordOptions } from '@tenterhook/recording';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeOption, describeThrown, describeValue, suggestName } from '@tenterhook/runtime/text';

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

/** Throws a TypeError for options without a file. `recordBus()` checks the others. */
export function checkRecord(record: unknown, path: string): void {
  if (!isPlainObject(record)) {
    throw new TypeError(`createHooks: "${path}" must be an object such as { file: "run.bus.jsonl" }, and is ${describeOption(record)}.`);
  }
  if (isPath(record['file'])) return;
  throw new TypeError(`createHooks: "${path}.file" must be a path, and is ${describeOption(record['file'])}.`);
}

/**
 * Returns the options in the environment variable. A value that begins with `{` is JSON, and any other value is the file. Undefined if the
 * variable is not set. Throws an Error that says what is wrong.
 */
export function readRecordVariable(env: Readonly<Record<string, string | undefined>>): HooksRecordOptions | undefined {
  const value = env[recordVariable] ?? '';
  if (value === '') return undefined;
  if (!value.startsWith('{')) return { file: value };
  const { file, append = false, mask = true, secrets = [] } = parseVariable(value);
  const named = secrets.map((name) => {
    const secret = env[name];
    if (secret === undefined) throw new Error(`the environment variable ${name} of a secret is not set.`);
    return [name, secret] as const;
  });
  return { file, append, mask, secrets: Object.fromEntries(named) };
}

const variableFields: Readonly<Record<keyof VariableOptions, readonly [rule: string, isValid: (value: unknown) => boolean]>> = {
  file: ['a path', isPath],
  append: ['true or false', (value) => value === undefined || typeof value === 'boolean'],
  mask: ['true or false', (value) => value === undefined || typeof value === 'boolean'],
  secrets: [
    'a list of names of environment variables',
    (value) => value === undefined || (Array.isArray(value) && value.every((name) => typeof name === 'string')),
  ],
};

/** Unknown fields are refused, because a misspelt `secrets` would write the secrets to the file. */
function parseVariable(value: string): VariableOptions {
  let fields: unknown;
  try {
    fields = JSON.parse(value);
  } catch (error) {
    throw new Error(
      `the value begins with "{" and is not valid JSON: ${describeThrown(error)}. Write a path, or JSON such as {"file":"run.bus.jsonl"}.`,
    );
  }
  const given = fields as Readonly<Record<string, unknown>>;
  const known = Object.keys(variableFields);
  const unknown = Object.keys(given).find((field) => !known.includes(field));
  if (unknown !== undefined) {
    throw new Error(`there is no field ${describeValue(unknown)}. ${suggestName(unknown, known, `The fields are ${known.join(', ')}.`)}`);
  }
  for (const [field, [rule, isValid]] of Object.entries(variableFields)) {
    if (!isValid(given[field])) throw new Error(`"${field}" must be ${rule}, and is ${describeOption(given[field])}.`);
  }
  return given as unknown as VariableOptions;
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
