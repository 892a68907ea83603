import type { HookExecutionProgress, HookExecutionRequest, HookExecutionResponse, HookOutcome } from '@tenterhook/protocol';
import { escapeForTerminal } from '../terminal/escape.js';
import type { Paint } from '../terminal/palette.js';
import { type TerminalStream, writeQuietly } from '../terminal/terminal-stream.js';
import { wrapTo } from '../terminal/text-layout.js';
import { formatDuration } from './duration.js';
import { addProgress, createEventRecord, type EventRecord, formatTitle, hookLabel } from './event-record.js';
import type { HookDetailsOptions } from './hook-details.js';
import { renderBelowHook } from './hook-line.js';
import { type Clock, LiveLine } from './live-line.js';
import { summarizeOutcome } from './outcome-summary.js';
import { renderTimeline } from './timeline.js';

export interface TimelineWriterOptions {
  readonly indent: string;
  readonly paint: Paint;
  readonly clock: Clock;
  /** True if the cursor of the stream can be moved, so that a line can be redrawn. */
  readonly isLive: boolean;
  readonly details?: HookDetailsOptions | undefined;
}

/** The maximum width of lines on a terminal, because longer lines are hard to read. Output to a log has a fixed width. */
const maxColumns = 120;
const columnsOfLog = 100;

/** Receives the messages of a bus and writes lines to a terminal. Only the correlation id tells which event a message belongs to. */
export class TimelineWriter {
  readonly #stream: TerminalStream;
  readonly #options: TimelineWriterOptions;
  readonly #live: LiveLine | undefined;
  readonly #running = new Map<string, EventRecord>();

  constructor(stream: TerminalStream, options: TimelineWriterOptions) {
    this.#stream = stream;
    this.#options = options;
    this.#live = options.isLive ? new LiveLine(stream, options) : undefined;
  }

  addRequest(payload: HookExecutionRequest): void {
    const correlationId: unknown = payload?.correlationId;
    // If an id is already in use, the bus answers the second request under another id. So the first event keeps its record.
    if (typeof correlationId !== 'string' || correlationId === '' || this.#running.has(correlationId)) return;
    this.#running.set(correlationId, createEventRecord(formatTitle(payload)));
    this.#watch();
  }

  addProgress(payload: HookExecutionProgress): void {
    const record = this.#running.get(payload.correlationId);
    if (record !== undefined) {
      addProgress(record, payload, this.#options.clock.now());
    } else if (payload.kind === 'hook-finished' && payload.late) {
      this.#write(this.#renderLate(payload));
    }
  }

  addResponse(payload: HookExecutionResponse): void {
    const record = this.#running.get(payload.correlationId) ?? createEventRecord(formatTitle({}));
    this.#running.delete(payload.correlationId);
    this.#watch();
    const { paint, details } = this.#options;
    const timeline = renderTimeline(record, payload, { width: this.#width(), paint, details });
    this.#write([...timeline, ...record.lateEnds.flatMap((late) => this.#renderLate(late))]);
  }

  stop(): void {
    this.#running.clear();
    this.#live?.stop();
  }

  #watch(): void {
    this.#live?.watch([...this.#running.values()]);
  }

  #write(lines: readonly string[]): void {
    this.#live?.clear();
    writeQuietly(this.#stream, lines.map((line) => `${this.#options.indent}${line}\n`).join(''));
  }

  /** Formats the end of a detached hook. The timeline of its event only shows that the hook continues. */
  #renderLate({ eventName, outcome, rewake }: Extract<HookExecutionProgress, { kind: 'hook-finished' }>): string[] {
    const { paint, details } = this.#options;
    const width = this.#width();
    const summary = summarizeOutcome(outcome, { changes: [], started: undefined, labelOf: (hookId) => hookLabel({ hookId }) });
    const denied = outcome.status === 'blocked' ? 'denied, too late' : undefined;
    const end = rewake ? `wakes the agent: ${formatWakeText(outcome)}` : (denied ?? (summary === 'no opinion' ? '' : summary));
    const title = `${formatTitle({ eventName })} hook ${hookLabel(outcome)} ended after ${formatDuration(outcome.durationMs)}`;
    const [first = '', ...more] = wrapTo(end === '' ? title : `${title}: ${end}`, width - 2, 4);
    return [
      `${paint('cyan', '…')} ${first}`,
      ...more.map((line) => `  ${line}`),
      ...renderBelowHook(outcome, { width, changes: [], details: details && { ...details, isLate: true }, paint }),
    ];
  }

  /** The width without the indent. A pseudo terminal without a size reports 0. */
  #width(): number {
    const columns = this.#stream.columns || (this.#stream.isTTY ? 80 : columnsOfLog);
    return Math.min(columns, maxColumns) - this.#options.indent.length;
  }
}

/** Returns the text that the model reads, on one line: stderr, or stdout if stderr is empty. */
function formatWakeText({ stderr = '', stdout = '' }: HookOutcome): string {
  return escapeForTerminal((stderr.trim() || stdout.trim()).replace(/\s+/g, ' '), 200);
}
