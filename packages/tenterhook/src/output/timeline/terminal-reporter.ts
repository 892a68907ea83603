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
 * Prints each event of the bus as it happens, until the returned function is called:
 * - A timeline follows each answered event: its hooks, when each ran, what it did, and the verdict.
 * - A terminal also shows one live line while events run.
 * - A stream that is not a terminal receives no escape codes, unless FORCE_COLOR is set.
 * - Text that hooks print is escaped and shortened.
 * - The report does not change the events, and does not keep the process alive.
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

/** Prints the events of a bus to any stream, with the environment and the details that the caller passes. */
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
