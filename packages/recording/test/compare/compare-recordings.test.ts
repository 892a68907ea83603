import type { MessageBus } from '@tenterhook/bus';
import type { AggregatedHookResult } from '@tenterhook/protocol';
import { compareRecordings, formatDiff, type Recording, recordBus } from '../../src/index.js';
import { fireTool, outcomeOf, resultOf, servedBus } from '../recording-rig.js';

const roots = { project: '/srv/app', home: undefined, tmp: '/tmp' };

/** Records what happens on a bus whose hooks answer so. */
async function recorded(
  answer: (input: Record<string, unknown>) => AggregatedHookResult,
  use: (bus: MessageBus) => Promise<unknown> = (bus) => fireTool(bus, { path: 'a.txt' }),
): Promise<Recording> {
  const bus = servedBus(answer);
  const recorder = recordBus(bus, { roots });
  await use(bus);
  await recorder.close();
  await bus.close();
  return recorder.recording();
}

const hookId = 'llxprt/project/BeforeTool/stay-inside';
const reason = '../a.txt is outside.\nUse a relative path.';
const denied = resultOf([outcomeOf(hookId, { status: 'blocked', output: { decision: 'deny', reason } })], {
  verdict: { kind: 'deny', stop: false, reason, by: [hookId], stoppedBy: [] },
  allOutputs: [{ decision: 'deny', reason }],
});

test('equal runs are the same: other ids, sessions, times, temporary directories, ports and process ids', async () => {
  const run = (n: number) =>
    recorded(
      () =>
        resultOf(
          [
            outcomeOf('h', {
              durationMs: n,
              stdout: `pid ${n}00 at 2026-11-22T10:0${n}:00.000Z on 127.0.0.1:${n}080, /tmp/run-aBcDe${n}/x`,
            }),
          ],
          {
            totalDuration: n,
          },
        ),
      (bus) =>
        bus.request('HOOK_EXECUTION_REQUEST', {
          eventName: 'AfterTool',
          input: {
            tool_name: 't',
            tool_input: { run: `${n}b671a64-40d5-491e-99b0-da01ff1f3341`.padStart(36, '0') },
            tool_response: {},
            tool_use_id: `toolu_${n}`,
            session_id: `session-${n}b671a64-40d5-491e`,
            duration_ms: n,
            timestamp: `2026-11-2${n}`,
          } as never,
        }),
    );
  const diff = compareRecordings(await run(1), await run(2));
  expect(diff).toEqual({ requests: 1, same: 1, different: [], times: [] });
  expect(formatDiff(diff, 'a against b')).toBe(`${'a against b'.padEnd(66)} 1 request: 1 same\n`);
});

test('record-replay case 20: a hook that is silent instead of denying: verdict, decider, status and reason', async () => {
  const silent = resultOf([outcomeOf(hookId, { status: 'failed', exitCode: 1, warnings: [{ code: 'exit_code', message: 'm' }] })]);
  const diff = compareRecordings(await recorded(() => denied), await recorded(() => silent));
  expect(diff).toMatchObject({
    requests: 1,
    same: 0,
    different: [{ kind: 'changed', ordinal: 1, eventName: 'BeforeTool', subject: 'write_file', line: 2 }],
  });
  expect(formatDiff(diff)).toBe(
    `1 request: 0 same, 1 differs

≠ #1 BeforeTool write_file                                         line 2
    verdict            deny → none
    decided by         – llxprt/project/BeforeTool/stay-inside
    stay-inside        blocked → failed: exit_code
    reason
      – ../a.txt is outside.
      – Use a relative path.
`,
  );
});

test('record-replay case 21: swapped tool_use_ids are a difference, other ones are not', async () => {
  const run = (ids: readonly string[]) =>
    recorded(
      () => resultOf([outcomeOf('h')]),
      async (bus) => {
        for (const [index, id] of ids.entries()) {
          await bus.request('HOOK_EXECUTION_REQUEST', {
            eventName: index < 2 ? 'BeforeTool' : 'AfterTool',
            input: { tool_name: 't', tool_input: {}, tool_use_id: id } as never,
          });
        }
      },
    );
  const first = await run(['toolu_a', 'toolu_b', 'toolu_a', 'toolu_b']);
  expect(compareRecordings(first, await run(['x', 'y', 'x', 'y'])).different).toEqual([]);
  expect(compareRecordings(first, await run(['x', 'y', 'y', 'x'])).different).toMatchObject([
    { ordinal: 3, differences: [{ path: 'input.tool_use_id', recorded: 'id#1.1', now: 'id#2.1' }] },
    { ordinal: 4, differences: [{ path: 'input.tool_use_id', recorded: 'id#2.1', now: 'id#1.1' }] },
  ]);
  // One more id does not change the names of those after it.
  expect(compareRecordings(first, await run(['x', 'x', 'x', 'y'])).different.map(({ ordinal }) => ordinal)).toEqual([2, 4]);
});

test('record-replay case 22: another wording of a warning, and another stderr, count only with `texts`', async () => {
  const run = (text: string) =>
    recorded(() =>
      resultOf([outcomeOf('h', { stderr: text, warnings: [{ code: 'no_effect', message: text }] })], {
        errors: [{ code: 'exit_code', message: text }],
      }),
    );
  const [a, b] = [await run('one'), await run('two')];
  expect(compareRecordings(a, b).different).toEqual([]);
  const paths = compareRecordings(a, b, { texts: true }).different[0]?.differences.map(({ path }) => path);
  expect(paths).toEqual(['output.errors.0.message', 'output.outcomes.0.stderr', 'output.outcomes.0.warnings.0.message']);
});

