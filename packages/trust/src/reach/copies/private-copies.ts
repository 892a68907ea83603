import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HookCommand } from '../command/read-command.js';
import type { Snapshot } from './snapshot.js';

/** A hook whose files can be copied. */
export interface Copied {
  /** See `FoundReach.snapshot`. */
  snapshot(target: string): Snapshot;
}

/**
 * Private copies of the files that hooks use, one for each pin, made when a hook first runs. They are in a temporary directory of this
 * process with the mode 0700. A permanent directory was rejected, because its copies would have to be compared with their pins before each
 * run.
 */
export class PrivateCopies {
  #directory: string | undefined;
  readonly #made = new Map<string, Exclude<Snapshot, 'changed'>>();

  /**
   * Returns the command that runs a copy of the hook with this pin. `changed`: its files changed while they were copied. `impossible`: this
   * kind of command cannot be copied. Throws the error of the file system if the copy cannot be written.
   */
  commandOf(pin: string, hook: Copied): HookCommand | 'impossible' | 'changed' {
    const known = this.#made.get(pin);
    if (known !== undefined) return known;
    // mkdtemp creates the directory with the mode 0700.
    this.#directory ??= mkdtempSync(join(tmpdir(), 'tenterhook-copies-'));
    const made = hook.snapshot(join(this.#directory, pin));
    if (made !== 'changed') this.#made.set(pin, made);
    return made;
  }

  /** Removes the copies. */
  dispose(): void {
    if (this.#directory !== undefined) rmSync(this.#directory, { recursive: true, force: true });
    this.#directory = undefined;
    this.#made.clear();
  }
}
