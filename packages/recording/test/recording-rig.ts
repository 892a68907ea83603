import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageBus, type ProgressPayload, type RequestHandler } from '@tenterhook/bus';
import type { AggregatedHookResult, BusMessage, HookOutcome } from '@tenterhook/protocol';
import { channelPayloadSchemas } from '@tenterhook/protocol/internal';

/** Calls a function with a fresh directory, which is removed afterwards. */
export async function inDirectory<Result>(use: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'tenterhook-recording-'));
  try {
    return await use(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** All messages of a bus from now on, as another subscriber sees them. */
export function watch(bus: MessageBus): BusMessage[] {
  const seen: BusMessage[] = [];
  for (const channel of Object.keys(channelPayloadSchemas) as BusMessage['type'][]) {
    bus.subscribe(channel, (message) => seen.push(message as BusMessage));
  }
  return seen;
}

export function outcomeOf(hookId: string, fields: Partial<HookOutcome> = {}): HookOutcome {
  return {
    hookId,
    eventName: 'BeforeTool',
    source: 'user',
    dialect: 'llxprt',
    status: 'succeeded',
    durationMs: 1,
    warnings: [],
    ...fields,
  };
}

export function resultOf(outcomes: readonly HookOutcome[], fields: Partial<AggregatedHookResult> = {}): AggregatedHookResult {
  return {
    success: true,
    verdict: { kind: 'none', stop: false, by: [], stoppedBy: [] },
    changes: [],
    allOutputs: [],
    outcomes,
    errors: [],
    totalDuration: 1,
    ...fields,
  };
}

/** What a stand-in for a hook service answers, with the progress of one hook. */
export function serve(
  bus: MessageBus,
  answer: (input: Record<string, unknown>) => AggregatedHookResult | Promise<AggregatedHookResult>,
): void {
  const handler: RequestHandler<'HOOK_EXECUTION_REQUEST'> = async ({ eventName, input }, { progress }) => {
    const step = (payload: object) => progress({ eventName, elapsedMs: 0.5, ...payload } as unknown as ProgressPayload);
    const hook = { hookId: 'h', dialect: 'llxprt', source: 'user' };
    step({
      kind: 'planned',
      stages: [[hook]],
      skipped: 0,
      base: { session_id: 's1', cwd: '/srv/app', timestamp: '2026-11-22T10:00:00.000Z' },
    });
    step({ kind: 'hook-started', hookId: 'h', timeoutMs: 60_000 });
    const result = await answer(input);
    for (const outcome of result.outcomes) step({ kind: 'hook-finished', hookId: outcome.hookId, outcome: outcomeOf(outcome.hookId) });
    return { success: true, output: result as never };
  };
  bus.respond('HOOK_EXECUTION_REQUEST', handler, { maxInFlight: 100_000 });
}

/** A bus whose hooks answer with nothing, unless `answer` says otherwise. */
export function servedBus(answer: Parameters<typeof serve>[1] = () => resultOf([outcomeOf('h')])): MessageBus {
  const bus = new MessageBus();
  serve(bus, answer);
  return bus;
}

export function fireTool(bus: MessageBus, input: Record<string, unknown> = {}, toolName = 'write_file') {
  return bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: { tool_name: toolName, tool_input: input } });
}

export function linesOf(file: string): Record<string, unknown>[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
