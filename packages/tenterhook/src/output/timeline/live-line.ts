import type { Paint } from '../terminal/palette.js';
import { type TerminalStream, writeQuietly } from '../terminal/terminal-stream.js';
import { fitTo } from '../terminal/text-layout.js';
import type { EventRecord } from './event-record.js';

/** The clock of a live line. Tests replace it. */
export interface Clock {
  now(): number;
  /** Calls `tick` repeatedly until the returned function is called. Does not keep the process alive. */
  every(ms: number, tick: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  every(ms, tick) {
    const timer = setInterval(tick, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const tickMs = 80;
const clearLine = '\r\x1b[2K';

/**
 * The line that is redrawn while events run. It appears with the first tick, so that a quick event does not flicker. It is removed whenever
 * something else is written. The cursor is not hidden, because it would stay hidden if the process were killed.
 */
export class LiveLine {
  readonly #stream: TerminalStream;
  readonly #paint: Paint;
  readonly #clock: Clock;
  readonly #indent: string;
  #running: readonly EventRecord[] = [];
  #stopTicking: (() => void) | undefined;
  #isDrawn = false;
  #frame = 0;

  constructor(stream: TerminalStream, { paint, clock, indent }: { paint: Paint; clock: Clock; indent: string }) {
    this.#stream = stream;
    this.#paint = paint;
    this.#clock = clock;
    this.#indent = indent;
  }

  /** Sets the events in progress, oldest first. With an empty list, removes the line and stops the timer. */
  watch(running: readonly EventRecord[]): void {
    this.#running = running;
    if (running.length === 0) {
      this.stop();
    } else {
      this.#stopTicking ??= this.#clock.every(tickMs, () => this.#draw());
    }
  }

  /** Removes the line, so that the caller can write. */
  clear(): void {
    if (!this.#isDrawn) return;
    this.#isDrawn = false;
    writeQuietly(this.#stream, clearLine);
  }

  stop(): void {
    this.#stopTicking?.();
    this.#stopTicking = undefined;
    this.clear();
  }

  #draw(): void {
    const oldest = this.#running[0];
    if (oldest === undefined) return;
    this.#frame = (this.#frame + 1) % frames.length;
    const more = this.#running.length > 1 ? `  (${this.#running.length - 1} more running)` : '';
    const spinner = `${this.#indent}${this.#paint('cyan', frames[this.#frame] as string)} `;
    // One column is left empty, because some terminals break the line when the last column is filled.
    const columns = Math.max((this.#stream.columns || 80) - this.#indent.length - 3, 10);
    writeQuietly(this.#stream, `${clearLine}${spinner}${fitTo(`${describeRunning(oldest, this.#clock.now())}${more}`, columns)}`);
    this.#isDrawn = true;
  }
}

/** Describes a running event: `BeforeTool write_file  guard 0.4 s · redact 0.1 s · 2 waiting`. */
export function describeRunning(record: EventRecord, nowMs: number): string {
  const started = new Map([...record.started, ...record.rechecked]);
  const running = [...started].filter(([hookId]) => !record.ended.has(hookId));
  const waiting = [...record.planned.keys()].filter((hookId) => !started.has(hookId) && !record.ended.has(hookId)).length;
  const parts = running.map(([hookId, hook]) => `${record.planned.get(hookId)} ${((nowMs - hook.toldAtMs) / 1000).toFixed(1)} s`);
  if (waiting > 0) parts.push(`${waiting} waiting`);
  return `${record.title}  ${parts.join(' · ')}`.trimEnd();
}
