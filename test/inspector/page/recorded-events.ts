import { writeFileSync } from 'node:fs';

type Fields = Readonly<Record<string, unknown>>;

/** What one recorded event is about. Everything else is made up. */
export interface RecordedEvent {
  readonly eventName?: string;
  readonly input?: Fields;
  readonly session?: string;
  /** Milliseconds from the start of the recording. @default 10 ms after the event before */
  readonly t?: number;
  readonly durationMs?: number;
  readonly verdict?: Fields;
  readonly changes?: readonly Fields[];
  /** Fields of the outcomes of its hooks. @default one hook that succeeded */
  readonly hooks?: readonly Fields[];
  /** Fields of the progress message of the plan. */
  readonly planned?: Fields;
}

const header = {
  format: 'tenterhook-bus-recording',
  version: 1,
  form: 'full',
  id: '00000000-0000-4000-8000-000000000000',
  part: 1,
  startedAt: '2026-11-01T10:00:00.000Z',
  writer: { name: 'tenterhook', version: '0.1.0', node: '20.20.2', platform: 'linux' },
  masked: true,
  placeholders: [],
};

/**
 * Writes a recording without an agent. A hundred thousand events, and texts that no bus of today would carry, cannot be had from a real run
 * in the time of a test.
 */
export function writeRecordingOf(
  file: string,
  events: Iterable<RecordedEvent>,
  { header: fields = {}, about }: { readonly header?: Fields; readonly about?: Fields } = {},
): void {
  const lines = [JSON.stringify({ ...header, ...fields })];
  if (about !== undefined) lines.push(JSON.stringify({ t: 0, note: 'about', ...about }));
  let n = 0;
  let last = 0;
  let event = 0;
  for (const recorded of events) {
    const t = recorded.t ?? last + 10;
    for (const { at, type, payload } of messagesOf(recorded, `e-${event}`)) {
      n += 1;
      lines.push(JSON.stringify({ n, t: t + at, type, payload }));
    }
    last = t;
    event += 1;
  }
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
}

function messagesOf(recorded: RecordedEvent, correlationId: string): { at: number; type: string; payload: Fields }[] {
  const { eventName = 'BeforeTool', session = 's-1', durationMs = 5, changes = [], planned = {} } = recorded;
  const { input = { tool_name: 'write_file', tool_input: { path: 'a.txt' } }, verdict = {}, hooks = [{}] } = recorded;
  const outcomes = hooks.map((fields, index) => ({
    hookId: `llxprt/project/${eventName}/hook-${index}`,
    name: `hook-${index}`,
    eventName,
    source: 'project',
    level: 'project',
    dialect: 'llxprt',
    status: 'succeeded',
    durationMs,
    exitCode: 0,
    warnings: [],
    ...fields,
  }));
  const base = { session_id: session, cwd: '/srv/app', timestamp: '2026-11-01T10:00:00.000Z' };
  const step = (at: number, fields: Fields) => ({
    at,
    type: 'HOOK_EXECUTION_PROGRESS',
    payload: { correlationId, eventName, elapsedMs: at, ...fields },
  });
  const stages = [outcomes.map(({ hookId, name, dialect, source }) => ({ hookId, name, dialect, source }))];
  const output = {
    success: true,
    verdict: { kind: 'none', stop: false, by: [], stoppedBy: [], ...verdict },
    changes,
    allOutputs: [],
    outcomes,
    errors: [],
    totalDuration: durationMs,
  };
  return [
    { at: 0, type: 'HOOK_EXECUTION_REQUEST', payload: { correlationId, eventName, input: { session_id: session, ...input } } },
    step(0, { kind: 'planned', stages, skipped: 0, base, ...planned }),
    ...outcomes.map(({ hookId, name }) => step(0.1, { kind: 'hook-started', hookId, name, timeoutMs: 60_000 })),
    ...outcomes.map((outcome) => step(durationMs, { kind: 'hook-finished', hookId: outcome.hookId, outcome })),
    { at: durationMs, type: 'HOOK_EXECUTION_RESPONSE', payload: { correlationId, success: true, output } },
  ];
}