test('record-replay case 23: parallel hooks that end the other way round do not differ, also with `progress`', async () => {
  const run = (order: readonly string[], status: 'succeeded' | 'failed' = 'succeeded', stdin?: string) =>
    recorded(
      () => resultOf([]),
      async (bus) => {
        bus.respond('HOOK_EXECUTION_REQUEST', () => ({ success: true }));
        const correlationId = 'r';
        bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: { correlationId, eventName: 'X', input: {} } });
        for (const id of order) {
          const outcome = outcomeOf(id, { status });
          if (stdin !== undefined) {
            bus.publish({
              type: 'HOOK_EXECUTION_PROGRESS',
              payload: { correlationId, kind: 'hook-input', eventName: 'X', elapsedMs: 1, hookId: id, stdin, stdinBytes: stdin.length },
            });
          }
          bus.publish({
            type: 'HOOK_EXECUTION_PROGRESS',
            payload: { correlationId, kind: 'hook-finished', eventName: 'X', elapsedMs: 1, hookId: id, outcome },
          });
        }
      },
    );
  const first = await run(['a', 'b']);
  expect(compareRecordings(first, await run(['b', 'a']), { progress: true }).different).toEqual([]);
  // What hooks read is recorded only if the agent allows it.
  expect(compareRecordings(first, await run(['b', 'a'], 'succeeded', '{}'), { progress: true }).different).toEqual([]);
  expect(compareRecordings(first, await run(['a', 'b'], 'failed')).different).toEqual([]);
  expect(compareRecordings(first, await run(['a', 'b'], 'failed'), { progress: true }).different).toHaveLength(1);
});

test('record-replay case 24: characters that a terminal interprets are shown as escapes', async () => {
  const evil = '\u001b[31mred\u001b[0m \u202eabc\u0007';
  const bad = { ...denied, verdict: { ...denied.verdict, reason: evil }, outcomes: [outcomeOf(`x/${evil}`, { status: 'blocked' })] };
  const text = formatDiff(
    compareRecordings(
      await recorded(
        () => denied,
        (bus) => fireTool(bus, {}, evil),
      ),
      await recorded(
        () => bad,
        (bus) => fireTool(bus, {}, evil),
      ),
    ),
    evil,
  );
  expect(text).not.toMatch(/[\u001b\u202e\u0007]/);
  expect(text).toContain('\\u001b[31mred');
});

test('requests that were added or are missing are not counted as different', async () => {
  const run = (tools: readonly string[]) =>
    recorded(
      () => resultOf([outcomeOf('h')]),
      async (bus) => {
        for (const tool of tools) await fireTool(bus, { tool_use_id: tool }, tool);
      },
    );
  const diff = compareRecordings(await run(['a', 'b', 'c']), await run(['a', 'c', 'd']));
  expect(diff).toMatchObject({ requests: 4, same: 2 });
  expect(formatDiff(diff)).toBe(`4 requests: 2 same, 1 added, 1 missing

– #2 BeforeTool b: recorded, and not asked
+ #3 BeforeTool d: asked, and not in the recording
`);
});

test('ignored paths and a function of the caller come last; durations are compared with `times` alone', async () => {
  const run = (text: string, ms: number) =>
    recorded(() => resultOf([outcomeOf('h', { durationMs: ms, output: { systemMessage: text } })], { totalDuration: ms }));
  const [a, b] = [await run('one 1', 10), await run('one 2', 30)];
  expect(compareRecordings(a, b).different).toHaveLength(1);
  expect(compareRecordings(a, b, { ignore: ['output.outcomes.*.output.systemMessage'] }).different).toEqual([]);
  const normalise = (value: unknown) => (typeof value === 'string' ? value.replace(/\d/, 'n') : value);
  expect(compareRecordings(a, b, { normalise }).different).toEqual([]);
  expect(compareRecordings(a, b, { times: 2 }).times).toEqual([
    { ordinal: 1, eventName: 'BeforeTool', recordedMs: 10, nowMs: 30 },
    { ordinal: 1, eventName: 'BeforeTool', hookId: 'h', recordedMs: 10, nowMs: 30 },
  ]);
  expect(compareRecordings(a, b, { times: 4 }).times).toEqual([]);
  expect(() => compareRecordings(a, b, { times: 1 })).toThrow('times must be a number greater than 1');
  expect(() => compareRecordings(a, b, { times: '2' as never })).toThrow('times must be a number greater than 1');
  expect(() => compareRecordings(a, b, { texts: 'no' as never })).toThrow('texts must be true or false, and is "no".');
});

test('a change of a value is shown as a diff of its lines, with the hook that made it', async () => {
  const run = (after: string) =>
    recorded(() =>
      resultOf([outcomeOf('h')], { changes: [{ path: 'llm_request.messages.2.content', hookId: 'x/redact', before: 'b', after }] }),
    );
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  const text = formatDiff(
    compareRecordings(await run(lines.join('\n')), await run(lines.map((line, index) => (index < 20 ? `${line}!` : line)).join('\n'))),
  );
  expect(text).toContain('    changes            llm_request.messages.2.content by redact\n      – line 0\n');
  expect(text).toContain('      … 28 more lines\n');
});
