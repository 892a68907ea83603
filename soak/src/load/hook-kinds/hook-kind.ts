import type { HookOutcome } from 'tenterhook';

/**
 * A variable in the environment of a process that a hook leaves behind on purpose. It distinguishes that process from one that should have
 * been killed.
 */
export const daemonMark = 'SOAK_DAEMON=1';

/** The meaning of a hook's answer, if it can give one. */
export type Meaning = 'deny' | 'ask' | 'allow' | 'nothing';

/** One kind of hook: what it does, and how it may end. */
export interface HookKind {
  readonly name: string;
  readonly isHostile: boolean;
  /** The text of its script. */
  readonly script: string;
  /** The interpreter of the script. @default bash */
  readonly interpreter?: 'python3';
  /** A command that runs in place of the script. */
  readonly command?: string;
  /**
   * `ample`: so long that only a hook that hangs reaches it. `short`: some hundred milliseconds, which the hook exceeds on purpose. A
   * number: the milliseconds after which the hook ends, so that its end and its deadline nearly coincide.
   */
  readonly timeout: 'ample' | 'short' | number;
  /** The possible statuses of a hook that was not kept from running and was not ended early. */
  readonly ends: readonly HookOutcome['status'][];
  readonly exitCode?: number;
  readonly signal?: string;
  /** The decision in its answer, if it counts. */
  readonly says: Meaning;
  readonly stops?: true;
  /** True if its output looks like an answer and is invalid. With `onError: 'block'` this may count as a failure. */
  readonly isBroken?: true;
  /** How often it is chosen, relative to the others. @default 1 */
  readonly weight?: number;
}

type Details = Partial<Omit<HookKind, 'name' | 'script'>>;

/** Creates a kind of hook that ends by itself. */
export function wellBehaved(name: string, script: string, details: Details = {}): HookKind {
  const ends = details.says === 'deny' ? (['blocked'] as const) : (['succeeded'] as const);
  return { name, script, isHostile: false, timeout: 'ample', ends, says: 'nothing', ...details };
}

/** Creates a kind of hook that misbehaves, and ends by itself. */
export function hostile(name: string, script: string, details: Details = {}): HookKind {
  return wellBehaved(name, script, { isHostile: true, ...details });
}

/** Creates a kind of hook that never ends by itself. */
export function hanging(name: string, script: string, details: Details = {}): HookKind {
  return hostile(name, script, { timeout: 'short', ends: ['timed-out'], ...details });
}

/** Creates a kind of hook that ends without an answer. */
export function failing(name: string, script: string, details: Details = {}): HookKind {
  return hostile(name, script, { ends: ['failed'], ...details });
}
