import type { CompactFrame } from './compact-frames.js';
import { encodeCompactFrame, mostCompactBytes, writeCompactFrame } from './frames.js';

/** In bytes. Up to this size, copying a frame takes less time than a further piece. */
const mostCopiedBytes = 8 * 1024;
const pageBytes = 64 * 1024;

/** Pages that are not in use. The sockets of a thread share them, so that a connection without traffic has none. */
const free: Buffer[] = [];
const mostFree = 8;

/**
 * The frames of one turn of the event loop, in as few pieces as possible. Small frames are written into a page, which is used again when
 * the system has its bytes. A buffer for each frame was rejected, because each is garbage, and small ones must be joined before they are written.
 */
export class FramePage {
  /** The frames that were added since the last `take()`, in bytes. */
  length = 0;
  #pieces: Buffer[] = [];
  #page: Buffer | undefined;
  /** The part of the page that is not in a piece yet. */
  #start = 0;
  #end = 0;

  /** Adds a frame. Returns its bytes, as do the other methods that add one. */
  addCompact(frame: CompactFrame, message: string): number {
    const most = mostCompactBytes(message);
    if (most > pageBytes) return this.#addPiece(encodeCompactFrame(frame, message));
    return this.#grow(writeCompactFrame(this.#pageWith(most), this.#end, frame, message));
  }

  /** With `isShared`, other connections send the same buffer, and it is not copied. */
  addBytes(frame: Buffer, isShared: boolean): number {
    if (isShared || frame.length > mostCopiedBytes) return this.#addPiece(frame);
    return this.#grow(frame.copy(this.#pageWith(frame.length), this.#end));
  }

  /** Passes the pieces to `write`, unless there are none. It returns whether the system has everything that was ever written. */
  take(write: (pieces: readonly Buffer[]) => boolean): void {
    this.#endPiece();
    const pieces = this.#pieces;
    if (pieces.length === 0) return;
    this.#pieces = [];
    this.length = 0;
    // Otherwise the rest of the page is used by the next turn. With a page for each turn, a few frames could hold much memory.
    if (write(pieces)) this.#release();
  }

  clear(): void {
    this.#pieces = [];
    this.#page = undefined;
    this.length = 0;
  }

  #grow(bytes: number): number {
    this.#end += bytes;
    this.length += bytes;
    return bytes;
  }

  #addPiece(piece: Buffer): number {
    this.#endPiece();
    this.#pieces.push(piece);
    this.length += piece.length;
    return piece.length;
  }

  #pageWith(room: number): Buffer {
    if (this.#page !== undefined && this.#end + room <= pageBytes) return this.#page;
    this.#endPiece();
    this.#page = free.pop() ?? Buffer.allocUnsafeSlow(pageBytes);
    this.#start = 0;
    this.#end = 0;
    return this.#page;
  }

  #endPiece(): void {
    if (this.#page === undefined || this.#end === this.#start) return;
    this.#pieces.push(this.#page.subarray(this.#start, this.#end));
    this.#start = this.#end;
  }

  #release(): void {
    if (this.#page !== undefined && free.length < mostFree) free.push(this.#page);
    this.#page = undefined;
  }
}
