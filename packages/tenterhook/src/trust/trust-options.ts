import { isAbsolute } from 'node:path';
import type { Diagnostic, HookDefinition } from '@tenterhook/protocol';
import { isOfRepository, levelOf } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeOption, suggestName } from '@tenterhook/runtime/text';
import type { TrustRequest, TrustState } from '@tenterhook/trust';

/**
 * Which hooks that come from a repository run. `store`: those that the user has accepted. `none`: none of them. `all`: all of them, for
 * programs that ask the user in their own way.
 */
export type TrustMode = 'store' | 'none' | 'all';

/** The answer to one question. `later` stores nothing: the hook does not run for now. */
export type TrustAnswer = 'trust' | 'deny' | 'later';

/** Which hooks that come from a repository run, and how the user is asked about them. */
export interface TrustOptions {
  /** Who decides. */
  readonly mode: TrustMode;
  /** The absolute path of the directory for decisions. @default `$XDG_STATE_HOME/tenterhook/trust`, in the state directory of this user */
  readonly directory?: string;
  /** Pins of hooks that may run in this process, from `hooks.trust.requests()`. They are not stored. @default none */
  readonly pins?: readonly string[];
  /**
   * Which files run. `checked`: the files of the project, right after they were compared with the accepted ones. `snapshot`: a private copy
   * of the accepted files, if the command is one script of the project with known arguments; other commands run as with `checked`. In a
   * copy, `$0` and the directory of the script are those of the copy. The working directory and the variables for the project are
   * unchanged.
   * @default 'checked'
   */
  readonly run?: 'checked' | 'snapshot';
  /**
   * What happens while a guard has changed and is not yet accepted again: the user is asked about each call, or the call is denied.
   * @default 'ask'
   */
  readonly onChanged?: 'ask' | 'deny';
  /** Ids of users who may own files of the project, in addition to this user and root. @default none */
  readonly allowOwners?: readonly number[];
  /**
   * Asks the user about all hooks that are new or have changed, after each time the settings were loaded. `createHooks` does not wait for
   * the answer, and the hooks do not run until it arrives. The function returns one answer for each request, in the same order. An error,
   * no answer within 5 minutes, or a wrong number of answers means `later` for all. `signal` aborts when the answer is no longer needed.
   * @default hooks stay untrusted until `accept` is called
   */
  readonly ask?: (
    requests: readonly TrustRequest[],
    options: { readonly signal: AbortSignal },
  ) => Promise<readonly TrustAnswer[]> | readonly TrustAnswer[];
}

/** The decisions about the hooks of a project. */
export interface HooksTrust {
  /** Returns the hooks that wait for a decision, because they are new or have changed. Their texts come from the repository. */
  requests(): readonly TrustRequest[];
  /**
   * Trusts the hooks with this pin from now on; other processes trust them after their next reload. Rejects with a TrustStoreError if the
   * decision cannot be stored. Rejects with a TypeError if no hook has this pin, e.g. because a file has changed since the pin was shown.
   */
  accept(pin: string): Promise<void>;
  /** Stores that the hooks with this pin do not run. They are not asked about until they change. Rejects like `accept`. */
  deny(pin: string): Promise<void>;
  /**
   * Removes the decision about a pin. Takes effect at the next event, also in other processes. Rejects if the decision cannot be removed.
   */
  revoke(pin: string): Promise<void>;
  /** Returns the state of a hook, and why. Undefined for a hook that neither comes with the repository nor runs files of it. */
  stateOf(hookId: string): TrustState | undefined;
}

/** The options of `createHooks` that decide about trust. */
type GivenTrust = { readonly [Option in 'trust' | 'isTrusted']?: unknown };

/**
 * Returns the default mode. Without `isTrusted`, the user decides. With it, the program decides itself, as before the option `trust`
 * existed.
 */
export function defaultTrust({ isTrusted }: GivenTrust): TrustMode {
  return isTrusted === undefined ? 'store' : 'all';
}

/** Returns a note for a program with `isTrusted` and without `trust`, if a hook comes with the project. */
export function noteAboutDefault(hooks: readonly HookDefinition[], { trust, isTrusted }: GivenTrust): readonly Diagnostic[] {
  if (trust !== undefined || isTrusted === undefined || !hooks.some((hook) => isOfRepository(levelOf(hook)))) return [];
  return [
    {
      code: 'trust_by_host',
      severity: 'note',
      message: 'createHooks received the option "isTrusted" but not "trust", so isTrusted alone decides which hooks of the project run.',
      remedy: 'Pass trust: "store" to ask the user too, or trust: "all" if your program asks in its own way.',
    },
  ];
}

/** The value of `hooks.trust` if all hooks are trusted. There are no decisions, and a decision is rejected. */
export const trustsAll: HooksTrust = {
  requests: () => [],
  accept: () => rejectDecision(),
  deny: () => rejectDecision(),
  revoke: () => rejectDecision(),
  stateOf: () => undefined,
};

async function rejectDecision(): Promise<never> {
  throw new TypeError(
    'createHooks received trust: "all", or the option "isTrusted" but not "trust", so there is nothing to decide. Write trust: "store" to decide about hooks.',
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

/** Throws a TypeError for an invalid option. If the option were ignored, untrusted hooks of a repository could run. */
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
