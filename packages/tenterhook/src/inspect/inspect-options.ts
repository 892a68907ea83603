import { isPlainObject } from '@tenterhook/runtime/json';
import { describeOption, suggestName } from '@tenterhook/runtime/text';

/** How other processes of the user find and read the bus of `createHooks()`. */
export interface InspectOptions {
  /** A name for lists of agents. @default the name of the program */
  readonly name?: string | undefined;
  /**
   * The path of the socket of the hub that carries `bus`. Required if `bus` is passed, because only the program knows this hub.
   * @default `createHooks` creates a hub
   */
  readonly socket?: string | undefined;
  /**
   * Whether progress messages contain what each hook reads, with the secrets in it, while a process listens. Without it, others see only what
   * the agent has sent. @default false
   */
  readonly stdin?: boolean | undefined;
}

/** The environment variable that has the same effect as `inspect: true`. */
export const inspectVariable = 'TENTERHOOK_INSPECT';

const optionNames = Object.keys({ name: true, socket: true, stdin: true } satisfies Record<keyof InspectOptions, true>);

export function checkInspect(inspect: unknown, path: string): void {
  if (typeof inspect === 'boolean') return;
  if (!isPlainObject(inspect)) {
    throw new TypeError(
      `createHooks: "${path}" must be true, false or an object such as { name: "my-agent" }, and is ${describeOption(inspect)}.`,
    );
  }
  for (const [option, value] of Object.entries(inspect)) {
    if (!optionNames.includes(option)) {
      const remedy = suggestName(option, optionNames, `Its options are ${optionNames.join(', ')}.`);
      throw new TypeError(`createHooks: "${path}" has no option "${option}". ${remedy}`);
    }
    if (value === undefined) continue;
    if (option === 'stdin') {
      if (typeof value === 'boolean') continue;
      throw new TypeError(`createHooks: "${path}.stdin" must be true or false, and is ${describeOption(value)}.`);
    }
    if (typeof value === 'string' && value !== '') continue;
    throw new TypeError(`createHooks: "${path}.${option}" must be a non-empty string, and is ${describeOption(value)}.`);
  }
}

/** Returns whether the environment variable allows other processes to attach. */
export function isRequested(env: Readonly<Record<string, string | undefined>>): boolean {
  return !['', '0', 'false'].includes(env[inspectVariable] ?? '');
}

/** Returns the value of the variable if a program has set it to find the agent, and not a person to allow that. */
export function requestTag(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const value = env[inspectVariable] ?? '';
  return value.startsWith('inspect-') ? value : undefined;
}
