import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { transformSync } from '@swc/core';
import { type HookRig, hookRig } from '../../src/index.js';
import { asHost, endHosts, isRunning, processesWith, start, until } from './hosts.js';

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
    const place = transpiled();
    const script = `
      import { spawn } from 'node:child_process';
      import { hookRig } from './dist/rig/hook-rig.js';
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
    writeFileSync(join(place, 'owner.js'), script);
    const owner = spawn(process.execPath, [join(place, 'owner.js')], { stdio: ['ignore', 'pipe', 'inherit'] });
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

/** The rig for a process of its own, made from the sources, so that no built package has to be there. */
function transpiled(): string {
  const folder = join(import.meta.dirname, '../..');
  const place = mkdtempSync(join(tmpdir(), 'hook-rig-test-'));
  mkdirSync(join(place, 'dist/rig'), { recursive: true });
  writeFileSync(join(place, 'package.json'), '{ "type": "module" }');
  cpSync(join(folder, 'bin'), join(place, 'bin'), { recursive: true });
  // The rig alone: the conformance suites have dependencies that are not here.
  for (const name of readdirSync(join(folder, 'src/rig'))) {
    const { code } = transformSync(readFileSync(join(folder, 'src/rig', name), 'utf8'), {
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
      module: { type: 'es6' },
    });
    writeFileSync(join(place, 'dist/rig', name.replace(/\.ts$/, '.js')), code);
  }
  return place;
}
