import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HookRig, hookRig } from '../../src/index.js';
import { startFloodable } from './floodable-hook.js';
import { endHosts, isRunning, startRunOf } from './hosts.js';

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

  test('input that is not JSON is said to be none', async () => {
    const { run, child } = await startRunOf(rig);
    child.stdin?.end('{"half":');
    await expect(run.input()).rejects.toMatchObject({ code: 'malformed', message: expect.stringContaining('{"half":') });
  });

  test('a hook without a command to read does not read its input, and still ends', async () => {
    const { run, child, exit } = await startRunOf(rig);
    const gone = once(child.stdin as NodeJS.WritableStream, 'error');
    child.stdin?.write('x'.repeat(1_000_000));
    await run.stdout('done');
    expect(child.stdin?.writableLength).toBeGreaterThan(0);
    await run.exit(0);
    expect(await exit).toEqual({ code: 0, signal: null });
    expect(await gone).toMatchObject([{ code: expect.stringMatching(/EPIPE|ECONNRESET/) }]);
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

  test('a flood into a pipe without a reader says EPIPE', async () => {
    const { child, run } = await startFloodable(rig);
    child.stdout?.destroy();
    await expect(run.flood({ stream: 'stdout', bytes: 100_000_000 })).rejects.toMatchObject({ code: 'EPIPE' });
  });
});
