import { isAbsolute } from 'node:path';
import type { Diagnostic, HookDefinition } from '@tenterhook/protocol';
import { isOfRepository, levelOf } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeOption, suggestName } from '@tenterhook/runtime/text';
import type { TrustRequest, TrustState } from '@tenterhook/trust';

/**
 * Who decides which hooks of a repository run. `store`: those that the user has accepted. `none`: no hook of the repository. `all`: every
 * hook, for programs that ask in their own way.
 */
export type TrustMode = 'store' | 'none' | 'all';

/** The answer to one question. `later`: nothing is stored, and the hook does not run for now. */
export type TrustAnswer = 'trust' | 'deny' | 'later';

/** Which hooks of a repository run, and how their user is asked. */
export interface TrustOptions {
  /** Who decides. */
  readonly mode: TrustMode;
  /** The absolute path of the directory of decisions. @default the one for state of this user, `$XDG_STATE_HOME/tenterhook/trust` */
  readonly directory?: string;
  /** Pins of hooks that may run in this process, as `hooks.trust.requests()` returns them. Nothing is stored. @default none */
  readonly pins?: readonly string[];
  /**
   * From where hooks run. `snapshot`: from a private copy of the files that were checked, if the command is one script of the project with
   * words that are known. Its `$0` and the directory of the script are then those of the copy; the working directory and the variables for
   * the project stay. Other commands run as with `checked`: from where they are, after their files were compared. @default 'checked'
   */
  readonly run?: 'checked' | 'snapshot';
  /** What a guard that was trusted and has changed means until it is accepted again: the user is asked, or the call is denied. @default 'ask' */
  readonly onChanged?: 'ask' | 'deny';
  /** User ids that may own files of the project, beside this user and root. @default none */
  readonly allowOwners?: readonly number[];
  /**
   * Asks the user about all hooks that are new or have changed: once after the settings were loaded, and again after a change. `createHooks`
   * does not wait for the answer; the hooks do not run until it is there. No answer within 5 minutes, an error, or a list of another length
   * means `later`. `signal` aborts when the answer no longer matters. @default hooks stay untrusted until `accept` is called
   */
  readonly ask?: (
    requests: readonly TrustRequest[],
    options: { readonly signal: AbortSignal },
  ) => Promise<readonly TrustAnswer[]> | readonly TrustAnswer[];
}

/** The decisions about the hooks of a project. */
export interface HooksTrust {
  /** The hooks about which a person can decide: those that are new, and those that have changed. Their texts come from the repository. */
  requests(): readonly TrustRequest[];
  /**
   * Trusts the hooks with this pin from now on, also in other processes once they reload. Rejects with a TrustStoreError if it cannot be
   * stored, and with a TypeError if no hook has this pin, for example because a file has changed since the pin was shown.
   */
  accept(pin: string): Promise<void>;
  /** Stores that the hooks with this pin do not run and are not asked about until they change. Rejects like `accept`. */
  deny(pin: string): Promise<void>;
  /** Removes the decision about a pin. It takes effect at the next event, also in other processes. Rejects if it cannot be removed. */
  revoke(pin: string): Promise<void>;
  /** The state of a hook, and why. Undefined for a hook that neither comes with the repository nor runs files of it. */
  stateOf(hookId: string): TrustState | undefined;
}

/** What `createHooks` was called with that decides about trust. */
type GivenTrust = { readonly [Option in 'trust' | 'isTrusted']?: unknown };

/**
 * Returns who decides if a program does not pass it: the user. With `isTrusted`, the program decides in its own way, as before there was
 * `trust`.
 */
export function defaultTrust({ isTrusted }: GivenTrust): TrustMode {
  return isTrusted === undefined ? 'store' : 'all';
}

/** Returns a note for a program with `isTrusted` and without `trust`. There is none while no hook comes with the project. */
export function noteAboutDefault(hooks: readonly HookDefinition[], { trust, isTrusted }: GivenTrust): readonly Diagnostic[] {
  if (trust !== undefined || isTrusted === undefined || !hooks.some((hook) => isOfRepository(levelOf(hook)))) return [];
  return [
    {
      code: 'trust_by_host',
      severity: 'note',
      message: 'createHooks has isTrusted and no trust, so isTrusted alone decides which hooks of the project run.',
      remedy: 'Pass trust: "store", and the user is asked too; or trust: "all", if your program asks in its own way.',
    },
  ];
}

/** The decisions where everything is trusted: there are none, and none can be made. */
export const trustsAll: HooksTrust = {
  requests: () => [],
  accept: () => rejectDecision(),
  deny: () => rejectDecision(),
  revoke: () => rejectDecision(),
  stateOf: () => undefined,
};

async function rejectDecision(): Promise<never> {
  throw new TypeError(
    'createHooks has trust: "all", or isTrusted without trust, so there is nothing to decide. Write trust: "store" to decide about hooks.',
  );
}

const modes = ['store', 'none', 'all'];

/** What each option of `trust` must be: the test and its words. */
const optionRules: Readonly<Record<keyof TrustOptions, readonly [(value: unknown) => boolean, string]>> = {
  mode: [(value) => modes.includes(value as string), '"store", "none" or "all"'],
  directory: [(value) => typeof value === 'string' && isAbsolute(value), 'an absolute path'],
  pins: [isListOf((item) => typeof item === 'string' && /^[0-9a-f]{64}$/.test(item)), 'an array of pins, each 64 hexadecimal digits'],
  run: [(value) => value === 'checked' || value === 'snapshot', '"checked" or "snapshot"'],
  onChanged: [(value) => value === 'ask' || value === 'deny', '"ask" or "deny"'],
  allowOwners: [isListOf((item) => Number.isInteger(item) && (item as number) >= 0), 'an array of user ids'],
  ask: [(value) => typeof value === 'function', 'a function'],
};

/** Throws a TypeError for an invalid option. If it were ignored, hooks of a repository could run that must not. */
export function checkTrust(trust: unknown): void {
  if (modes.includes(trust as string)) return;
  if (!isPlainObject(trust)) {
    throw new TypeError(`createHooks: "trust" must be "store", "none", "all" or an object with a mode, and is ${describeOption(trust)}.`);
  }
  const names = Object.keys(optionRules);
  for (const option of Object.keys(trust)) {
    if (names.includes(option)) continue;
    throw new TypeError(
      `createHooks: "trust" has no option "${option}". ${suggestName(option, names, `Its options are ${names.join(', ')}.`)}`,
    );
  }
  for (const [option, [isValid, expected]] of Object.entries(optionRules)) {
    const value = trust[option];
    if (isValid(value) || (value === undefined && option !== 'mode')) continue;
    throw new TypeError(`createHooks: "trust.${option}" must be ${expected}, and is ${describeOption(value)}.`);
  }
}

function isListOf(isItem: (item: unknown) => boolean): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every(isItem);
}
