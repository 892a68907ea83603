import type { HookDefinition, LoadSkip, PinnedParts } from '@tenterhook/protocol';
import type { HookCommand } from '../reach/command/read-command.js';
import type { Copied } from '../reach/files/private-copies.js';
import type { Reach, ReachedFile } from '../reach/reach.js';
import type { StartedCommand } from '../reach/started-command.js';
import type { TrustState, TrustSubject } from '../states/states.js';

/** What a hook reaches, and whether that is still the same. */
export interface WatchedReach extends Copied {
  readonly reach: Reach;
  /** Compares the files with the last look, and reads those that differ. */
  look(): 'same' | 'changed';
  /** Returns a function that tests that no file was touched since the last look. */
  mark(): () => boolean;
  /** The reached regular files, those below reached folders included. */
  files?(): readonly ReachedFile[];
  /** The contents of the reached files by their SHA-256, for the store. */
  contents?(): ReadonlyMap<string, Uint8Array>;
}

/** A hook as it was loaded. */
export interface LoadedHook {
  readonly hook: HookDefinition;
  readonly parts: PinnedParts;
  /** Absent for a hook that starts no command. */
  readonly command?: StartedCommand | undefined;
}

/** A hook about which something must be decided. */
export interface WatchedHook {
  readonly loaded: LoadedHook;
  subject: TrustSubject;
  /** Undefined for a hook that starts no command. */
  found: WatchedReach | undefined;
  state: TrustState;
}

/** Why a hook does not run, and what it means on an event to which it could have objected. */
export interface Distrust extends Pick<LoadSkip, 'objects' | 'onEveryEvent'> {
  readonly reason: string;
}

/** A run that may start. */
export interface TrustedRun {
  /** Whether no file that the hook reaches was touched since the look before the run. */
  isUntouched(): boolean;
}

/** A command as an engine starts it. */
export type { HookCommand };

const withoutFiles: TrustedRun = { isUntouched: () => true };

/** The run of a hook that is trusted. */
export function runOf(found: WatchedReach | undefined): TrustedRun {
  return found === undefined ? withoutFiles : { isUntouched: found.mark() };
}

export function distrustOf({ state: _, ...distrust }: TrustState): Distrust {
  return distrust;
}
