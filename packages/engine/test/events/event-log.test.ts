import { jest } from '@jest/globals';
import { type AggregatedHookResult, DefaultHookOutput } from '@tenterhook/protocol';
import createDebug from 'debug';
import { isNarrating, narrateEvent } from '../../src/events/event-log.js';
import type { ReportProgress } from '../../src/events/progress.js';
import { eventOf, hookOf, outcomeOf } from '../engine-rig.js';

const written = jest.spyOn(process.stderr, 'write');
const lines: string[] = [];
beforeEach(() => {
  lines.length = 0;
  written.mockImplementation((text) => lines.push(String(text).trimEnd()) > 0);
});
afterEach(() => createDebug.disable());
afterAll(() => written.mockRestore());

const report: ReportProgress = {
  planned: jest.fn(),
  started: jest.fn(),
  finished: jest.fn(),
  circuitChanged: jest.fn(),
  skippedOf: jest.fn(),
};
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

function narrateAll(): void {
  const narrator = narrateEvent(event, report);
  narrator.report.planned(plan);
  narrator.report.started(hook);
  const stdout = `{"decision":"deny"}\n${'x'.repeat(100_000)}`;
  const warnings = [{ code: 'mixed_output', message: 'text and JSON' }];
  narrator.report.finished(
    hook,
    outcomeOf('a', { decision: 'deny' }, { exitCode: 0, durationMs: 3.5, stdout, stderr: 'oops\u0007', warnings }),
  );
  for (const state of ['open', 'half-open', 'closed'] as const) narrator.report.circuitChanged(hook, state);
  narrator.report.skippedOf(plan, [outcomeOf('a', undefined, { status: 'skipped', skipReason: 'chain-ended' })]);
  narrator.result(result);
}

test('silent, and the very same report, unless DEBUG asks', () => {
  expect(isNarrating()).toBe(false);
  expect(narrateEvent(event, report).report).toBe(report);
  narrateAll();
  expect(lines).toEqual([]);
});

test('what is narrated is told all the same', () => {
  createDebug.enable('tenterhook:*');
  narrateEvent(event, report).report.circuitChanged(hook, 'open');
  expect(report.circuitChanged).toHaveBeenLastCalledWith(hook, 'open');
  expect(lines).toEqual([expect.stringMatching(/tenterhook:runner BeforeTool#\d+ a circuit open/)]);
});

test('who was selected and why not, what went in, what came out, how long it took, what it came to', () => {
  createDebug.enable('tenterhook:*');
  narrateAll();
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
    'verdict deny by a and stop by a, of 0 hooks in 12 ms',
    'reason "no\\nand no"',
    'changed tool_input.path by a',
    'final output {"decision":"deny","reason":"no"}',
  ])
    expect(text).toContain(expected);
  expect(text).not.toContain('hunter2');
});

test('each line is one line, bounded, and without anything that a terminal obeys', () => {
  createDebug.enable('tenterhook:*');
  narrateAll();
  for (const line of lines) {
    expect(line).not.toMatch(/[\n\u0007\u202e\u2028]|\u001b\[2J/);
    expect(line.length).toBeLessThan(2_200);
  }
});

test('one namespace at a time, and a number that tells events apart', () => {
  createDebug.enable('tenterhook:aggregator');
  expect(isNarrating()).toBe(true);
  narrateAll();
  narrateAll();
  expect(lines.every((line) => line.includes('tenterhook:aggregator BeforeTool#'))).toBe(true);
  const numbers = lines.map((line) => /#(\d+)/.exec(line)?.[1]);
  expect(new Set(numbers).size).toBe(2);
});
