import { join } from 'node:path';
import { canonicalJson } from '../../pin/canonical-json.js';
import type { Reach, ReachedFile } from '../reach.js';
import type { StartedCommand } from '../started-command.js';
import type { ReachProject } from './project.js';
import { readContent } from './read-content.js';
import { isExecutable } from './read-folder.js';
import { type Snapshot, writeSnapshot } from './snapshot.js';
import { isSameStamp, type Stamp, statsOf } from './stamp.js';
import { walk } from './walk.js';

/** The longest time, in nanoseconds, within which two changes can have the same time. Linux counts in steps of up to 10 ms. */
const coarsestTimeNs = 20_000_000n;

/** Files of more bytes are not returned by `contents`. */
const maxContent = 256 * 1024;

/**
 * Finds what a command reaches: the files that its words name and, from script to script, what these load. Load the commands of all hooks of a
 * project within one `project.pass`, so that nothing is examined twice. `cwd` replaces the working directory of the command.
 */
export function findReach(command: StartedCommand, project: ReachProject, cwd: string = command.cwd): FoundReach {
  return new FoundReach({ ...command, cwd }, project);
}

/** What a command reaches, and when it was read. */
export class FoundReach {
  readonly command: StartedCommand;
  readonly reach: Reach;
  readonly #project: ReachProject;
  /** Of everything whose change may change the reach. */
  #stamps: ReadonlyMap<string, Stamp>;

  constructor(command: StartedCommand, project: ReachProject) {
    const collector = project.pass(() => walk(command.command, command.cwd, command.variables, project));
    this.command = command;
    this.reach = collector.reach();
    this.#project = project;
    this.#stamps = collector.stamps;
  }

  /**
   * Compares what the command reaches now with `reach`. Without a changed stamp no file is read. Otherwise only the files that differ are
   * hashed, and if they have the same content, their new stamps are kept.
   */
  look(): 'same' | 'changed' {
    if (areSame(this.#stamps)) return 'same';
    const now = new FoundReach(this.command, this.#project);
    if (canonicalJson(now.reach) !== canonicalJson(this.reach)) return 'changed';
    this.#stamps = now.#stamps;
    return 'same';
  }

  /**
   * Returns a function that tests that nothing was touched since the last look, even if it has the same content again. It compares with the
   * stamps of this look, because a look for another run replaces them.
   *
   * Some systems set the time of a change with a precision of a few milliseconds. A file that changed right before the look may have changed
   * again with the same time. So the test fails if the last change is that recent.
   */
  mark(): () => boolean {
    const stamps = this.#stamps;
    const lookedAt = BigInt(Date.now()) * 1_000_000n;
    let newest = 0n;
    for (const stamp of stamps.values()) if (stamp !== undefined && stamp.ctimeNs > newest) newest = stamp.ctimeNs;
    return newest > lookedAt - coarsestTimeNs ? () => false : () => areSame(stamps);
  }

  /** Copies everything that the command reaches, and returns the command that runs the copy. See `writeSnapshot`. */
  snapshot(target: string): Snapshot {
    const stamps = this.#stamps;
    const made = writeSnapshot({ command: this.command, project: this.#project, stamps }, target);
    // A file that was replaced for a moment must not be the reason why the original runs.
    return made === 'impossible' && !areSame(stamps) ? 'changed' : made;
  }

  /** The reached regular files, those below reached folders included, in the order of their paths. */
  files(): readonly ReachedFile[] {
    const files: ReachedFile[] = [];
    for (const [path, stamp] of this.#stamps) {
      const relative = this.#project.relative(path);
      if (relative === undefined || stamp === undefined || !isRegular(stamp)) continue;
      const hashed = this.#project.hash(path, stamp);
      // A file that changed since has another content than the one that the pin is about.
      const content = typeof hashed === 'string' || !isSameStamp(hashed.stamp, stamp) ? {} : { sha256: hashed.sha256 };
      files.push({ path: relative, bytes: Number(stamp.size), ...isExecutable(stamp), ...content });
    }
    return files.sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  /**
   * The contents of the reached files of up to 256 KiB by their SHA-256, those below reached folders included, and of the folders the lists
   * of their entries. Reads the files anew.
   */
  contents(): ReadonlyMap<string, Uint8Array> {
    const contents = new Map<string, Uint8Array>();
    this.#project.pass(() => {
      for (const entry of this.reach.entries) {
        if (entry.kind !== 'folder') continue;
        const folder = this.#project.folder(join(this.#project.directory, entry.path));
        if (typeof folder !== 'string' && folder.sha256 === entry.sha256) contents.set(folder.sha256, Buffer.from(folder.listing));
      }
    });
    for (const [path, stamp] of this.#stamps) {
      if (stamp === undefined || !isRegular(stamp)) continue;
      const content = readContent(path, maxContent);
      // A file that changed has another hash. The pin that is stored does not name it.
      if (content !== undefined && isSameStamp(content.stamp, stamp)) contents.set(content.sha256, content.bytes);
    }
    return contents;
  }
}

function areSame(stamps: ReadonlyMap<string, Stamp>): boolean {
  for (const [path, stamp] of stamps) if (!isSameStamp(stamp, statsOf(path))) return false;
  return true;
}

function isRegular({ mode }: NonNullable<Stamp>): boolean {
  return (mode & 0o170000n) === 0o100000n;
}
