import { readFileSync } from 'node:fs';
import { BoundedOutput, withoutCutCharacter } from '../../src/io/bounded-output.js';
import { expectKind, isRunning, openRig, type Rig, until } from '../process-rig.js';

let rig: Rig;
beforeEach(() => {
  rig = openRig();
});
afterEach(() => rig.close());

describe('a process that writes more than is kept (field failure 40)', () => {
  test('its exit code counts, the head is kept, the rest is counted', async () => {
    const exit = expectKind(
      await rig.sh("head -c 50000000 /dev/zero | tr '\\0' a; echo done >&2; exit 2", { stdoutBytes: 1000 }),
      'exited',
    );
    expect(exit).toMatchObject({ exitCode: 2, stdout: 'a'.repeat(1000), stdoutTruncated: true, stderr: 'done\n', stderrTruncated: false });
    expect(exit.stdoutBytes).toBe(50_000_000);
  });

  test('stderr has a bound of its own', async () => {
    const exit = expectKind(await rig.sh('head -c 5000 /dev/zero >&2; echo out', { stderrBytes: 7 }), 'exited');
    expect(exit).toMatchObject({
      stdout: 'out\n',
      stdoutTruncated: false,
      stderr: '\0'.repeat(7),
      stderrBytes: 5000,
      stderrTruncated: true,
    });
  });

  test('endless output until the deadline', async () => {
    const exit = expectKind(
      await rig.sh('exec yes', { stdoutBytes: 4, killGraceMs: 0, onFirstLine: ({ replaceTimeout }) => replaceTimeout(300) }),
      'timed-out',
    );
    expect(exit).toMatchObject({ stdout: 'y\ny\n', stdoutTruncated: true });
    expect(exit.stdoutBytes).toBeGreaterThan(1_000_000);
    await until('it is dead', () => !isRunning(exit.pid));
  });

  test.each([
    [0, ''],
    [1, ''],
    [2, ''],
    [3, '€'],
    [4, '€'],
    [5, '€'],
    [6, '€€'],
    [7, '€€x'],
  ])('a cap of %i bytes leaves whole characters', async (stdoutBytes, stdout) => {
    const exit = await rig.sh("printf '€€xyz'", { stdoutBytes });
    expect(exit).toMatchObject({ stdout, stdoutBytes: 9, stdoutTruncated: true, invalidUtf8: false });
  });

  test('exactly the cap is not truncated', async () => {
    expect(await rig.sh('printf 12345', { stdoutBytes: 5 })).toMatchObject({ stdout: '12345', stdoutBytes: 5, stdoutTruncated: false });
  });

  test('a process that is left running is read from, and can go on, until the reader is gone', async () => {
    const loop = 'while :; do head -c 100000 /dev/zero || exit; n=$((n + 1)); echo $n >> count; done';
    const exit = await rig.sh(`(echo $BASHPID > writer; ${loop}) & until [ -s count ]; do sleep 0.01; done`);
    expect(exit).toMatchObject({ kind: 'exited', leftProcesses: expect.any(Number) });
    const writer = await rig.pid('writer');
    const written = Number(readFileSync(rig.path('count'), 'utf8').trim().split('\n').at(-1));
    await until('it has written more', () => readFileSync(rig.path('count'), 'utf8').includes(`\n${written + 20}\n`));
    expect(isRunning(writer)).toBe(true);
    await rig.spawner.dispose();
    await until('it has ended by itself', () => !isRunning(writer));
  });

  test('so is a daemon that left the group', async () => {
    const exit = await rig.sh(
      "setsid sh -c 'echo $$ > writer; while :; do echo on; echo >> count; sleep 0.01; done' & until [ -s count ]; do sleep 0.01; done",
    );
    expect(exit).toMatchObject({ kind: 'exited', leftProcesses: expect.any(Number) });
    const writer = await rig.pid('writer');
    const written = readFileSync(rig.path('count'), 'utf8').length;
    await until('it has written more', () => readFileSync(rig.path('count'), 'utf8').length > written + 20);
    expect(isRunning(writer)).toBe(true);
  });
});

describe('BoundedOutput', () => {
  test('keeps the head, counts the rest, and keeps no chunk', () => {
    const output = new BoundedOutput(4);
    const chunk = Buffer.from('abc');
    output.add(chunk, 3);
    chunk.fill('x');
    expect(output).toMatchObject({ bytes: 3, isFull: false });
    output.add(Buffer.from('defghij and what stood there before'), 7);
    expect(output).toMatchObject({ bytes: 10, isFull: true });
    expect(output.read(3)).toMatchObject({ text: 'abc', truncated: true });
    expect(output.read(9)).toEqual({ text: 'abcd', bytes: 10, truncated: true, invalidUtf8: false });
    output.forgetText();
    output.add(Buffer.from('k'), 1);
    expect(output.read(9)).toEqual({ text: '', bytes: 11, truncated: true, invalidUtf8: false });
  });
});

describe('withoutCutCharacter', () => {
  const emoji = Buffer.from('a😀');
  test.each([
    ['nothing', Buffer.alloc(0), 0],
    ['ASCII', Buffer.from('abc'), 3],
    ['a whole character of four bytes', emoji, 5],
    ['three bytes of four', emoji.subarray(0, 4), 1],
    ['two bytes of four', emoji.subarray(0, 3), 1],
    ['one byte of four', emoji.subarray(0, 2), 1],
    ['one byte of two', Buffer.from('é').subarray(0, 1), 0],
    ['bytes that were wrong before', Buffer.from([0x61, 0x80, 0x80, 0x80, 0x80]), 5],
    ['a byte that never occurs in UTF-8', Buffer.from([0x61, 0xff, 0x61]), 3],
  ])('%s', (_name, bytes, length) => {
    expect(withoutCutCharacter(bytes)).toEqual(bytes.subarray(0, length));
  });
});

test('bytes are decoded like those of a web page, except that a byte order mark stays', () => {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const texts = ['', 'abc', '\ufeffé€😀', 'a\0b'].map((text) => Buffer.from(text));
  const invalid = [[0x80], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0x61, 0xc0, 0x80, 0x62], [0xed, 0xa0, 0x80], [0xef, 0xbb, 0xbf, 0xff]];
  for (const bytes of [...texts, ...invalid.map((list) => Buffer.from(list))]) {
    const output = new BoundedOutput(100);
    output.add(bytes, bytes.length);
    const isValid = texts.includes(bytes);
    expect(output.read(100)).toEqual({ text: decoder.decode(bytes), bytes: bytes.length, truncated: false, invalidUtf8: !isValid });
  }
});

test('outputs share no memory', () => {
  const [one, other] = [new BoundedOutput(2000), new BoundedOutput(2000)];
  one.add(Buffer.from('a'.repeat(600)), 600);
  other.add(Buffer.from('b'.repeat(600)), 600);
  one.add(Buffer.from('c'.repeat(600)), 600);
  expect([one, other].map((output) => output.read(2000).text)).toEqual(['a'.repeat(600) + 'c'.repeat(600), 'b'.repeat(600)]);
});
