import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { CuttablePath } from '../../../packages/testing/test/transports/cuttable-path.js';
import { testWithNats } from '../../support/nats-server.js';
import { until } from '../../support/until.js';
import { ask, type ServeScene, withServeScene } from './serve-scene.js';

const requests = 240;
const atOnce = 40;

describe.each([[[]], [['--at-least-once']]])('with %j', (args) => {
  testWithNats('SIGTERM to one of two workers under load loses no request, and the worker exits with 0', () =>
    withServeScene(async (scene) => {
      const [first, second] = [await scene.worker('echo no >&2; exit 2', args), await scene.worker('echo no >&2; exit 2', args)];
      const agent = await scene.agent({ atLeastOnce: args.length > 0 });
      const verdicts: unknown[] = [];
      let asked = 0;
      const askInTurn = async () => {
        while (asked < requests) {
          asked += 1;
          if (asked === 100) first.kill('SIGTERM');
          const { output, error } = await ask(agent);
          verdicts.push(error?.code ?? output?.verdict.kind);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, askInTurn));
      expect(verdicts).toEqual(Array.from({ length: requests }, () => 'deny'));
      second.kill('SIGTERM');
      const ended = [await first.ended, await second.ended];
      expect(ended.map(({ status }) => status)).toEqual([0, 0]);
      const answered = ended.map(({ stderr }) => Number(/note: answered (\d+) request/.exec(stderr)?.[1]));
      // Each request was carried out once.
      expect(answered.reduce((sum, count) => sum + count)).toBe(requests);
      expect(Math.min(...answered)).toBeGreaterThan(0);
    }),
  );
});

/** A worker whose connection can be cut, and a request that it runs. The hook waits until `answer()`. */
async function withRunningRequest(scene: ServeScene, args: readonly string[]) {
  const way = await CuttablePath.open({ port: 0 }, { port: scene.server.port, host: '127.0.0.1' });
  const gate = join(scene.directory, 'gate');
  expect(spawnSync('mkfifo', [gate]).status).toBe(0);
  const command = `read -r word < ${gate}; echo "$word" >&2; exit 2`;
  const worker = await scene.worker(command, ['--nats', `127.0.0.1:${way.port}`, '--json', ...args]);
  // The agent does not look for the worker so often that it would give up meanwhile.
  const agent = await scene.agent({ aliveMs: 60_000 });
  const started = new Promise<void>((resolve) => {
    agent.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => payload.kind === 'hook-started' && resolve());
  });
  const response = ask(agent);
  await started;
  const reconnect = way.cut();
  await until('the worker has lost the connection', () => worker.stderr().includes('the connection is lost'));
  worker.kill('SIGTERM');
  appendFileSync(gate, 'late\n');
  await until('the hook has answered', () => worker.stdout().includes('"verdict":"deny"'));
  return { worker, response, way, reconnect, agent };
}

testWithNats('SIGTERM while the connection of a worker is lost: its last answers arrive when it is back', () =>
  withServeScene(async (scene) => {
    const { worker, response, way, reconnect } = await withRunningRequest(scene, ['--drain-timeout', '60000']);
    reconnect();
    expect((await response).output?.verdict).toMatchObject({ kind: 'deny', reason: 'late' });
    const { status, stderr } = await worker.ended;
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('may not have arrived')]);
    await way.close();
  }),
);

testWithNats('a worker whose connection does not come back in time warns that its last answers may not have arrived', () =>
  withServeScene(async (scene) => {
    const { worker, response, way, agent } = await withRunningRequest(scene, ['--drain-timeout', '20']);
    const { status, stderr } = await worker.ended;
    expect(status).toBe(0);
    expect(stderr).toContain('warning: default: the connection is lost. The last answers may not have arrived.');
    await agent.close();
    expect((await response).error?.code).toBe('disposed');
    await way.close();
  }),
);

testWithNats('a worker without a connection that owes no answer ends without a warning', () =>
  withServeScene(async (scene) => {
    const worker = await scene.worker('exit 0', [], { DEBUG: 'tenterhook:nats' });
    const agent = await scene.agent();
    expect((await ask(agent)).success).toBe(true);
    await until('the worker owes no answer', () => worker.stderr().includes('the server has all answers'));
    await scene.server.kill();
    await until('the worker has lost the connection', () => worker.stderr().includes('the connection is lost'));
    worker.kill('SIGTERM');
    const { status, stderr } = await worker.ended;
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('may not have arrived')]);
  }),
);
