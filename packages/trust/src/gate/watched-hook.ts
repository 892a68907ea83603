import type { HookDefinition, LoadSkip, PinnedParts } from '@tenterhook/protocol';
import type { HookCommand } from '../reach/command/read-command.js';
import type { Copied } from '../reach/copies/private-copies.js';
import type { Reach, ReachedFile } from '../reach/reach.js';
import type { StartedCommand } from '../reach/started-command.js';
import type { TrustState, TrustSubject } from '../states/states.js';

/** The files that a hook uses. They can be compared with their state at the last check. */
export interface WatchedReach extends Copied {
  readonly reach: Reach;
  /** Compares the files with their state at the last call, and reads those that may differ. */
  look(): 'same' | 'changed';
  /** Returns what the command used at the last `look()`. */
  latest(): WatchedReach;
  /** Returns a function that tests that no file was touched since the last `look()`. */
  mark(): () => boolean;
  /** The regular files that the hook uses, including those in folders. */
  files?(): readonly ReachedFile[];
  /** The contents of these files by their SHA-256, for the store. */
  contents?(): ReadonlyMap<string, Uint8Array>;
}

/** A hook as it was loaded. */
export interface LoadedHook {
  readonly hook: HookDefinition;
  readonly parts: PinnedParts;
  /** Absent for a hook that starts no command. */
  readonly command?: StartedCommand | undefined;
}

/** A hook that needs a decision. */
export interface WatchedHook {
  readonly loaded: LoadedHook;
  subject: TrustSubject;
  /** Undefined for a hook that starts no command. */
  found: WatchedReach | undefined;
  state: TrustState;
}

/** Why a hook does not run, and whether its event is then denied or asked about (`objects`). */
export interface Distrust extends Pick<LoadSkip, 'objects' | 'onEveryEvent'> {
  readonly reason: string;
}

/** A run that may start. */
export interface TrustedRun {
  /** Tests that no file of the hook was touched since `beforeRun` checked the files. */
  isUntouched(): boolean;
}

/** A command as an engine starts it. */
export type { HookCommand };

const withoutFiles: TrustedRun = { isUntouched: () => true };

/** Returns the run of a trusted hook. */
export function runOf(found: WatchedReach | undefined): TrustedRun {
  return found === undefined ? withoutFiles : { isUntouched: found.mark() };
}

export function distrustOf({ state: _, ...distrust }: TrustState): Distrust {
  return distrust;
}
