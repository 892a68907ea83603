import { join } from 'node:path';
import { readRecording } from '@tenterhook/recording';
import { testWithNats } from '../../support/nats-server.js';
import { runCli } from '../../support/run-cli.js';
import { startCli } from '../../support/running-cli.js';
import { until } from '../../support/until.js';
import { ask, type ServeScene, withServeScene, writeProject } from '../serving/serve-scene.js';

const secret = 'password=swordfish-swordfish';

const deny = 'cat >/dev/null; echo no >&2; exit 2';

/** Everything that the stream has stored, as the server returns it. */
async function storedIn(scene: ServeScene, stream: string): Promise<string> {
  const raw = await scene.raw();
  const { state } = (await raw.request(`$JS.API.STREAM.INFO.${stream}`)).json<{ state: { first_seq: number; last_seq: number } }>();
  let text = '';
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const got = (await raw.request(`$JS.API.STREAM.MSG.GET.${stream}`, JSON.stringify({ seq }))).json<{ message: { data: string } }>();
    text += Buffer.from(got.message.data, 'base64').toString();
  }
  return text;
}

async function fromStream(scene: ServeScene, stream: string, name: string) {
  const args = ['record', '--nats', scene.server.url, '--from-stream', stream, '--to', name];
  const ran = await runCli(args, { cwd: scene.directory });
  expect(ran.status).toBe(0);
  return readRecording(join(scene.directory, name));
}

testWithNats('workers record to a stream, masked, and the stream is read as a recording that can be replayed', () =>
  withServeScene(async (scene) => {
    const args = ['--record-stream', 'hooks', '--secret', 'PLAN', '--stream-max-bytes', '1000000', '--stream-max-age', '60000'];
    const env = { PLAN: 'correct-horse-battery' };
    const workers = [await scene.worker(deny, args, env), await scene.worker(deny, args, env)];
    const agent = await scene.agent();
    for (let count = 0; count < 10; count += 1) await ask(agent, `${secret} and correct-horse-battery`);
    for (const worker of workers) {
      worker.kill('SIGTERM');
      expect((await worker.ended).status).toBe(0);
    }
    const stored = await storedIn(scene, 'hooks');
    expect(stored).not.toMatch(/swordfish|correct-horse/);
    expect(stored).toContain('⟦secret:PLAN⟧');
    const recording = await fromStream(scene, 'hooks', 'run.bus.jsonl');
    expect(recording.problems).toEqual([]);
    expect(recording.exchanges.map(({ state, progress }) => [state, progress.length])).toEqual(Array(10).fill(['answered', 0]));
    const cwd = writeProject(join(scene.directory, 'replay'), deny);
    const replay = await runCli(['replay', join(scene.directory, 'run.bus.jsonl'), '--secret', 'PLAN'], { cwd, env });
    expect(replay).toMatchObject({ status: 0, stdout: expect.stringContaining('10 same') });
  }),
);

testWithNats('a recorder on the bus keeps a namespace in a stream or in a file until it is interrupted', () =>
  withServeScene(async (scene) => {
    const worker = await scene.worker(deny);
    const base = ['record', '--nats', scene.server.url];
    const recorders = [
      startCli([...base, '--to-stream', 'watch', '--progress'], { cwd: scene.directory }),
      startCli([...base, '--to', 'watch.bus.jsonl'], { cwd: scene.directory }),
    ];
    try {
      for (const recorder of recorders) await until('it records', () => recorder.stderr().includes('note: recording default on'));
      const agent = await scene.agent();
      for (let count = 0; count < 3; count += 1) await ask(agent);
      await agent.flush();
      worker.kill('SIGTERM');
      await worker.ended;
      for (const recorder of recorders) recorder.kill('SIGINT');
      expect(await Promise.all(recorders.map(async ({ ended }) => (await ended).status))).toEqual([0, 0]);
    } finally {
      for (const recorder of recorders) recorder.kill('SIGKILL');
    }
    const recordings = [await fromStream(scene, 'watch', 'copy.bus.jsonl'), await readRecording(join(scene.directory, 'watch.bus.jsonl'))];
    for (const { exchanges } of recordings) {
      expect(exchanges.map(({ state, progress }) => [state, progress.length > 0])).toEqual(Array(3).fill(['answered', true]));
    }
  }),
);

test.each([
  [['--to-stream', 'x'], 64, '--to-stream is for --nats'],
  [['--nats', ''], 64, '--nats is empty'],
  [['--nats', 'nats://user:pass@b'], 64, '--nats must not contain a user or a password'],
  [['--nats', 'b', '--to-stream', 'x', '--to', 'y'], 64, 'A recording has one place'],
  [['--nats', '127.0.0.1:1', '--to', 'y'], 1, 'No NATS server accepted the connection'],
])('record %j exits with %d', async (args, status, message) => {
  const words = args[0] === '--to-stream' ? ['record', ...args, '--socket', 'a'] : ['record', ...args];
  const ran = await runCli(words, { cwd: process.cwd() });
  expect(ran).toMatchObject({ status, stderr: expect.stringContaining(message) });
  expect(ran.stderr).not.toContain('user:pass');
});

testWithNats('a stream that does not exist is not created by reading it', () =>
  withServeScene(async (scene) => {
    const ran = await runCli(['record', '--nats', scene.server.url, '--from-stream', 'none', '--to', 'y'], { cwd: scene.directory });
    expect(ran).toMatchObject({ status: 1, stderr: expect.stringContaining('--from-stream none: There is no stream none.') });
  }),
);
