import { plainPaint } from '../../../src/output/terminal/palette.js';
import { addProgress, createEventRecord, type EventRecord } from '../../../src/output/timeline/event-record.js';
import { describeRunning, LiveLine } from '../../../src/output/timeline/live-line.js';
import { FakeClock, FakeStream, idOf, outcome } from './samples.js';

const base = { correlationId: 'c1', eventName: 'BeforeTool' };

function plannedRecord(title: string, names: string[], nowMs = 0): EventRecord {
  const record = createEventRecord(title);
  const hooks = names.map((name) => ({ hookId: idOf(name), name, dialect: 'llxprt', source: 'project' }));
  addProgress(record, { kind: 'planned', ...base, elapsedMs: 0, stages: [hooks], skipped: 0 }, nowMs);
  return record;
}

function start(record: EventRecord, name: string, nowMs: number): void {
  addProgress(record, { kind: 'hook-started', ...base, elapsedMs: nowMs, hookId: idOf(name), name, timeoutMs: 1000 }, nowMs);
}

function liveLine(options: { columns?: number; indent?: string } = {}) {
  const stream = new FakeStream(options);
  const clock = new FakeClock();
  return { stream, clock, line: new LiveLine(stream, { paint: plainPaint, clock, indent: options.indent ?? '' }) };
}

test('says what runs, since when, and how many wait', () => {
  const record = plannedRecord('BeforeTool write_file', ['a', 'b', 'c']);
  expect(describeRunning(record, 0)).toBe('BeforeTool write_file  3 waiting');
  start(record, 'a', 100);
  start(record, 'b', 300);
  expect(describeRunning(record, 1300)).toBe('BeforeTool write_file  a 1.2 s · b 1.0 s · 1 waiting');
  addProgress(record, { kind: 'hook-finished', ...base, elapsedMs: 1400, hookId: idOf('a'), outcome: outcome('a') }, 1400);
  addProgress(record, { kind: 'hook-skipped', ...base, elapsedMs: 1400, hookId: idOf('c'), skipReason: 'chain-ended' }, 1400);
  expect(describeRunning(record, 1400)).toBe('BeforeTool write_file  b 1.1 s');
});

test('an event without progress has its title', () => {
  expect(describeRunning(createEventRecord('SessionEnd exit'), 0)).toBe('SessionEnd exit');
});

test('appears with the first tick, so that a quick event does not flicker', () => {
  const { stream, clock, line } = liveLine();
  line.watch([plannedRecord('BeforeTool write_file', ['a'])]);
  line.watch([]);
  clock.goOn(80);
  expect(stream.take()).toBe('');
  expect(clock.ticks.size).toBe(0);
});

test('is redrawn in place and removed at the end', () => {
  const { stream, clock, line } = liveLine();
  const record = plannedRecord('BeforeTool write_file', ['a']);
  start(record, 'a', 0);
  line.watch([record]);
  clock.goOn(80);
  expect(stream.take()).toBe('\r\x1b[2K⠙ BeforeTool write_file  a 0.1 s');
  clock.goOn(80);
  expect(stream.take()).toBe('\r\x1b[2K⠹ BeforeTool write_file  a 0.2 s');
  line.watch([]);
  expect(stream.take()).toBe('\r\x1b[2K');
  line.stop();
  expect(stream.take()).toBe('');
});

test('makes room for other text and comes back', () => {
  const { stream, clock, line } = liveLine({ indent: '  ' });
  line.watch([plannedRecord('BeforeTool write_file', ['a'])]);
  clock.goOn(80);
  stream.take();
  line.clear();
  expect(stream.take()).toBe('\r\x1b[2K');
  line.clear();
  expect(stream.take()).toBe('');
  clock.goOn(80);
  expect(stream.take()).toBe('\r\x1b[2K  ⠹ BeforeTool write_file  1 waiting');
});

test('is never as wide as the terminal, whatever a hook is called', () => {
  const { stream, clock, line } = liveLine({ columns: 40 });
  line.watch([plannedRecord('BeforeTool write_file', ['a']), plannedRecord(`AfterTool ${'long'.repeat(20)}`, ['b'])]);
  clock.goOn(80);
  expect(stream.take()).toBe('\r\x1b[2K⠙ BeforeTool write_file  1 waiting  (1…');
  stream.columns = 100;
  clock.goOn(80);
  expect(stream.take()).toBe('\r\x1b[2K⠹ BeforeTool write_file  1 waiting  (1 more running)');
});

test('names of hooks are escaped', () => {
  const record = plannedRecord('BeforeTool write_file', ['\x1b[2J']);
  start(record, '\x1b[2J', 0);
  expect(describeRunning(record, 0)).toBe('BeforeTool write_file  \\x1b[2J 0.0 s');
});

test('nothing is written to a stream that has ended', () => {
  const { stream, clock, line } = liveLine();
  line.watch([plannedRecord('BeforeTool write_file', ['a'])]);
  stream.writable = false;
  clock.goOn(80);
  expect(stream.take()).toBe('');
});
