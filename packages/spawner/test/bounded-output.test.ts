import { appendFileSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { BoundedOutput, withoutCutCharacter } from '../src/bounded-output.js';
import { expectStatus, isRunning, openRig, type Rig, until } from './process-rig.js';

let rig: Rig;
beforeEach(() => {
  rig = openRig();
});
afterEach(() => rig.close());

describe('a process that writes more than is kept (field failure 40)', () => {
  test('its exit code counts, the head is kept, the rest is counted', async () => {
    const exit = expectStatus(
      await rig.sh("head -c 50000000 /dev/zero | tr '\\0' a; echo done >&2; exit 2", { stdoutBytes: 1000 }),
      'exited',
    );
    expect(exit).toMatchObject({ exitCode: 2, stdout: 'a'.repeat(1000), stdoutTruncated: true, stderr: 'done\n', stderrTruncated: false });
    expect(exit.stdoutBytes).toBeGreaterThan(1000);
    expect(exit.stdoutBytes).toBeLessThanOrEqual(50_000_000);
  });

  test('stderr has a bound of its own', async () => {
    const exit = expectStatus(await rig.sh('head -c 5000 /dev/zero >&2; echo out', { stderrBytes: 7 }), 'exited');
    expect(exit).toMatchObject({
      stdout: 'out\n',
      stdoutTruncated: false,
      stderr: '\0'.repeat(7),
      stderrBytes: 5000,
      stderrTruncated: true,
    });
  });

  test('endless output until the deadline, on a small file', async () => {
    let largest = 0;
    // The limit is far above what is asserted: should the bound fail, the test must not fill the memory.
    const running = rig.sh('readlink /proc/$$/fd/1 > where; ulimit -f 500000; exec yes', {
      stdoutBytes: 4,
      timeoutMs: 1500,
      killGraceMs: 0,
    });
    const file = await rig.line('where');
    const watch = setInterval(() => {
      largest = Math.max(largest, statSync(file, { throwIfNoEntry: false })?.size ?? 0);
    }, 5);
    const exit = expectStatus(await running, 'timed-out');
    clearInterval(watch);
    expect(exit).toMatchObject({ stdout: 'y\ny\n', stdoutTruncated: true });
    expect(exit.stdoutBytes).toBeGreaterThan(largest);
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

  test('a process that is left behind writing cannot fill the disk', async () => {
    // Not as fast as it could be: should the test fail, or the machine be slow, it must not fill the memory either.
    const loop = 'n=0; while :; do head -c 100000 /dev/zero; n=$((n + 1)); echo $n >> count; sleep 0.01; done';
    const exit = await rig.sh(`(echo $BASHPID > writer; ${loop}) & readlink /proc/$$/fd/1 > where`);
    const [writer, file] = [await rig.pid('writer'), await rig.line('where')];
    expect(exit).toMatchObject({ status: 'exited' });
    await until('10 MB are written', () => readFileSync(rig.path('count'), 'utf8').includes('100\n'));
    expect(statSync(file).size).toBeLessThan(5_000_000);
    process.kill(writer, 'SIGKILL');
    await until('the file is removed', () => statSync(file, { throwIfNoEntry: false }) === undefined);
  });

  test('nor can a daemon that left the group and writes on, when nobody else is left', async () => {
    const loop = 'n=0; while :; do head -c 100000 /dev/zero; n=$((n + 1)); echo $n >> count; sleep 0.01; done';
    const exit = await rig.sh(
      `readlink /proc/$$/fd/1 > where; (setsid sh -c 'echo $$ > writer; ${loop}' &) ; until [ -s writer ]; do sleep 0.01; done`,
    );
    const [writer, file] = [await rig.pid('writer'), await rig.line('where')];
    expect(exit).toMatchObject({ status: 'exited', leftProcesses: 0 });
    await until('20 MB are written', () => readFileSync(rig.path('count'), 'utf8').includes('200\n'));
    expect(readlinkSync(`/proc/${writer}/fd/1`)).toBe(file);
    expect(statSync(file).size).toBeLessThan(10_000_000);
    process.kill(writer, 'SIGKILL');
  });
});

describe('BoundedOutput', () => {
  test('counts what it throws away, and is no larger than the cap after each look', () => {
    const output = new BoundedOutput(rig.path('o1'), 4);
    appendFileSync(output.path, 'ab');
    output.bound();
    expect(output.bytes).toBe(2);
    appendFileSync(output.path, 'cdefgh');
    output.bound();
    expect([output.bytes, statSync(output.path).size]).toEqual([8, 0]);
    appendFileSync(output.path, 'ij');
    output.bound();
    expect(output.read()).toEqual({ text: 'abcd', bytes: 10, truncated: true, invalidUtf8: false, emptied: false });
    output.close();
  });

  test('never takes a file that is there', () => {
    appendFileSync(rig.path('o1'), '');
    expect(() => new BoundedOutput(rig.path('o1'), 4)).toThrow('EEXIST');
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
    ['a byte that never stands in UTF-8', Buffer.from([0x61, 0xff, 0x61]), 3],
  ])('%s', (_name, bytes, length) => {
    expect(withoutCutCharacter(bytes)).toEqual(bytes.subarray(0, length));
  });
});
