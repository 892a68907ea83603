import type { Socket } from 'node:net';
import { createLog } from '@tenterhook/runtime/log';
import type { CompactFrame } from './compact-frames.js';
import { FramePage } from './frame-page.js';
import { encodeFrame, FrameDecoder } from './frames.js';

export const log = createLog('socket');

/**
 * Milliseconds that the other side has to read the last frames when the socket is closed. A paused process (SIGSTOP) never reads
 * them, and must not keep this side from closing.
 */
const farewellMs = 200;

/**
 * More than `maxWaitingBytes` may wait for a while: at most `burstFactor` times as many, and at most `stuckMs` milliseconds without
 * progress.
 */
const burstFactor = 4;
const stuckMs = 1000;

/**
 * When a frame is written, with all frames before it:
 * - `now`: before the method returns. For a frame that must not be lost if the next step ends this process.
 * - `soon`: before the next event of the event loop.
 * - `later`: with the next frame, at the latest when all events that have already arrived are handled. For a frame for which the other side
 *   does not wait. A write wakes up the other side, which takes longer than the rest of the work for a frame.
 */
export type When = 'now' | 'soon' | 'later';

export interface FrameSocketOptions {
  readonly maxFrameBytes: number;
  readonly maxWaitingBytes: number;
  /** The name of the connection in the log. */
  readonly name: string;
  /**
   * Called for each frame. `isChecked`: the value is a frame, but perhaps not one of the other side. Returns false if the frame is invalid.
   * Not called after the socket has ended.
   */
  readonly onFrame: (value: unknown, isChecked: boolean) => boolean;
  /** Called once when the connection has ended, for any reason. Never called while a method of this class runs. */
  readonly onEnd: () => void;
}

/** Sends and receives frames on one socket, with a limit on the bytes that wait to be written. A failure ends only this connection. */
export class FrameSocket {
  readonly ended: Promise<void>;
  readonly #socket: Socket;
  readonly #options: FrameSocketOptions;
  readonly #decoder: FrameDecoder;
  #isOpen = true;
  /** The frames of this turn of the event loop, which are written together. Otherwise each small frame would take a system call. */
  readonly #turn = new FramePage();
  /** Whether the frames of this turn will be written soon, and later. */
  #isDue = false;
  #isDueLater = false;
  /** Set while too many bytes wait. `at` is the time at which this began, and `gone` is the number of bytes that were sent before. */
  #fullSince: { readonly at: number; readonly gone: number } | undefined;

  constructor(socket: Socket, options: FrameSocketOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#decoder = new FrameDecoder(options.maxFrameBytes);
    this.ended = new Promise((resolve) => {
      socket.once('close', () => {
        this.#isOpen = false;
        resolve();
        options.onEnd();
      });
    });
    socket.on('data', (piece: Buffer) => this.#read(piece));
    // The other side has ended its half of the connection, so it does not read further frames.
    socket.once('end', () => socket.destroy());
    // After an error the event 'close' follows, and its listener does the rest.
    socket.on('error', (error) => log('%s: %O', options.name, error));
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  setMaxFrameBytes(maxFrameBytes: number): void {
    this.#decoder.maxFrameBytes = maxFrameBytes;
  }

  /** Sends a frame as JSON. On a closed connection nothing happens, because `onEnd` has reported the end. */
  send(frame: object, when: When = 'soon'): void {
    const waiting = this.#waitingBytes;
    if (this.#isOpen) this.#added(waiting, this.#turn.addBytes(encodeFrame(JSON.stringify(frame)), false), when);
  }

  /** Sends a frame with a message, which is JSON. It is empty for frames without one. */
  sendCompact(frame: CompactFrame, message: string, when: When = 'soon'): void {
    const waiting = this.#waitingBytes;
    if (this.#isOpen) this.#added(waiting, this.#turn.addCompact(frame, message), when);
  }

  /** Sends an encoded frame, which other connections may send too. */
  sendBytes(frame: Buffer): void {
    const waiting = this.#waitingBytes;
    // If the other side reads slowly, copies for many connections would fill the memory.
    if (this.#isOpen) this.#added(waiting, this.#turn.addBytes(frame, this.#socket.writableLength > 0), 'soon');
  }

  get #waitingBytes(): number {
    return this.#socket.writableLength + this.#turn.length;
  }

  /** A frame was added to the turn. `waiting`: the bytes that were waiting before. */
  #added(waiting: number, bytes: number, when: When): void {
    if (waiting > 0 && waiting + bytes > this.#options.maxWaitingBytes) {
      if (this.#isStuck(waiting + bytes)) {
        this.cut(`the other side does not read: ${waiting} bytes are waiting, and ${bytes} more would be too many`);
        return;
      }
    } else this.#fullSince = undefined;
    if (when === 'now') this.#writeTurn();
    else if (when === 'soon' && !this.#isDue) {
      this.#isDue = true;
      process.nextTick(this.#writeTurn);
    } else if (when === 'later' && !this.#isDue && !this.#isDueLater) {
      this.#isDueLater = true;
      setImmediate(this.#writeLater);
    }
  }

  readonly #writeLater = (): void => {
    this.#isDueLater = false;
    this.#writeTurn();
  };

  readonly #writeTurn = (): void => {
    this.#isDue = false;
    if (this.#socket.destroyed) this.#turn.clear();
    else this.#turn.take(this.#writePieces);
  };

  readonly #writePieces = (pieces: readonly Buffer[]): boolean => {
    const isSeveral = pieces.length > 1;
    if (isSeveral) this.#socket.cork();
    for (const piece of pieces) this.#socket.write(piece);
    if (isSeveral) this.#socket.uncork();
    return this.#socket.writableLength === 0;
  };

  /** Ends the connection when the sent frames are written. If the other side does not read them, it ends after `farewellMs`. */
  end(): void {
    if (!this.#isOpen) return;
    this.#writeTurn();
    this.#isOpen = false;
    const timer = setTimeout(() => this.#socket.destroy(), farewellMs);
    this.#socket.once('close', () => clearTimeout(timer));
    this.#socket.end(() => this.#socket.destroy());
  }

  cut(why: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#turn.clear();
    log('%s is ended: %s', this.#options.name, why);
    // Without this error, Node would create an error with a stack for each waiting write. For a million writes this takes seconds.
    this.#socket.destroy(new Error(why));
  }

  /**
   * Tests whether the other side has stopped reading. The limit alone is not a sign: frames of the current turn of the event loop
   * cannot have been read yet, and ending the connection after such a burst would lose all answers on the way. The other side
   * counts as stuck if nothing was sent for a while, or if a multiple of the limit waits.
   */
  #isStuck(bytes: number): boolean {
    if (bytes > burstFactor * this.#options.maxWaitingBytes) return true;
    const gone = this.#socket.bytesWritten - this.#socket.writableLength;
    const now = performance.now();
    if (this.#fullSince === undefined || this.#fullSince.gone !== gone) this.#fullSince = { at: now, gone };
    return now - this.#fullSince.at > stuckMs;
  }

  #read(piece: Buffer): void {
    if (!this.#isOpen) return;
    this.#decoder.push(piece);
    while (this.#isOpen) {
      const frame = this.#decoder.next();
      if (frame === undefined) return;
      if ('problem' in frame) this.cut(`it sent ${frame.problem}`);
      else if (!this.#options.onFrame(frame.value, frame.isChecked === true)) this.cut('it sent an invalid frame');
    }
  }
}
