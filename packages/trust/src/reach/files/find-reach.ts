import { canonicalJson } from '../../pin/canonical-json.js';
import type { HookCommand } from '../command/read-command.js';
import type { Reach } from '../reach.js';
import type { ReachProject } from './project.js';
import { isSameStamp, type Stamp, statsOf } from './stamp.js';
import { type HookPlace, walk } from './walk.js';

/** What a hook reaches, and when it was read. */
export interface FoundReach {
  readonly command: HookCommand;
  readonly place: HookPlace;
  readonly project: ReachProject;
  readonly reach: Reach;
  /** The stamps of everything whose change may change the reach. `look` renews them. */
  readonly stamps: Map<string, Stamp>;
}

/** Finds what one command reaches. */
export function findReach(command: HookCommand, place: HookPlace, project: ReachProject): FoundReach {
  return project.pass(() => find(command, place, project));
}

/** Finds what the commands of all hooks of a project reach. What several hooks reach is examined once. */
export function findReaches(hooks: readonly (HookPlace & { readonly command: HookCommand })[], project: ReachProject): FoundReach[] {
  return project.pass(() => hooks.map(({ command, ...place }) => find(command, place, project)));
}

function find(command: HookCommand, place: HookPlace, project: ReachProject): FoundReach {
  const collector = walk(command, place, project);
  return { command, place, project, reach: collector.reach(), stamps: collector.stamps };
}

/**
 * Compares what a hook reaches now with what was found. Without a changed stamp no file is read. Otherwise only the files that differ are
 * hashed, and if they have the same content, their new stamps are kept.
 */
export function look(found: FoundReach): 'same' | 'changed' {
  if (isUntouched(found)) return 'same';
  const now = findReach(found.command, found.place, found.project);
  if (canonicalJson(now.reach) !== canonicalJson(found.reach)) return 'changed';
  found.stamps.clear();
  for (const [path, stamp] of now.stamps) found.stamps.set(path, stamp);
  return 'same';
}

/** Tests that nothing which a hook reaches was touched since it was found or looked at, even if it has the same content again. */
export function isUntouched({ stamps }: FoundReach): boolean {
  for (const [path, stamp] of stamps) if (!isSameStamp(stamp, statsOf(path))) return false;
  return true;
}
