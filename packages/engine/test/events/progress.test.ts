import { jest } from '@jest/globals';
import {
  type AggregatedHookResult,
  channelPayloadSchemas,
  DefaultHookOutput,
  type HookDefinition,
  type HookExecutionProgress,
  type HookExecutor,
} from '@tenterhook/protocol';
import { isLogging, logProgress } from '../../src/events/progress.js';
import { HookSystem } from '../../src/hook-system.js';
import { answering, eventOf, FakeExecutor, fakeDialect, hookOf, outcomeOf, sourceOf } from '../engine-rig.js';

/** A system, what its watchers are told, and a tool event for its hooks. */
function systemOf(hooks: readonly HookDefinition[], executor: HookExecutor) {
  const system = new HookSystem({
    projectDir: '/srv/app',
    sessionId: 's1',
    dialects: [fakeDialect()],
    sources: [sourceOf(hooks)],
    executors: [executor],
  });
  const progress: HookExecutionProgress[] = [];
  system.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => progress.push(payload));
  return { system, progress, fire: () => system.getEventHandler().fireBeforeToolEvent('write_file', { path: 'a.txt' }) };
}

test('a hook that asks not to be shown says so wherever a watcher hears of its run, and nothing else is different', async () => {
  const deny = { decision: 'deny' as const, reason: 'no' };
  const { system, progress, fire } = systemOf([hookOf('a', { hidden: true, sequential: true }), hookOf('b')], answering({ a: deny }));
  const result = await fire();
  expect(progress).toMatchObject([
    { kind: 'planned', stages: [[{ hookId: 'a', hidden: true }], [{ hookId: 'b' }]] },
    { kind: 'hook-started', hookId: 'a', hidden: true },
    { kind: 'hook-finished', hookId: 'a', hidden: true, outcome: { status: 'blocked' } },
    { kind: 'hook-skipped', hookId: 'b' },
  ]);
  expect(JSON.stringify(progress).match(/"hidden"/g)).toHaveLength(3);
  expect(progress.map((message) => channelPayloadSchemas.HOOK_EXECUTION_PROGRESS.parse(message))).toEqual(progress);
  expect(result).toMatchObject({ verdict: { kind: 'deny', by: ['a'] }, outcomes: [{ hookId: 'a' }, { hookId: 'b' }] });
  expect(JSON.stringify(result)).not.toContain('hidden');
  await system.dispose();
});

test('a hook that is shown says nothing of it', async () => {
  const { system, progress, fire } = systemOf([hookOf('a')], answering({}));
  await fire();
  expect(progress.map(({ kind }) => kind)).toEqual(['planned', 'hook-started', 'hook-finished']);
  expect(JSON.stringify(progress)).not.toContain('hidden');
  await system.dispose();
});

test('an async hook that asks not to be shown is hidden when it ends late, too', async () => {
  const executor = new FakeExecutor();
  const { system, progress, fire } = systemOf([hookOf('a', { hidden: true, async: true })], executor);
  const ended = new Promise<void>((resolve) => {
    system.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => {
      if (payload.kind === 'hook-finished') resolve();
    });
  });
  await fire();
  (await executor.next()).answer();
  await ended;
  expect(progress.at(-1)).toMatchObject({ kind: 'hook-finished', hookId: 'a', late: true, hidden: true });
  await system.dispose();
});

import createDebug from 'debug';

const written = jest.spyOn(process.stderr, 'write');
const lines: string[] = [];
beforeEach(() => {
  lines.length = 0;
  written.mockImplementation((text) => lines.push(String(text).trimEnd()) > 0);
});
afterEach(() => createDebug.disable());
afterAll(() => written.mockRestore());

const hook = hookOf('a', { matcher: 'write', action: { kind: 'command', command: 'TOKEN=hunter2 ./guard.sh' } });
const skipped = { hook: hookOf('b'), skipReason: 'matcher', reason: 'it does not match' } as const;
const plan = { stages: [{ hooks: [hook] }], skipped: [skipped], order: [hook, skipped.hook] };
const event = eventOf('BeforeTool', { tool_name: 'write_file', tool_input: { password: 'hunter2', text: 'a\u001b[2J\u202eb\u2028c' } });
const result: AggregatedHookResult = {
  success: true,
  finalOutput: new DefaultHookOutput({ decision: 'deny', reason: 'no' }),
  verdict: { kind: 'deny', stop: true, reason: 'no\nand no', stopReason: 's', by: ['a'], stoppedBy: ['a'] },
  changes: [{ path: 'tool_input.path', hookId: 'a', before: 1, after: 2 }],
  allOutputs: [],
  outcomes: [],
  errors: [],
  totalDuration: 12,
};

