import type { HookExecutionProgress } from '@tenterhook/protocol';
import { plainPaint } from '../../../src/output/terminal/palette.js';
import { TimelineWriter } from '../../../src/output/timeline/timeline-writer.js';
import { FakeClock, FakeStream, idOf, outcome, response, verdict } from './samples.js';

function makeWriter({ isTTY = false, indent = '' } = {}) {
  const stream = new FakeStream({ isTTY });
  const clock = new FakeClock();
  return { stream, clock, writer: new TimelineWriter(stream, { indent, paint: plainPaint, clock, isLive: isTTY }) };
}

const request = (correlationId: string, toolName: string) => ({ correlationId, eventName: 'BeforeTool', input: { tool_name: toolName } });
const startedAt = (correlationId: string, name: string, elapsedMs: number): Extract<HookExecutionProgress, { kind: 'hook-started' }> => ({
  kind: 'hook-started',
  correlationId,
  eventName: 'BeforeTool',
  elapsedMs,
  hookId: idOf(name),
  name,
  timeoutMs: 1000,
});
const answer = (correlationId: string, name: string) => ({ ...response([outcome(name, { durationMs: 50 })]), correlationId });

test('two events at once do not mix', () => {
  const { stream, writer } = makeWriter();
  writer.addRequest(request('c1', 'write_file'));
  writer.addRequest(request('c2', 'read_file'));
  writer.addProgress(startedAt('c2', 'b', 50));
  writer.addProgress(startedAt('c1', 'a', 0));
  expect(stream.take()).toBe('');
  writer.addResponse(answer('c2', 'b'));
  expect(stream.take().split('\n')).toEqual([
    'BeforeTool read_file                      100 ms',
    '  ✓ b                         ████████     50 ms  no opinion',
    '  → none: no hook decided',
    '',
  ]);
  writer.addResponse(answer('c1', 'a'));
  expect(stream.take().split('\n')).toEqual([
    'BeforeTool write_file                     100 ms',
    '  ✓ a                 ████████             50 ms  no opinion',
    '  → none: no hook decided',
    '',
  ]);
});

test('a hook that asks not to be shown is marked from the moment that it starts', () => {
  const { stream, writer } = makeWriter();
  writer.addRequest(request('c1', 'write_file'));
  writer.addProgress({ ...startedAt('c1', 'a', 0), hidden: true });
  writer.addResponse(answer('c1', 'a'));
  expect(stream.take()).toContain('50 ms  no opinion · hidden\n');
});

test('the live line goes before a timeline comes, and goes on for the events that still run', () => {
  const { stream, clock, writer } = makeWriter({ isTTY: true, indent: '> ' });
  writer.addRequest(request('c1', 'write_file'));
  writer.addRequest(request('c2', 'read_file'));
  clock.goOn(80);
  expect(stream.take()).toBe('\r\x1b[2K> ⠙ BeforeTool write_file  (1 more running)');
  writer.addResponse({ ...response([]), correlationId: 'c1' });
  expect(stream.take()).toBe('\r\x1b[2K> BeforeTool write_file\n>   → none: no hook ran\n');
  clock.goOn(80);
  expect(stream.take()).toBe('\r\x1b[2K> ⠹ BeforeTool read_file');
  writer.stop();
  expect(stream.take()).toBe('\r\x1b[2K');
  expect(clock.ticks.size).toBe(0);
});

test('without a terminal there is no live line and no timer', () => {
  const { stream, clock, writer } = makeWriter();
  writer.addRequest(request('c1', 'write_file'));
  expect(clock.ticks.size).toBe(0);
  writer.addResponse(answer('c1', 'a'));
  expect(stream.take()).not.toContain('\x1b');
});

test('malformed requests and their answers are shown as what they are', () => {
  const { stream, writer } = makeWriter();
  writer.addRequest({ correlationId: 7, eventName: 5 } as never);
  writer.addRequest(undefined as never);
  writer.addResponse({
    correlationId: 'x',
    success: false,
    error: { code: 'invalid_request', message: 'eventName must be a string, and is a number.' },
  });
  expect(stream.take()).toBe('unknown event\n  → not carried out, invalid_request: eventName must be a string, and is a\n    number.\n');
});

test('an id that is used again keeps its first event', () => {
  const { stream, writer } = makeWriter();
  writer.addRequest(request('c1', 'write_file'));
  writer.addRequest(request('c1', 'read_file'));
  writer.addResponse({ ...response([]), correlationId: 'c1' });
  expect(stream.take()).toContain('BeforeTool write_file');
});

test('an async hook that ends after its event has a line of its own, and is not remembered', () => {
  const { stream, clock, writer } = makeWriter({ isTTY: true });
  writer.addRequest(request('c1', 'write_file'));
  writer.addResponse({ ...response([outcome('audit', { status: 'detached' })]), correlationId: 'c1' });
  stream.take();
  const late = {
    kind: 'hook-finished',
    correlationId: 'c1',
    eventName: 'BeforeTool',
    elapsedMs: 1300,
    hookId: idOf('audit'),
    late: true,
  } as const;
  writer.addProgress(startedAt('c1', 'audit', 1));
  expect(stream.take()).toBe('');
  expect(clock.ticks.size).toBe(0);
  writer.addProgress({ ...late, outcome: outcome('audit', { durationMs: 1290 }) });
  expect(stream.take()).toBe('… BeforeTool hook audit ended after 1.29 s\n');
  writer.addProgress({ ...late, outcome: outcome('audit', { status: 'failed', exitCode: 1, durationMs: 1290 }) });
  expect(stream.take()).toBe('… BeforeTool hook audit ended after 1.29 s: exit code 1\n');
  writer.addProgress({ ...late, outcome: outcome('audit', { status: 'blocked', durationMs: 1290 }) });
  expect(stream.take()).toBe('… BeforeTool hook audit ended after 1.29 s: denied, too late\n');
});

test('a hook that ran on and ended before its event did is shown below the event', () => {
  const { stream, writer } = makeWriter();
  writer.addRequest(request('c1', 'write_file'));
  writer.addProgress(startedAt('c1', 'audit', 1));
  writer.addProgress({
    kind: 'hook-finished',
    correlationId: 'c1',
    eventName: 'BeforeTool',
    elapsedMs: 60,
    hookId: idOf('audit'),
    late: true,
    outcome: outcome('audit', { status: 'blocked', durationMs: 59 }),
  });
  expect(stream.take()).toBe('');
  writer.addResponse({ ...response([outcome('audit', { status: 'detached', durationMs: 12 })]), correlationId: 'c1' });
  expect(stream.take().split('\n')).toEqual([
    'BeforeTool write_file                     100 ms',
    '  … audit             ██                   12 ms  runs asynchronously',
    '  → none: no hook decided',
    '… BeforeTool hook audit ended after 59 ms: denied, too late',
    '',
  ]);
});

test('a reader that has gone away is left alone', () => {
  const { stream, writer } = makeWriter();
  stream.writable = false;
  writer.addResponse({ ...response([], { verdict: verdict() }), correlationId: 'c1' });
  expect(stream.take()).toBe('');
});
