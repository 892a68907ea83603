import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { type HookRig, type HookRun, hookRig } from '../../src/index.js';
import { endHosts, processesWith, socketOf, start, startRunOf, until } from './hosts.js';

let rig: HookRig;
beforeEach(async () => {
  rig = await hookRig();
});
afterEach(async () => {
  await rig.close();
  endHosts();
});

describe('close', () => {
  test('it ends every process, removes the socket, and may be called again', async () => {
    const socket = socketOf(rig);
    const runs = await Promise.all([startRunOf(rig, 'reading'), startRunOf(rig, 'stopped'), startRunOf(rig, 'deaf')]);
    const [reading, stopped, deaf] = runs.map(({ run }) => run) as [HookRun, HookRun, HookRun];
    void reading.stdin();
    await stopped.stop();
    await deaf.ignoreSignals('SIGTERM', 'SIGHUP');
    await Promise.all([rig.close(), rig.close()]);
    await rig.close();
    await Promise.all(runs.map(({ run }) => run.ended));
    await until(() => processesWith(socket).length === 0);
    expect(existsSync(dirname(socket))).toBe(false);
  });

  test('a hook that starts after close() reports it and fails', async () => {
    await rig.close();
    const { exit, stderr } = start(rig.command());
    expect((await exit).code).toBe(1);
    expect(await stderr).toContain('hook rig');
  });
});

describe('who else connects', () => {
  test.each([
    '\n',
    'no JSON\n',
    'null\n',
    '{"kind":"hook","pid":"1"}\n',
    '{"kind":"watcher","token":"9"}\n',
    `${'x'.repeat(17_000_000)}\n`,
  ])('a line that is not a message is the end of its connection, and of nothing else (%#)', async (line) => {
    const { run, stdout } = await startRunOf(rig);
    // The rig closes the connection while this client still writes, so the client gets a connection reset.
    const stranger = connect(socketOf(rig))
      .on('error', () => {})
      .resume();
    stranger.write(line);
    await new Promise((resolve) => stranger.once('close', resolve));
    await run.stdout('fine');
    await run.exit(0);
    expect(await stdout).toBe('fine');
  });

  test('a silent connection does not delay close()', async () => {
    const stranger = connect(socketOf(rig)).on('error', () => {});
    await once(stranger, 'connect');
    const gone = once(stranger, 'close');
    await Promise.all([rig.close(), gone]);
  });
});
