import type { MessageBus } from '@tenterhook/bus';
import { createPaint, hasColours } from '../terminal/palette.js';
import type { TerminalStream } from '../terminal/terminal-stream.js';
import type { HookDetailsOptions } from './hook-details.js';
import { systemClock } from './live-line.js';
import { TimelineWriter } from './timeline-writer.js';

/** Where and how timelines are drawn. */
export interface ReportToTerminalOptions {
  /** Where the report is written. @default process.stdout */
  readonly stream?: NodeJS.WriteStream;

  /** Text before every line. @default '' */
  readonly indent?: string;
}

/**
 * Shows each event of the bus as it happens, until the returned function is called:
 * - after each answered event, a timeline: its hooks, when each ran, what it did, and the verdict;
 * - while events run, one live line, if the stream is a terminal. To any other stream no escape code is written, unless FORCE_COLOR asks
 *   for colours;
 * - text that hooks print is escaped and shortened;
 * - the report does not affect the bus, the events or the end of the process.
 */
export function reportToTerminal(bus: MessageBus, { stream = process.stdout, indent = '' }: ReportToTerminalOptions = {}): () => void {
  return reportEvents(bus, { stream, indent, env: process.env });
}

interface ReportEventsOptions {
  readonly stream: TerminalStream;
  readonly indent?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Details below each hook. @default a line for each hook, and its warnings */
  readonly details?: HookDetailsOptions;
}

/** Reports events to any stream with any environment, with the details that the caller selects. */
export function reportEvents(bus: MessageBus, { stream, indent = '', env, details }: ReportEventsOptions): () => void {
  const writer = new TimelineWriter(stream, {
    indent,
    paint: createPaint(hasColours(stream, env)),
    clock: systemClock,
    isLive: stream.isTTY === true && env['TERM'] !== 'dumb',
    details,
  });
  const subscriptions = [
    bus.subscribe('HOOK_EXECUTION_REQUEST', ({ payload }) => writer.addRequest(payload)),
    bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => writer.addProgress(payload)),
    bus.subscribe('HOOK_EXECUTION_RESPONSE', ({ payload }) => writer.addResponse(payload)),
  ];
  return () => {
    for (const unsubscribe of subscriptions) unsubscribe();
    writer.stop();
  };
}
