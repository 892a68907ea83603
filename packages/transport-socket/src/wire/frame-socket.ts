import type { Socket } from 'node:net';
import { createLog } from '@tenterhook/runtime/log';
import { encodeFrame, FrameDecoder } from './frames.js';

export const log = createLog('socket');

/**
 * Milliseconds for the other side to read the last frames when the socket is closed. A paused process (SIGSTOP) never reads them, and must
 * not keep this side from closing.
 */
const farewellMs = 200;

/**
 * More than `maxWaitingBytes` may wait for a while: at most `burstFactor` times as many, and at most `stuckMs` milliseconds without
 * progress.
 */
const burstFactor = 4;
const stuckMs = 1000;

export interface FrameSocketOptions {
  readonly maxFrameBytes: number;
  readonly maxWaitingBytes: number;
  /** The name of the connection, for the log. */
  readonly name: string;
  /** Called for each frame. Returns false if the frame is invalid. Not called after the socket has ended. */
  readonly onFrame: (value: unknown) => boolean;
  /** Called once when the connection has ended, for any reason. Never called from within a method of this class. */
  readonly onEnd: () => void;
}

/** Sends and receives frames on one socket, with a limit on the bytes that wait to be written. A failure ends only this connection. */
export class FrameSocket {
  readonly ended: Promise<void>;
  readonly #socket: Socket;
  readonly #options: FrameSocketOptions;
  readonly #decoder: FrameDecoder;
  #isOpen = true;
  /** When too many bytes began to wait without progress, and how many had been sent by then. */
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
    // If the other side has ended its half of the connection, it does not read further frames.
    socket.once('end', () => socket.destroy());
    // The event 'close' follows and does all the work.
    socket.on('error', (error) => log('%s: %O', options.name, error));
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  setMaxFrameBytes(maxFrameBytes: number): void {
    this.#decoder.maxFrameBytes = maxFrameBytes;
  }

  send(frame: object): void {
    this.sendBytes(encodeFrame(JSON.stringify(frame)));
  }

  /** Sends a frame. No effect if the connection is closed, which `onEnd` reports. */
  sendBytes(frame: Buffer): void {
    if (!this.#isOpen) return;
    const waiting = this.#socket.writableLength;
    if (waiting > 0 && waiting + frame.length > this.#options.maxWaitingBytes) {
      if (this.#isStuck(waiting + frame.length)) {
        this.cut(`it does not read: ${waiting} bytes are waiting, and ${frame.length} more would be too many`);
        return;
      }
    } else this.#fullSince = undefined;
    // The frames of one turn of the event loop are written together. Otherwise each small frame would take a system call.
    if (this.#socket.writableCorked === 0) {
      this.#socket.cork();
      process.nextTick(() => this.#socket.uncork());
    }
    this.#socket.write(frame);
  }

  /** Writes the sent frames at once. Call it if the next step may end this process. */
  flush(): void {
    this.#socket.uncork();
  }

  /** Ends the connection when the sent frames are written, or after a moment. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const timer = setTimeout(() => this.#socket.destroy(), farewellMs);
    this.#socket.once('close', () => clearTimeout(timer));
    this.#socket.end(() => this.#socket.destroy());
  }

  /** Ends the connection at once. */
  cut(why: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    log('%s is ended: %s', this.#options.name, why);
    // Without this error, Node would create one with a stack for each waiting write. For a million of them this takes seconds.
    this.#socket.destroy(new Error(why));
  }

  /**
   * Tests whether the other side has stopped reading. It cannot have read the frames of the current turn of the event loop yet. If a burst
   * of frames ended the connection, all answers on the way would be lost. So the limit alone does not end the connection. It ends if
   * nothing was sent for a while, or if a multiple of the limit waits.
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
      else if (!this.#options.onFrame(frame.value)) this.cut('it sent an invalid frame');
    }
  }
}
