import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HookRig, hookRig } from '../../src/index.js';
import { asHost, endHosts, isRunning, start, startRunOf } from './hosts.js';

let rig: HookRig;
beforeEach(async () => {
  rig = await hookRig();
});
afterEach(async () => {
  await rig.close();
  endHosts();
});

describe('input and output', () => {
  test('stdin is read when asked, and as often as one likes', async () => {
    const { run, child } = await startRunOf(rig);
    child.stdin?.end('{"tool_name":"grün"}');
    expect(await run.stdin()).toBe('{"tool_name":"grün"}');
    expect(await run.input()).toEqual({ tool_name: 'grün' });
  });

  test('input that is no JSON is said to be none', async () => {
    const { run, child } = await startRunOf(rig);
    child.stdin?.end('{"half":');
    await expect(run.input()).rejects.toMatchObject({ code: 'malformed', message: expect.stringContaining('{"half":') });
  });

  test('megabytes of stdin arrive whole', async () => {
    const { run, child } = await startRunOf(rig);
    const text = 'ä'.repeat(2_000_000);
    child.stdin?.end(text);
    expect((await run.stdin()) === text).toBe(true);
  });

  test('a hook that is not told to does not read its input, and ends all the same', async () => {
    const { run, child, exit } = await startRunOf(rig);
    const gone = once(child.stdin as NodeJS.WritableStream, 'error');
    child.stdin?.write('x'.repeat(1_000_000));
    await run.stdout('done');
    expect(child.stdin?.writableLength).toBeGreaterThan(0);
    await run.exit(0);
    expect(await exit).toEqual({ code: 0, signal: null });
    expect(await gone).toMatchObject([{ code: expect.stringMatching(/EPIPE|ECONNRESET/) }]);
  });

  test('a hook whose stdin never ends is ended while it reads', async () => {
    const { run, exit } = await startRunOf(rig);
    const reading = run.stdin();
    const refused = expect(reading).rejects.toMatchObject({ code: 'ended' });
    await run.exit(3);
    expect((await exit).code).toBe(3);
    await refused;
  });

  test.each(['pipe', 'file'])('stdin that is a %s is opened again by its path', async (kind) => {
    const place = mkdtempSync(join(tmpdir(), 'hook-rig-test-'));
    const file = join(place, 'input');
    start(kind === 'file' ? `echo one > ${file}; ${rig.command()} < ${file}` : `echo one | ${rig.command()}`);
    const run = await rig.nextRun();
    expect(await run.reopenStdin()).toBe('one\n');
    rmSync(place, { recursive: true });
  });

  test('stdin that is a socket cannot be opened again, and says so', async () => {
    const { run } = await startRunOf(rig);
    await expect(run.reopenStdin()).rejects.toMatchObject({ code: 'ENXIO' });
  });

  test('closed stdin breaks the pipe of who writes to it', async () => {
    const { run, child } = await startRunOf(rig);
    const broken = once(child.stdin as NodeJS.WritableStream, 'error');
    await run.closeStdin();
    child.stdin?.write('x');
    expect(await broken).toMatchObject([{ code: 'EPIPE' }]);
    await expect(run.stdin()).rejects.toMatchObject({ code: 'EBADF' });
    await run.exit(0);
  });

  test('text and bytes are written in order, and awaiting means written', async () => {
    const place = mkdtempSync(join(tmpdir(), 'hook-rig-test-'));
    const out = openSync(join(place, 'out'), 'a+');
    const { run } = await startRunOf(rig, undefined, ['ignore', out, out]);
    await run.stdout('grün ');
    expect(readFileSync(join(place, 'out'), 'utf8')).toBe('grün ');
    await run.stderr(Uint8Array.of(0, 255));
    expect([...readFileSync(join(place, 'out')).subarray(-2)]).toEqual([0, 255]);
    closeSync(out);
    rmSync(place, { recursive: true });
  });

  test('what nobody awaits is written before the exit', async () => {
    const { run, exit, stdout, stderr } = await startRunOf(rig);
    void run.stdout('one ');
    void run.stdout('two');
    void run.stderr('no');
    void run.exit(2);
    expect([await exit, await stdout, await stderr]).toEqual([{ code: 2, signal: null }, 'one two', 'no']);
  });

  test('closed output is at its end for the reader, while the hook goes on', async () => {
    const { run, stdout, stderr } = await startRunOf(rig);
    await run.stdout('all');
    await run.closeStdout();
    expect(await stdout).toBe('all');
    await run.closeStderr();
    expect(await stderr).toBe('');
    await expect(run.stdout('more')).rejects.toMatchObject({ code: 'EBADF' });
    expect(isRunning(run.pid)).toBe(true);
  });

  test.each(['stdout', 'stderr'] as const)('a flood of %s is as many bytes as were ordered', async (stream) => {
    const { run, child } = await startRunOf(rig);
    let count = 0;
    child[stream]?.removeAllListeners('data').on('data', (piece: string) => {
      count += piece.length;
    });
    await run.flood({ stream, bytes: 5_000_001, chunkBytes: 4096 });
    const end = once(child[stream] as NodeJS.ReadableStream, 'end');
    await run.exit(0);
    await end;
    expect(count).toBe(5_000_001);
  });

  test('a flood that nobody reads blocks, and is ended from outside', async () => {
    const { child, run, exit } = await startFloodable();
    const flooding = run.flood({ stream: 'stdout', bytes: 100_000_000 });
    const refused = expect(flooding).rejects.toMatchObject({ code: 'ended' });
    // Commands are still obeyed: a blocked write is not a deaf hook.
    await run.ignoreSignals('SIGTERM');
    child.kill('SIGTERM');
    await run.signalled('SIGTERM');
    child.kill('SIGKILL');
    await run.ended;
    await refused;
    expect((await exit).signal).toBe('SIGKILL');
  });

  test('a flood into a pipe without a reader says EPIPE', async () => {
    const { child, run } = await startFloodable();
    child.stdout?.destroy();
    await expect(run.flood({ stream: 'stdout', bytes: 100_000_000 })).rejects.toMatchObject({ code: 'EPIPE' });
  });

  test.each([{ bytes: -1 }, { bytes: Number.POSITIVE_INFINITY }, { bytes: 1, chunkBytes: 0 }])(
    'a flood of %j is wrong use',
    async (sizes) => {
      const { run } = await startRunOf(rig);
      await expect(run.flood({ stream: 'stdout', ...sizes })).rejects.toThrow(TypeError);
    },
  );

  /** Nobody reads its stdout. */
  async function startFloodable() {
    const child = spawn('bash', ['-c', rig.command()], { stdio: ['ignore', 'pipe', 'ignore'] });
    asHost(child);
    const exit = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
    return { child, exit, run: await rig.nextRun() };
  }
});
