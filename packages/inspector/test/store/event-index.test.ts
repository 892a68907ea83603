import { join } from 'node:path';
import { readRecording, reportOf } from '@tenterhook/recording';
import fc from 'fast-check';
import type { HookStatistics } from '../../src/api/messages.js';
import { RecordingSource } from '../../src/source/recording-source.js';
import { header, inDirectory, messageLine, writeRecording } from '../inspector-rig.js';

const hooks = ['llxprt/project/BeforeTool/a', 'llxprt/project/BeforeTool/b', 'eca/user/BeforeTool/a', 'x'];
const statuses = ['succeeded', 'blocked', 'failed', 'timed-out', 'cancelled', 'skipped', 'detached'];

const outcome = fc.record(
  {
    hookId: fc.constantFrom(...hooks),
    status: fc.constantFrom(...statuses),
    skipReason: fc.constantFrom('matcher', 'disabled'),
    durationMs: fc.integer({ min: 0, max: 500 }),
    recheck: fc.constant(true),
    failedClosed: fc.constant(true),
    output: fc.record({ decision: fc.constantFrom('deny', 'allow', 'ask'), continue: fc.boolean() }, { requiredKeys: [] }),
    warnings: fc.array(fc.record({ code: fc.constantFrom('not_started', 'timeout'), message: fc.constant('') }), { maxLength: 2 }),
  },
  { requiredKeys: ['hookId', 'status', 'durationMs'] },
);

/** Messages in any order, with ids that are used twice, that are missing, and that no request has. */
const message = fc.oneof(
  fc.record({ type: fc.constant('HOOK_EXECUTION_REQUEST'), session: fc.constantFrom('s', 't') }),
  fc.record({ type: fc.constant('planned'), stages: fc.array(fc.subarray(hooks), { maxLength: 2 }) }),
  fc.record({ type: fc.constant('circuit'), hookId: fc.constantFrom(...hooks), state: fc.constantFrom('open', 'closed') }),
  fc.record({ type: fc.constant('late'), outcome }),
  fc.record({ type: fc.constant('cancel') }),
  fc.record({
    type: fc.constant('HOOK_EXECUTION_RESPONSE'),
    outcomes: fc.option(fc.array(outcome, { maxLength: 4 })),
    fails: fc.boolean(),
  }),
);
const messages = fc.array(fc.tuple(fc.constantFrom('1', '2', '3', undefined), message), { maxLength: 40 });

type Message = typeof message extends fc.Arbitrary<infer Value> ? Value : never;

/** A hook has one name in all of its outcomes. The figures have the name of the first one, and events end in another order than they begin. */
function named<Outcome extends { readonly hookId: string }>(given: Outcome): Outcome & { readonly name: string } {
  return { ...given, name: given.hookId.split('/').at(-1) as string };
}

/** A hook ends once. */
function withoutRepeatedEnds(given: readonly (readonly [string | undefined, Message])[]): (readonly [string | undefined, Message])[] {
  const ended = new Set<string>();
  return given.filter(([id, one]) => {
    if (!('outcome' in one)) return true;
    const key = `${id} ${one.outcome.hookId}`;
    return !ended.has(key) && ended.add(key);
  });
}

function payloadOf(correlationId: string | undefined, given: Message): [string, object] {
  const base = { ...(correlationId === undefined ? {} : { correlationId }), eventName: 'BeforeTool', elapsedMs: 1 };
  const progress = 'HOOK_EXECUTION_PROGRESS';
  if ('session' in given) return [given.type, { ...base, input: { session_id: given.session, tool_name: 'write_file' } }];
  if ('stages' in given)
    return [progress, { ...base, kind: 'planned', stages: given.stages.map((ids) => ids.map((hookId) => ({ hookId }))), skipped: 1 }];
  if ('state' in given) return [progress, { ...base, kind: 'circuit-changed', hookId: given.hookId, state: given.state }];
  if ('outcome' in given)
    return [progress, { ...base, kind: 'hook-finished', hookId: given.outcome.hookId, outcome: named(given.outcome), late: true }];
  if (!('outcomes' in given)) return ['HOOK_EXECUTION_CANCEL', base];
  const changes = [{ path: 'a', hookId: hooks[0], before: 1, after: 2 }];
  const result = { outcomes: given.outcomes?.map(named), changes, errors: [{ code: 'exit_code', hookId: hooks[1], message: '' }] };
  const answer = given.fails
    ? { success: false, error: { code: 'cancelled', message: '', details: result } }
    : { success: true, output: result };
  return [given.type, { ...(correlationId === undefined ? {} : { correlationId }), ...answer }];
}

/** What `tenterhook report` says, in the form of the page. */
function reported(recording: Awaited<ReturnType<typeof readRecording>>) {
  return reportOf([recording]).rows.map(({ key, name, runs, p50Ms, p95Ms, maxMs, deny, failures, timeouts, skips }) => {
    const times = Object.fromEntries(Object.entries({ p50Ms, p95Ms, maxMs }).filter(([, ms]) => ms !== undefined));
    const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
    return { hookId: key, name, runs, ...times, denies: deny, failures: failed, timeouts, skips: { ...skips } };
  });
}

function comparable(statistics: readonly HookStatistics[]) {
  return statistics.map(({ lastMs: _last, circuit: _circuit, eventName: _event, ...figures }) => figures);
}

test('31. the statistics of an index are those of a report, whatever order the messages have', async () => {
  await inDirectory(async (directory) => {
    let files = 0;
    await fc.assert(
      fc.asyncProperty(messages, async (given) => {
        const lines = withoutRepeatedEnds(given).map(([id, one], index) => messageLine(index + 1, ...payloadOf(id, one)));
        files += 1;
        const file = writeRecording(join(directory, `${files}.bus.jsonl`), lines, { ...header, id: String(files) });
        const source = await RecordingSource.open([file], { isMasked: true });
        const recording = await readRecording(file);
        // Circuits that only change keep a row without runs in a report, as here.
        expect(comparable(source.index.statistics.hooks(source.texts))).toEqual(reported(recording));
        expect(source.index.next).toBe(recording.exchanges.length);
        await source.close();
      }),
      { numRuns: 1_000 },
    );
  });
});
