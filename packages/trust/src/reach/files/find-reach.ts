import { join } from 'node:path';
import { canonicalJson } from '../../pin/canonical-json.js';
import type { Reach, ReachedFile } from '../reach.js';
import type { StartedCommand } from '../started-command.js';
import type { ReachProject } from './project.js';
import { readContent } from './read-content.js';
import { isExecutable } from './read-folder.js';
import { type SnapshotCommand, writeSnapshot } from './snapshot.js';
import { isSameStamp, type Stamp, statsOf } from './stamp.js';
import { walk } from './walk.js';

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
    if (this.isUntouched()) return 'same';
    const now = new FoundReach(this.command, this.#project);
    if (canonicalJson(now.reach) !== canonicalJson(this.reach)) return 'changed';
    this.#stamps = now.#stamps;
    return 'same';
  }

  /** Tests that nothing was touched since the reach was found or looked at, even if it has the same content again. */
  isUntouched(): boolean {
    for (const [path, stamp] of this.#stamps) if (!isSameStamp(stamp, statsOf(path))) return false;
    return true;
  }

  /**
   * Copies everything that the command reaches to a new directory, and returns the command that runs the copy. Returns undefined if the command
   * is not one program with a script of the project and known words, if a link leads to a file, or if a file has changed since the reach was
   * found. `target` is the absolute path of the copy, whose parent must belong to this process alone. A copy that is there is replaced.
   */
  snapshot(target: string): SnapshotCommand | undefined {
    return writeSnapshot({ command: this.command, project: this.#project, stamps: this.#stamps }, target);
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

function isRegular({ mode }: NonNullable<Stamp>): boolean {
  return (mode & 0o170000n) === 0o100000n;
}
