import { jest } from '@jest/globals';
import { type JobOutput, OrphanedStreams, watchFirstLine } from '../../src/io/output.js';
import { openRig, type Rig } from '../process-rig.js';
import { lineOf } from './first-line.js';

/** An output that a process holds until the reader is stopped; its end comes later. */
function heldOutput() {
  let end = () => {};
  const output = {
    stopped: 0,
    forgotten: 0,
    hasEnded: false,
    ended: new Promise<void>((resolve) => {
      end = resolve;
    }),
    stop() {
      output.stopped += 1;
      setImmediate(end);
    },
    forgetText() {
      output.forgotten += 1;
    },
  };
  return output;
}

test('of more than 256 the oldest are let go of, each once, also when many come in one moment', () => {
  const orphaned = new OrphanedStreams();
  const outputs = Array.from({ length: 300 }, heldOutput);
  for (const output of outputs) orphaned.add(output as unknown as JobOutput);
  expect(outputs.map(({ stopped }) => stopped)).toEqual([...Array(44).fill(1), ...Array(256).fill(0)]);
  expect(outputs.every(({ forgotten }) => forgotten === 1)).toBe(true);
  orphaned.stop();
  expect(outputs.every(({ stopped }) => stopped === 1)).toBe(true);
});

test('one that has ended is not held, and one that ends is let go of', async () => {
  const orphaned = new OrphanedStreams();
  const ended = { ...heldOutput(), hasEnded: true };
  orphaned.add(ended as unknown as JobOutput);
  const held = heldOutput();
  orphaned.add(held as unknown as JobOutput);
  held.stop();
  await held.ended;
  orphaned.stop();
  expect([ended.forgotten, held.stopped]).toEqual([0, 1]);
});

describe('what is passed on of the first line', () => {
  /** The calls when these pieces come one after another. */
  function callsOf(...pieces: readonly string[]): [string, boolean][] {
    const calls: [string, boolean][] = [];
    const take = watchFirstLine((text, isComplete) => calls.push([text, isComplete]));
    for (const piece of pieces) {
      // As the readers of outputs do: one buffer for all, of which a part is filled.
      const chunk = Buffer.alloc(100_000, 'x');
      take(chunk, chunk.write(piece));
    }
    return calls;
  }

  test('a line that comes in one piece is passed once, without its end and without what follows', () => {
    expect(callsOf('one\ntwo\n', 'three\n')).toEqual([['one', true]]);
    expect(callsOf('\none\n')).toEqual([['', true]]);
  });

  test('a short line is passed piece by piece, because its end may never come', () => {
    expect(callsOf('{"a"', ':1}', '\n', 'more\n')).toEqual([
      ['{"a"', false],
      ['{"a":1}', false],
      ['{"a":1}', true],
    ]);
  });

  test('a piece may end within a character', () => {
    const calls: string[] = [];
    const take = watchFirstLine((text) => calls.push(text));
    for (const byte of Buffer.from('é\n')) take(Buffer.of(byte), 1);
    expect(calls.at(-1)).toBe('é');
  });

  test('a line of more than 1 KiB is passed when it is complete, one of more than 64 KiB never', () => {
    const [long, tooLong] = ['a'.repeat(1025), 'a'.repeat(65_537)];
    expect(callsOf(long, '\n')).toEqual([[long, true]]);
    expect(callsOf('a'.repeat(65_536), '\n')).toEqual([['a'.repeat(65_536), true]]);
    expect(callsOf(tooLong, '\n', 'b\n')).toEqual([]);
  });
});

describe('of a process', () => {
  let rig: Rig;
  beforeEach(() => {
    rig = openRig();
  });
  afterEach(() => rig.close());

  test('the line is passed while the process runs, and stays part of what it has printed', async () => {
    const { line, onFirstLine } = lineOf();
    const control = new AbortController();
    const exit = rig.sh('echo first; exec sleep 600', { onFirstLine, signal: control.signal });
    expect(await line).toMatchObject({ text: 'first', isComplete: true });
    control.abort();
    expect(await exit).toMatchObject({ kind: 'cancelled', stdout: 'first\n' });
  });

  test('what is kept of stdout does not bound what is looked at', async () => {
    const { line, onFirstLine } = lineOf();
    const exit = await rig.sh('echo first', { onFirstLine, stdoutBytes: 0 });
    expect(await line).toMatchObject({ text: 'first' });
    expect(exit).toMatchObject({ stdout: '', stdoutBytes: 6, stdoutTruncated: true });
  });

  test('the line is passed before the exit, also where the process has ended at once', async () => {
    const happened: string[] = [];
    const exit = await rig.sh('printf first', { onFirstLine: ({ text, isComplete }) => happened.push(`${text} ${isComplete}`) });
    happened.push(exit.kind);
    expect(happened).toEqual(['first false', 'exited']);
  });

  test('stderr has no first line, and neither has silence', async () => {
    const onFirstLine = jest.fn();
    await rig.sh('echo first >&2', { onFirstLine });
    expect(onFirstLine).not.toHaveBeenCalled();
  });

  test('a job can be given another time: less of it', async () => {
    const { onFirstLine } = lineOf(({ replaceTimeout }) => replaceTimeout(50));
    expect(await rig.sh('echo first; exec sleep 600', { onFirstLine, timeoutMs: 600_000 })).toMatchObject({ kind: 'timed-out' });
  });
});
