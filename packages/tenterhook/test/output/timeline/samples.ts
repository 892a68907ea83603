import type { AggregatedHookResult, HookExecutionResponse, HookOutcome, Verdict } from '@tenterhook/protocol';
import type { TerminalStream } from '../../../src/output/terminal/terminal-stream.js';
import { createEventRecord, type EventRecord } from '../../../src/output/timeline/event-record.js';

/** Builds an outcome. `fields` replaces the defaults. */
export function outcome(name: string, fields: Partial<HookOutcome> = {}): HookOutcome {
  return {
    hookId: `llxprt/project/BeforeTool/${name}`,
    name,
    eventName: 'BeforeTool',
    source: 'project',
    dialect: 'llxprt',
    status: 'succeeded',
    durationMs: 0,
    warnings: [],
    ...fields,
  };
}

export function idOf(name: string): string {
  return `llxprt/project/BeforeTool/${name}`;
}

export function verdict(fields: Partial<Verdict> = {}): Verdict {
  return { kind: 'none', stop: false, by: [], stoppedBy: [], ...fields };
}

export function response(outcomes: HookOutcome[], fields: Partial<AggregatedHookResult> = {}): HookExecutionResponse {
  const output = { success: true, verdict: verdict(), changes: [], allOutputs: [], outcomes, errors: [], totalDuration: 100, ...fields };
  return { correlationId: 'c1', success: true, output };
}

/** Builds the record of an event in which these hooks have started, each after the given number of milliseconds. */
export function record(title: string, startedAtMs: Record<string, number>, timeoutMs = 60_000): EventRecord {
  const made = createEventRecord(title);
  for (const [name, elapsedMs] of Object.entries(startedAtMs)) {
    made.planned.set(idOf(name), name);
    made.started.set(idOf(name), { elapsedMs, timeoutMs, toldAtMs: elapsedMs, isHidden: false });
  }
  return made;
}

/** A stream that stores what is written to it. */
export class FakeStream implements TerminalStream {
  readonly isTTY: boolean;
  columns: number;
  writable = true;
  text = '';

  constructor({ isTTY = true, columns = 80 }: { isTTY?: boolean; columns?: number } = {}) {
    this.isTTY = isTTY;
    this.columns = columns;
  }

  write(text: string): void {
    this.text += text;
  }

  once(): void {}

  /** Returns what was written since the last call. */
  take(): string {
    const taken = this.text;
    this.text = '';
    return taken;
  }
}

/** A clock that only a test advances. */
export class FakeClock {
  nowMs = 0;
  readonly ticks = new Set<() => void>();

  now(): number {
    return this.nowMs;
  }

  every(_ms: number, tick: () => void): () => void {
    this.ticks.add(tick);
    return () => this.ticks.delete(tick);
  }

  goOn(ms: number): void {
    this.nowMs += ms;
    for (const tick of this.ticks) tick();
  }
}
