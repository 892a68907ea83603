import { jest } from '@jest/globals';
import type { FirstLine } from '../../src/index.js';
import { watchFirstLine } from '../../src/io/first-line.js';
import { expectKind, openRig, type Rig } from '../process-rig.js';

describe('what is told of the first line', () => {
  /** What is told when these pieces come one after another. */
  function toldOf(...pieces: readonly string[]): [string, boolean][] {
    const told: [string, boolean][] = [];
    const take = watchFirstLine((text, isComplete) => told.push([text, isComplete]));
    for (const piece of pieces) {
      // As the readers of outputs do: one buffer for all, of which a part is filled.
      const chunk = Buffer.alloc(100_000, 'x');
      take(chunk, chunk.write(piece));
    }
    return told;
  }

  test('a line that comes in one piece is told once, without its end and without what follows', () => {
    expect(toldOf('one\ntwo\n', 'three\n')).toEqual([['one', true]]);
    expect(toldOf('\none\n')).toEqual([['', true]]);
  });

  test('a short line is told piece by piece, because its end may never come', () => {
    expect(toldOf('{"a"', ':1}', '\n', 'more\n')).toEqual([
      ['{"a"', false],
      ['{"a":1}', false],
      ['{"a":1}', true],
    ]);
  });

  test('a piece may end within a character', () => {
    const told: string[] = [];
    const take = watchFirstLine((text) => told.push(text));
    for (const byte of Buffer.from('é\n')) take(Buffer.of(byte), 1);
    expect(told.at(-1)).toBe('é');
  });

  test('a line of more than 1 KiB is told when it is complete, one of more than 64 KiB never', () => {
    const [long, tooLong] = ['a'.repeat(1025), 'a'.repeat(65_537)];
    expect(toldOf(long, '\n')).toEqual([[long, true]]);
    expect(toldOf('a'.repeat(65_536), '\n')).toEqual([['a'.repeat(65_536), true]]);
    expect(toldOf(tooLong, '\n', 'b\n')).toEqual([]);
  });
});

describe('of a process', () => {
  let rig: Rig;
  beforeEach(() => {
    rig = openRig();
  });
  afterEach(() => rig.close());

  /** Resolves with the first line that is told; `look` is called in the same turn. */
  function lineOf(look: (line: FirstLine) => void = () => {}) {
    let onFirstLine: (line: FirstLine) => void = () => {};
    const line = new Promise<FirstLine>((resolve) => {
      onFirstLine = (told) => {
        look(told);
        resolve(told);
      };
    });
    return { line, onFirstLine };
  }

  test('the line is told while the process runs, and stays part of what it has printed', async () => {
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

  test('the line is told before the exit, also where the process has ended at once', async () => {
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

  test('and more of it', async () => {
    const { onFirstLine } = lineOf(({ replaceTimeout }) => replaceTimeout(600_000));
    const exit = await rig.sh('echo first; sleep 2; echo last', { onFirstLine, timeoutMs: 1500 });
    expect(expectKind(exit, 'exited').stdout).toBe('first\nlast\n');
  });
});
