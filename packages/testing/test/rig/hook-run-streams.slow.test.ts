import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HookRig, hookRig } from '../../src/index.js';
import { startFloodable } from './floodable-hook.js';
import { endHosts, start, startRunOf } from './hosts.js';

let rig: HookRig;
beforeEach(async () => {
  rig = await hookRig();
});
afterEach(async () => {
  await rig.close();
  endHosts();
});

describe('input and output', () => {
  test('megabytes of stdin arrive whole', async () => {
    const { run, child } = await startRunOf(rig);
    const text = 'ä'.repeat(2_000_000);
    child.stdin?.end(text);
    expect((await run.stdin()) === text).toBe(true);
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

  test('stdin that is a socket cannot be opened again, and the error reports it', async () => {
    const { run } = await startRunOf(rig);
    await expect(run.reopenStdin()).rejects.toMatchObject({ code: 'ENXIO' });
  });

  test('output that is not awaited is written before the exit', async () => {
    const { run, exit, stdout, stderr } = await startRunOf(rig);
    void run.stdout('one ');
    void run.stdout('two');
    void run.stderr('no');
    void run.exit(2);
    expect([await exit, await stdout, await stderr]).toEqual([{ code: 2, signal: null }, 'one two', 'no']);
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

  test('a flood that is not read blocks, and is ended from outside', async () => {
    const { child, run, exit } = await startFloodable(rig);
    const flooding = run.flood({ stream: 'stdout', bytes: 100_000_000 });
    const refused = expect(flooding).rejects.toMatchObject({ code: 'ended' });
    // A hook with a blocked write still obeys commands.
    await run.ignoreSignals('SIGTERM');
    child.kill('SIGTERM');
    await run.signalled('SIGTERM');
    child.kill('SIGKILL');
    await run.ended;
    await refused;
    expect((await exit).signal).toBe('SIGKILL');
  });

  test.each([{ bytes: -1 }, { bytes: Number.POSITIVE_INFINITY }, { bytes: 1, chunkBytes: 0 }])(
    'a flood of %j is wrong use',
    async (sizes) => {
      const { run } = await startRunOf(rig);
      await expect(run.flood({ stream: 'stdout', ...sizes })).rejects.toThrow(TypeError);
    },
  );
});
