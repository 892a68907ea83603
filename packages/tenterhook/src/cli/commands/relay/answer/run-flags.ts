import type { RelayPolicy } from '@tenterhook/protocol';
import { policyIn, relayPolicyWords, strictestWord } from '@tenterhook/protocol/internal';
import { clientBounds } from '@tenterhook/relay';
import { UsageError } from '../../../errors/exit-status.js';
import type { RelayedDialect } from '../relayed-agent.js';

const { defaultBudgetMs, longestBudgetS } = clientBounds;
/** The budget ends this many milliseconds before the agent stops waiting, so that the agent receives the answer. */
export const reserveMs = 2000;

/** The options of `relay run` that an entry in the settings of an agent may have. */
export interface EntryFlags extends Readonly<Partial<RelayPolicy>> {
  readonly budget?: string;
  /** What is left of the budget when the daemon receives the event. */
  readonly left?: string;
  readonly closed?: boolean;
  /** Whether the entry is in the settings of a project. */
  readonly project?: boolean;
}

/** Returns the budget of an event. Throws a UsageError for anything but a number of seconds. */
export function budgetOf(given: string | undefined, event: RelayedDialect['relay']['events'][string] | undefined): number {
  const { maxTimeoutMs = Number.POSITIVE_INFINITY } = event ?? {};
  if (given === undefined) return Math.min(defaultBudgetMs, maxTimeoutMs - reserveMs);
  const budget = Number(given);
  if (!(budget > 0 && budget <= longestBudgetS))
    throw new UsageError(`--budget must be a number of seconds from 1 to ${longestBudgetS}, and is ${JSON.stringify(given)}.`);
  return budget * 1000;
}

/** Returns the policy of the command line. The list of guards decides about what is missing. */
export function policyOfFlags(flags: EntryFlags): Readonly<Partial<RelayPolicy>> {
  return { ...policyIn(flags), ...(flags.closed === true ? { onFailure: 'closed' } : {}) };
}

/** The words with a number of seconds. */
const durations: Readonly<Record<string, 'budget' | 'left'>> = { '--budget': 'budget', '--left': 'left' };

/** The parts of a policy by the words of an entry. */
const policies = new Map(
  (Object.keys(relayPolicyWords) as (keyof RelayPolicy)[]).map((part) => [
    `--${part.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    part,
  ]),
);

/**
 * Reads the words after the event. Of several words for one part of the policy, the strictest counts. Returns undefined for words that only
 * the command line itself can read.
 */
export function readEntryWords(words: readonly string[]): EntryFlags | undefined {
  const flags: Record<string, unknown> = {};
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string;
    if (word === 'plain') continue;
    if (word === '--closed' || word === '--project') {
      flags[word.slice(2)] = true;
      continue;
    }
    at += 1;
    const value = words[at];
    const part = policies.get(word);
    const duration = Object.hasOwn(durations, word) ? durations[word] : undefined;
    if (value === undefined) return undefined;
    if (duration !== undefined) flags[duration] = value;
    else if (part === undefined || strictestWord(part, [value]) === undefined) return undefined;
    else flags[part] = strictestWord(part, [value, String(flags[part])]);
  }
  return flags as EntryFlags;
}