function logAll(): void {
  const log = logProgress(event);
  log({ kind: 'planned', plan });
  log({ kind: 'started', hook });
  const stdout = `{"decision":"deny"}\n${'x'.repeat(100_000)}`;
  const warnings = [{ code: 'mixed_output', message: 'text and JSON' }];
  const facts = { exitCode: 0, durationMs: 3.5, stdout, stderr: 'oops\u0007', warnings };
  log({ kind: 'finished', hook, outcome: outcomeOf('a', { decision: 'deny' }, facts) });
  for (const state of ['open', 'half-open', 'closed'] as const) log({ kind: 'circuit-changed', hook, state });
  const skippedLate = outcomeOf('a', undefined, { status: 'skipped', skipReason: 'chain-ended' });
  log({ kind: 'aggregated', plan, result: { ...result, outcomes: [skippedLate] } });
}

test('silent unless DEBUG asks', () => {
  expect(isLogging()).toBe(false);
  logAll();
  expect(lines).toEqual([]);
});

test('what is logged is sent all the same', async () => {
  createDebug.enable('tenterhook:*');
  const system = new HookSystem({
    projectDir: '/srv/app',
    dialects: [fakeDialect()],
    sources: [sourceOf([hookOf('a')])],
    executors: [answering({})],
  });
  const sent: string[] = [];
  system.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => sent.push(payload.kind));
  await system.getEventHandler().fireBeforeToolEvent('write_file', {});
  await system.dispose();
  expect(sent).toEqual(['planned', 'hook-started', 'hook-finished']);
  expect(lines.join('\n')).toMatch(/tenterhook:runner BeforeTool#\d+ a started/);
});

test('who was selected and why not, what went in, what came out, how long it took, what it came to', () => {
  createDebug.enable('tenterhook:*');
  logAll();
  const text = lines.join('\n');
  for (const expected of [
    '1 of 2 hooks selected, in 1 stage',
    'stage 1: a, matcher "write"',
    'not selected: b, matcher: it does not match',
    'input {"session_id":"s1"',
    '"password":"***","text":"a\\u001b[2J\\u202eb\\u2028c"',
    'a started, timeout 60000 ms: "TOKEN=*** ./guard.sh"',
    'a ended: blocked, exit code 0, in 3.5 ms',
    'a output {"decision":"deny"}',
    'a stderr "oops\\u0007"',
    'a mixed_output: text and JSON',
    'a circuit open: it failed too often and is left out for a while',
    'a circuit half-open: the pause is over, and this run is a trial',
    'a circuit closed: the trial went well, and it runs as before',
    'had no turn: a, chain-ended',
    'verdict deny by a and stop by a, of 1 hooks in 12 ms',
    'reason "no\\nand no"',
    'changed tool_input.path by a',
    'final output {"decision":"deny","reason":"no"}',
  ])
    expect(text).toContain(expected);
  expect(text).not.toContain('hunter2');
});

test('each line is one line, bounded, and without anything that a terminal obeys', () => {
  createDebug.enable('tenterhook:*');
  logAll();
  for (const line of lines) {
    expect(line).not.toMatch(/[\n\u0007\u202e\u2028]|\u001b\[2J/);
    expect(line.length).toBeLessThan(2_200);
  }
});

test('one namespace at a time, and a number that tells events apart', () => {
  createDebug.enable('tenterhook:aggregator');
  expect(isLogging()).toBe(true);
  logAll();
  logAll();
  expect(lines.every((line) => line.includes('tenterhook:aggregator BeforeTool#'))).toBe(true);
  const numbers = lines.map((line) => /#(\d+)/.exec(line)?.[1]);
  expect(new Set(numbers).size).toBe(2);
});
