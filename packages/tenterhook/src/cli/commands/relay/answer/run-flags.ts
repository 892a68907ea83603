import type { RelayPolicy } from '@tenterhook/protocol';
import { clientBounds } from '@tenterhook/relay';
import { UsageError } from '../../../errors/exit-status.js';
import type { RelayedDialect } from '../relayed-agent.js';

const { defaultBudgetMs, longestBudgetS } = clientBounds;
/** The budget ends this many milliseconds before the agent stops waiting, so that the agent receives the answer. */
export const reserveMs = 2000;

/** The options of `relay run` that an entry in the settings of an agent may have. */
export interface EntryFlags {
  readonly budget?: string;
  /** What is left of the budget when the daemon receives the event. */
  readonly left?: string;
  readonly onFailure?: RelayPolicy['onFailure'];
  readonly closed?: boolean;
  /** Whether the entry is in the settings of a project. */
  readonly project?: boolean;
  readonly ask?: RelayPolicy['ask'];
  readonly onLoss?: RelayPolicy['onLoss'];
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
export function policyIn({ onFailure, closed, ask, onLoss }: EntryFlags): Readonly<Partial<RelayPolicy>> {
  return {
    ...(closed === true ? { onFailure: 'closed' } : onFailure === undefined ? {} : { onFailure }),
    ...(ask === undefined ? {} : { ask }),
    ...(onLoss === undefined ? {} : { onLoss }),
  };
}

/** The words with a number of seconds. */
const durations: Readonly<Record<string, 'budget' | 'left'>> = { '--budget': 'budget', '--left': 'left' };

const values: Readonly<Record<string, readonly [keyof EntryFlags, readonly string[]]>> = {
  '--on-failure': ['onFailure', ['open', 'closed']],
  '--ask': ['ask', ['deny', 'native']],
  '--on-loss': ['onLoss', ['deny', 'warn']],
};

/** Reads the words after the event. Returns undefined for words that only the command line itself can read. */
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
    const known = values[word];
    const duration = Object.hasOwn(durations, word) ? durations[word] : undefined;
    if (value === undefined || (duration === undefined && !known?.[1].includes(value))) return undefined;
    flags[duration ?? known?.[0] ?? ''] = value;
  }
  return flags as EntryFlags;
}
