import { join } from 'node:path';
import { canonicalJson } from '../pin/canonical-json.js';
import { type Snapshot, writeSnapshot } from './copies/snapshot.js';
import type { Evidence } from './files/evidence.js';
import type { ReachProject } from './files/project.js';
import { readContent } from './files/read-content.js';
import { isExecutable } from './files/read-folder.js';
import { isSameStamp, isSettled, type Stamp, statsOf, timeSteps } from './files/stamp.js';
import type { Reach, ReachedFile } from './reach.js';
import type { StartedCommand } from './started-command.js';
import { walk } from './walk/walk.js';

/** `contents` does not return larger files (bytes). */
const maxContent = 256 * 1024;

/**
 * Finds the files that a command uses: those that its words name, and those that its scripts load. Load all hooks of a project within one
 * `project.pass`. Otherwise files are examined once for each hook. `cwd` replaces the working directory of the command.
 */
export function findReach(command: StartedCommand, project: ReachProject, cwd: string = command.cwd): FoundReach {
  return new FoundReach({ ...command, cwd }, project);
}

/** The files that a command uses, with their stamps. */
export class FoundReach {
  readonly command: StartedCommand;
  readonly reach: Reach;
  readonly #project: ReachProject;
  /** The stamps of all files and folders whose change may change `reach`. */
  #stamps: ReadonlyMap<string, Stamp>;
  /** Whether each later change will give a file another stamp. If false, the next `look()` reads the files again. */
  #areSettled: boolean;
  /** What was read. While the stamps are not settled, `look()` compares it with the files. */
  #evidence: Evidence;
  #latest: FoundReach = this;

  constructor(command: StartedCommand, project: ReachProject) {
    const readAt = Date.now();
    const collector = project.pass(() => walk(command, project));
    this.command = command;
    this.reach = collector.reach();
    this.#project = project;
    this.#stamps = collector.stamps;
    this.#evidence = collector.evidence;
    this.#areSettled = areSettled(collector.stamps, readAt, timeSteps.longest);
  }

  /**
   * Compares the files with those that were found. If no stamp has changed, reads only the files that changed seconds ago. Otherwise
   * searches the files again, and hashes those with a new stamp. If their content is the same, keeps the new stamps.
   */
  look(): 'same' | 'changed' {
    this.#latest = this;
    if (areSame(this.#stamps) && (this.#areSettled || this.#isReadAgain())) return 'same';
    const now = new FoundReach(this.command, this.#project);
    if (canonicalJson(now.reach) !== canonicalJson(this.reach)) {
      this.#latest = now;
      return 'changed';
    }
    this.#stamps = now.#stamps;
    this.#areSettled = now.#areSettled;
    this.#evidence = now.#evidence;
    return 'same';
  }

  /** Returns what the command used at the last `look()`. This is the same object unless the result was `changed`. */
  latest(): FoundReach {
    return this.#latest;
  }

  /** Reads the files again, and tests that their content has not changed. */
  #isReadAgain(): boolean {
    const readAt = Date.now();
    // A refusal may no longer apply, because the user may have allowed the owner.
    if (this.reach.refusals.length > 0 || !this.#project.pass(() => this.#evidence.isSame(this.#stamps, this.#project))) return false;
    this.#areSettled = areSettled(this.#stamps, readAt, timeSteps.longest);
    return true;
  }

  /**
   * Returns a function that tests whether no file was touched since the last `look()`. A file that was changed and changed back counts as
   * touched. The function compares with the stamps at the time of this call, because a `look()` for another run replaces the stamps.
   *
   * Some systems store file times with a precision of a few milliseconds. If a file changed right before the `look()`, a second change
   * after it may have the same time. So the test fails if the last change was that recent. FAT stores seconds. This precision is ignored,
   * because otherwise no hook could allow anything for seconds after each edit.
   */
  mark(): () => boolean {
    const stamps = this.#stamps;
    return areSettled(stamps, Date.now(), timeSteps.usual) ? () => areSame(stamps) : () => false;
  }

  /** Copies the files that the command uses, and returns the command that runs the copy. See `writeSnapshot`. */
  snapshot(target: string): Snapshot {
    const stamps = this.#stamps;
    const made = writeSnapshot({ command: this.command, project: this.#project, stamps }, target);
    // With the result `impossible`, the original command runs. An attacker must not cause this result by replacing a file for a moment.
    return made === 'impossible' && !areSame(stamps) ? 'changed' : made;
  }

  /** Returns the regular files that the command uses, including those in folders, sorted by path. */
  files(): readonly ReachedFile[] {
    const files: ReachedFile[] = [];
    for (const [path, stamp] of this.#stamps) {
      const relative = this.#project.relative(path);
      if (relative === undefined || stamp === undefined || !isRegular(stamp)) continue;
      const hashed = this.#project.hash(path, stamp);
      // If the file has changed since the pin was computed, its content is not the one in the pin.
      const content = typeof hashed === 'string' || !isSameStamp(hashed.stamp, stamp) ? {} : { sha256: hashed.sha256 };
      files.push({ path: relative, bytes: Number(stamp.size), ...isExecutable(stamp), ...content });
    }
    return files.sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  /**
   * Returns the contents of the files of up to 256 KiB by their SHA-256, including files in folders. The content of a folder is the list of
   * its entries. Reads the files again.
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
      // A script outside of the project is checked for changes, but is not part of what the user accepts.
      if (stamp === undefined || !isRegular(stamp) || this.#project.relative(path) === undefined) continue;
      const content = readContent(path, maxContent);
      // Only the content that was hashed is returned. A file that has changed since has another hash, which the pin does not contain.
      if (content !== undefined && isSameStamp(content.stamp, stamp)) contents.set(content.sha256, content.bytes);
    }
    return contents;
  }
}

function areSame(stamps: ReadonlyMap<string, Stamp>): boolean {
  for (const [path, stamp] of stamps) if (!isSameStamp(stamp, statsOf(path))) return false;
  return true;
}

function areSettled(stamps: ReadonlyMap<string, Stamp>, at: number, step: number): boolean {
  for (const stamp of stamps.values()) if (!isSettled(stamp, at, step)) return false;
  return true;
}

function isRegular({ mode }: NonNullable<Stamp>): boolean {
  return (mode & 0o170000n) === 0o100000n;
}
