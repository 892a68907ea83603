import { randomUUID } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isOwn } from '../socket-place.js';

const namePattern = /^\.turn-[0-9a-f-]{36}$/;

/**
 * A file of eight bytes in which a client records the last turn that it has begun. The hub reads it when the connection has ended, so it
 * knows which turns the client has not begun, even if the client was killed. The file has no name as soon as the hub has opened it.
 *
 * A frame to the hub before each turn was rejected, because it is one more write for each request, and wakes up the hub once more. Besides, it
 * waits in this process if the socket is full. The frame is still sent, but with the next one.
 */
export class TurnMark {
  readonly name: string;
  readonly #path: string;
  readonly #file: number;
  readonly #turn = new Float64Array(1);

  private constructor(folder: string) {
    this.name = `.turn-${randomUUID()}`;
    this.#path = join(folder, this.name);
    this.#file = openSync(this.#path, 'wx', 0o600);
  }

  /** Creates a mark in the folder of the socket. Returns undefined if no file can be created there. */
  static create(folder: string | undefined): TurnMark | undefined {
    if (folder === undefined) return undefined;
    let mark: TurnMark | undefined;
    try {
      mark = new TurnMark(folder);
      // Takes up the space, so that a full disk is noticed now.
      if (mark.write(0)) return mark;
    } catch {
      // For example a folder on which this process may not write.
    }
    mark?.close();
    return undefined;
  }

  /** Records that the turn begins. When this returns true, the system has the record, and the hub can read it after this process. */
  write(turn: number): boolean {
    this.#turn[0] = turn;
    try {
      return writeSync(this.#file, this.#turn, 0, this.#turn.byteLength, 0) === this.#turn.byteLength;
    } catch {
      return false;
    }
  }

  /** Closes the file, and removes it if the hub has not. Called once. */
  close(): void {
    closeSync(this.#file);
    try {
      rmSync(this.#path, { force: true });
    } catch {
      // For example a folder that was replaced, or that this process may not read any more. Eight bytes stay there.
    }
  }
}

/** The hub's side of the mark of a client. */
export class TurnMarkReader {
  readonly #file: number;

  private constructor(file: number) {
    this.#file = file;
  }

  /**
   * Opens a mark and removes its name. `name` comes from a client. Returns undefined if there is no such file, for example because the
   * client sees another folder under the same path.
   */
  static open(folder: string | undefined, name: string | undefined): TurnMarkReader | undefined {
    if (folder === undefined || name === undefined || !namePattern.test(name)) return undefined;
    const path = join(folder, name);
    let file: number | undefined;
    try {
      // A link is refused, and so is a pipe, which would block.
      file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      const stats = fstatSync(file);
      if (stats.isFile() && isOwn(stats)) {
        rmSync(path, { force: true });
        return new TurnMarkReader(file);
      }
    } catch {
      // The client then sends a frame before each turn.
    }
    if (file !== undefined) closeSync(file);
    return undefined;
  }

  /** Returns the number of the last turn that the client has begun, or 0 if the file has no number of a turn. Closes the file. */
  close(): number {
    const turn = new Float64Array(1);
    try {
      readSync(this.#file, turn, 0, turn.byteLength, 0);
    } catch {
      // What was read so far is 0: no turn.
    }
    closeSync(this.#file);
    const begun = turn[0] as number;
    return Number.isSafeInteger(begun) && begun > 0 ? begun : 0;
  }
}
