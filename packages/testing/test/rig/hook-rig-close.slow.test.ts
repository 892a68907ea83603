import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type HookRig, hookRig } from '../../src/index.js';
import { asHost, endHosts, isRunning, processesWith, start, until } from './hosts.js';

/** The built module of the rig, which another process can import. */
const built = pathToFileURL(join(import.meta.dirname, '../../dist/rig/hook-rig.js')).href;

let rig: HookRig;
beforeEach(async () => {
  rig = await hookRig();
});
afterEach(async () => {
  await rig.close();
  endHosts();
});

describe('close', () => {
  test('hooks whose rig is gone end by themselves: reading, blocked, stopped, deaf or detached', async () => {
    const place = mkdtempSync(join(tmpdir(), 'hook-rig-test-'));
    const script = `
      import { spawn } from 'node:child_process';
      import { hookRig } from '${built}';
      const rig = await hookRig();
      const start = async () => { spawn('bash', ['-c', rig.command()], { stdio: ['pipe', 'pipe', 'ignore'], detached: true }); return rig.nextRun(); };
      const [reading, blocked, stopped, deaf] = [await start(), await start(), await start(), await start()];
      void reading.stdin().catch(() => {});
      void blocked.flood({ stream: 'stdout', bytes: 1e8 });
      await stopped.stop();
      await deaf.ignoreSignals('SIGTERM', 'SIGHUP', 'SIGINT');
      const fork = await deaf.fork({ detached: true, stdio: 'ignore' });
      console.log(JSON.stringify({ socket: rig.program().args[1], pids: [reading, blocked, stopped, deaf, fork].map(({ pid }) => pid) }));
    `;
    writeFileSync(join(place, 'owner.mjs'), script);
    const owner = spawn(process.execPath, [join(place, 'owner.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] });
    asHost(owner);
    const [line] = (await once(owner.stdout.setEncoding('utf8'), 'data')) as [string];
    const { socket, pids } = JSON.parse(line) as { socket: string; pids: number[] };
    expect(pids.map(isRunning)).toEqual([true, true, true, true, true]);
    owner.kill('SIGKILL');
    await until(() => processesWith(socket).length === 0);
    rmSync(dirname(socket), { recursive: true });
    rmSync(place, { recursive: true });
  });

  test('thirty hooks at once are all remote-controlled', async () => {
    const hooks = Array.from({ length: 30 }, (_, index) => start(rig.command(`hook ${index}`)));
    const runs = await Promise.all(hooks.map((_, index) => rig.nextRun(`hook ${index}`)));
    await Promise.all(runs.map((run, index) => run.stdout(`${index}`)));
    await Promise.all(runs.map((run, index) => run.exit(index)));
    expect(await Promise.all(hooks.map(async ({ exit, stdout }) => [(await exit).code, await stdout]))).toEqual(
      hooks.map((_, index) => [index, `${index}`]),
    );
  });
});
