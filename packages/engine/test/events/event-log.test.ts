import '../../../../test/support/debug-log.js';
import { jest } from '@jest/globals';
import { type AggregatedHookResult, DefaultHookOutput } from '@tenterhook/protocol';
import createDebug from 'debug';
import { isLogging, logProgress } from '../../src/events/event-log.js';
import { HookSystem } from '../../src/hook-system.js';
import { answering, eventOf, fakeDialect, hookOf, outcomeOf, sourceOf } from '../engine-rig.js';

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
  const warnings = [{ code: 'mixed_output' as const, message: 'text and JSON' }];
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

test('logged steps are still sent', async () => {
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
    'a circuit open: the hook failed too often and is skipped for a while',
    'a circuit half-open: the pause is over, and this run is a trial',
    'a circuit closed: the trial run succeeded, and the hook runs as before',
    'did not run: a, chain-ended',
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
