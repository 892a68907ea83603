import type { Socket } from 'node:net';
import { createLog } from '@tenterhook/runtime/log';
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

/** Frames up to this size in bytes are joined before they are written, because a write takes longer than copying them. */
const mostJoinedBytes = 8 * 1024;

export interface FrameSocketOptions {
  readonly maxFrameBytes: number;
  readonly maxWaitingBytes: number;
  /** The name of the connection in the log. */
  readonly name: string;
  /** Called for each frame. Returns false if the frame is invalid. Not called after the socket has ended. */
  readonly onFrame: (value: unknown) => boolean;
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
  #turn: Buffer[] = [];
  #turnBytes = 0;
  /** Whether the frames of this turn will be written: before the next event of the loop, or after all events that have already arrived. */
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

  send(frame: object): void {
    this.sendBytes(encodeFrame(JSON.stringify(frame)));
  }

  /**
   * Sends a frame for which nobody on the other side waits. It is written with the next frame, at the latest at the end of this turn of the
   * event loop. A write takes longer than everything else that is done for a message, and so does waking up the other side.
   */
  sendLater(frame: object): void {
    this.#write(encodeFrame(JSON.stringify(frame)), 'later');
  }

  /** Sends a frame, and writes it at once with all frames before it. Call this method if the next step may end this process. */
  sendNow(frame: object): void {
    this.#write(encodeFrame(JSON.stringify(frame)), 'now');
  }

  /** Sends a frame. On a closed connection nothing happens, because `onEnd` has reported the end. */
  sendBytes(frame: Buffer): void {
    this.#write(frame, 'soon');
  }

  #write(frame: Buffer, when: 'now' | 'soon' | 'later'): void {
    if (!this.#isOpen) return;
    const waiting = this.#socket.writableLength + this.#turnBytes;
    if (waiting > 0 && waiting + frame.length > this.#options.maxWaitingBytes) {
      if (this.#isStuck(waiting + frame.length)) {
        this.cut(`the other side does not read: ${waiting} bytes are waiting, and ${frame.length} more would be too many`);
        return;
      }
    } else this.#fullSince = undefined;
    this.#turn.push(frame);
    this.#turnBytes += frame.length;
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
    const frames = this.#turn;
    const [first] = frames;
    this.#turn = [];
    this.#turnBytes = 0;
    this.#isDue = false;
    if (first === undefined || this.#socket.destroyed) return;
    const isSmall = frames.every(({ length }) => length <= mostJoinedBytes);
    if (frames.length === 1) this.#socket.write(first);
    // The frames of a message are shared by all connections. If the other side reads slowly, copies would fill the memory.
    else if (isSmall && this.#socket.writableLength === 0) this.#socket.write(Buffer.concat(frames));
    else {
      this.#socket.cork();
      for (const frame of frames) this.#socket.write(frame);
      this.#socket.uncork();
    }
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
    this.#turn = [];
    this.#turnBytes = 0;
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
      else if (!this.#options.onFrame(frame.value)) this.cut('it sent an invalid frame');
    }
  }
}
