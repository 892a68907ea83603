import type { Socket } from 'node:net';
import { constants } from 'node:os';
import type { ProcessEnd } from '../run/spawn-process.js';

/** What a lane reports about a job. */
export type LaneReport =
  | { readonly kind: 'ended'; readonly pid: number; readonly end: ProcessEnd }
  /** The lane has read the job, and ended before its end. */
  | { readonly kind: 'lost' }
  /** The job was certainly not started. */
  | { readonly kind: 'not-started'; readonly error: NodeJS.ErrnoException };

/**
 * The system reports one of these if a process has ended without reading everything that we wrote. A job whose line was not read has not
 * started, and may be started again.
 */
const unreadCodes = new Set(['ECONNRESET', 'EPIPE']);

/** Reads what a lane prints. */
export class LaneReports {
  /** Resolves to whether the lane is ready. */
  readonly ready: Promise<boolean>;
  /** Resolves when nothing more can be read. */
  readonly closed: Promise<void>;
  #onReady = (_: boolean): void => {};
  #onReport: ((report: LaneReport) => void) | undefined;
  #rest = '';
  /** The number that bash printed in its message about an exit. A message about a signal has none. */
  #exitStatus: number | undefined;
  /** Whether the system reported that the group of the job has no process. */
  #isGroupEmpty = false;
  #isUnread = false;
  #isClosed = false;

  constructor(socket: Socket) {
    this.ready = new Promise((resolve) => {
      this.#onReady = resolve;
    });
    socket.on('data', (chunk: Buffer) => this.#take(chunk.toString('latin1')));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#isUnread ||= unreadCodes.has(error.code ?? '');
    });
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#close();
        resolve();
      });
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Resolves to the report about the next job. Call it before the job is written. */
  next(): Promise<LaneReport> {
    return new Promise((resolve) => {
      this.#exitStatus = undefined;
      this.#isGroupEmpty = false;
      this.#onReport = resolve;
      // The lane ended while it was idle.
      if (this.#isClosed) this.#report({ kind: 'not-started', error: tryAgain(lostText) });
    });
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#takeLine(line);
  }

  #takeLine(line: string): void {
    if (line.startsWith('ended ')) {
      const [, pid = 0, status = 0, isEmpty = 0] = line.split(' ').map(Number);
      this.#report({ kind: 'ended', pid, end: endOf(status, this.#exitStatus === status, isEmpty !== 0 && this.#isGroupEmpty) });
    } else if (line.startsWith('[')) {
      // The word before the number depends on the locale.
      this.#exitStatus = Number(/^\[\d+\]\S*\s+[^\d(]*(\d+)\s+\(/.exec(line)?.[1] ?? Number.NaN);
    } else if (line.endsWith('No such process')) {
      // In another locale, our process asks the system itself. The message may also be that the process belongs to another user.
      this.#isGroupEmpty = true;
    } else if (line === 'ready') {
      this.#onReady(true);
    } else if (line === 'unopened') {
      this.#report({ kind: 'not-started', error: tryAgain('the streams of the job could not be opened') });
    }
  }

  #close(): void {
    this.#isClosed = true;
    this.#onReady(false);
    this.#report(this.#isUnread ? { kind: 'not-started', error: tryAgain(lostText) } : { kind: 'lost' });
  }

  #report(report: LaneReport): void {
    const onReport = this.#onReport;
    this.#onReport = undefined;
    onReport?.(report);
  }
}

const lostText = 'the shell that starts the commands of hooks ended or did not answer';

/** The code is that of a short lack of resources, after which a start is tried again. */
export function tryAgain(message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code: 'EAGAIN' });
}

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name as NodeJS.Signals]));

/** Converts the status of `wait`, which is 128 and more for a process that was ended by a signal. */
function endOf(status: number, hasExited: boolean, isGroupEmpty: boolean): ProcessEnd {
  const signal = status > 128 && !hasExited ? signalNames.get(status - 128) : undefined;
  return signal === undefined ? { exitCode: status, signal: null, isGroupEmpty } : { exitCode: null, signal, isGroupEmpty };
}
