import type { HookOutcome } from 'tenterhook';

/** In the environment of a process that a hook leaves behind on purpose, to distinguish it from one that should have been killed. */
export const daemonMark = 'SOAK_DAEMON=1';

/** The meaning of a hook's answer, if it can give one. */
export type Meaning = 'deny' | 'ask' | 'allow' | 'nothing';

/** One kind of hook: what it does, and how it may end. */
export interface HookKind {
  readonly name: string;
  readonly isHostile: boolean;
  /** Text of its script. */
  readonly script: string;
  /** @default bash */
  readonly interpreter?: 'python3';
  /** Run in place of the script. */
  readonly command?: string;
  /**
   * `ample`: so long that only a hang reaches it. `short`: some hundred milliseconds, which the hook exceeds on purpose. A number: milliseconds
   * at which the hook ends about as its deadline does.
   */
  readonly timeout: 'ample' | 'short' | number;
  /** Legal statuses of a hook that had its turn and was not cut short. */
  readonly ends: readonly HookOutcome['status'][];
  readonly exitCode?: number;
  readonly signal?: string;
  /** Its decision, if it counts. */
  readonly says: Meaning;
  readonly stops?: true;
  /** Its output looks like an answer and is invalid: `onError: 'block'` may take it for a failure. */
  readonly isBroken?: true;
  /** How often it is chosen, relative to the others. @default 1 */
  readonly weight?: number;
}

type Details = Partial<Omit<HookKind, 'name' | 'script'>>;

/** Ends by itself. */
export function wellBehaved(name: string, script: string, details: Details = {}): HookKind {
  const ends = details.says === 'deny' ? (['blocked'] as const) : (['succeeded'] as const);
  return { name, script, isHostile: false, timeout: 'ample', ends, says: 'nothing', ...details };
}

/** Misbehaves, and ends by itself. */
export function hostile(name: string, script: string, details: Details = {}): HookKind {
  return wellBehaved(name, script, { isHostile: true, ...details });
}

/** Never ends by itself. */
export function hanging(name: string, script: string, details: Details = {}): HookKind {
  return hostile(name, script, { timeout: 'short', ends: ['timed-out'], ...details });
}

/** Ends without an answer. */
export function failing(name: string, script: string, details: Details = {}): HookKind {
  return hostile(name, script, { ends: ['failed'], ...details });
}
