import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { certificate, certificateKey } from '../../support/localhost-certificate.js';
import { testWithNats } from '../../support/nats-server.js';
import { runCli } from '../../support/run-cli.js';
import { ask, ServeScene, withServeScene } from './serve-scene.js';

const deny = 'cat >/dev/null; echo no >&2; exit 2';

/** Writes a file into the directory of the scene, and returns its path. */
function file(scene: ServeScene, name: string, text: string): string {
  const path = join(scene.directory, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

/** A FIFO that a hook reads. Writing a line lets one hook go on. */
function gate(scene: ServeScene): string {
  const path = join(scene.directory, 'gate');
  expect(spawnSync('mkfifo', [path]).status).toBe(0);
  return path;
}

testWithNats('a token is read from a file or from the environment, and a wrong one is not shown', () =>
  withServeScene(async (scene) => {
    await scene.worker(deny, ['--token-file', file(scene, 'token', 'right-token\n')]);
    await scene.worker(deny, [], { NATS_TOKEN: 'right-token' });
    expect((await ask(await scene.agent({ token: 'right-token' }))).output?.verdict.kind).toBe('deny');
    const args = ['serve', '--nats', scene.server.url, '--token-file', file(scene, 'wrong', 'wrong-secret')];
    const ran = await runCli(args, { cwd: scene.directory });
    expect(ran).toMatchObject({ status: 1, stderr: expect.stringContaining('refused the credentials') });
    expect(ran.stderr).not.toContain('wrong-secret');
  }, 'authorization { token: "right-token" }'),
);

testWithNats('a password is read from a file', () =>
  withServeScene(async (scene) => {
    await scene.worker(deny, ['--user', 'w', '--password-file', file(scene, 'password', 'p')]);
  }, 'authorization { user: w, password: p }'),
);

testWithNats('the seed of an NKey is read from a file', async () => {
  const { createUser } = await import('@nats-io/nkeys');
  const key = createUser();
  await withServeScene(async (scene) => {
    await scene.worker(deny, ['--nkey-file', file(scene, 'seed', new TextDecoder().decode(key.getSeed()))]);
  }, `authorization { users: [ { nkey: ${key.getPublicKey()} } ] }`);
});

testWithNats('the certificate of the server is verified with the given authority', async () => {
  const scene = await ServeScene.start();
  try {
    const [cert, key] = [file(scene, 'cert.pem', certificate), file(scene, 'key.pem', certificateKey)];
    await scene.server.reconfigure(`tls { cert_file: ${JSON.stringify(cert)}, key_file: ${JSON.stringify(key)} }`);
    const address = ['--nats', `tls://localhost:${scene.server.port}`];
    await scene.worker(deny, [...address, '--tls-ca', cert]);
    const ran = await runCli(['serve', ...address], { cwd: scene.directory });
    expect(ran).toMatchObject({ status: 1, stderr: expect.stringContaining('No NATS server accepted the connection') });
  } finally {
    await scene.end();
  }
});

testWithNats('each namespace has a limit of its own', () =>
  withServeScene(async (scene) => {
    const way = gate(scene);
    const args = ['--namespace', 'web', '--namespace', 'shop', '--max-in-flight', 'web=1', '--max-in-flight', '100'];
    await scene.worker(`cat >/dev/null; read -r word < ${way}; echo "$word" >&2; exit 2`, args);
    const [web, shop] = [await scene.agent({ namespace: 'web' }), await scene.agent({ namespace: 'shop' })];
    const running = ['web', 'shop', 'shop'].map((name) => {
      const bus = name === 'web' ? web : shop;
      const started = new Promise<void>((resolve) => {
        bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => payload.kind === 'hook-started' && resolve());
      });
      return { started, response: ask(bus) };
    });
    for (const { started } of running) await started;
    expect((await ask(web)).error?.code).toBe('overloaded');
    // Opened for reading too, so that the end of one write is not the end of the input for the other hooks.
    const opened = openSync(way, constants.O_RDWR);
    writeSync(opened, 'late\n'.repeat(running.length));
    for (const { response } of running) expect((await response).output?.verdict.kind).toBe('deny');
    closeSync(opened);
  }),
);

testWithNats('a worker that allows it reports its load on the bus, and nothing else', () =>
  withServeScene(async (scene) => {
    const agent = await scene.agent();
    const worker = await scene.worker(deny, ['--load-query', '--at-least-once']);
    const query = (text: string) => agent.request('HOOK_SERVICE_QUERY', { query: text });
    await ask(agent);
    const { output } = await query('load');
    expect(output).toEqual({
      events: [],
      hooks: [],
      files: [],
      diagnostics: [],
      load: {
        worker: expect.stringMatching(new RegExp(`-${worker.pid}$`)),
        ready: true,
        running: 0,
        answered: 1,
        denied: 1,
        failed: 0,
        redelivered: 0,
        repeated: 0,
      },
    });
    expect((await query('describe')).error?.code).toBe('invalid_request');
    worker.kill('SIGTERM');
    await worker.ended;
    await scene.worker(deny);
    expect((await query('load')).error?.code).toBe('no_responders');
  }),
);

testWithNats('a worker accepts messages that are larger than the limit of the server', () =>
  withServeScene(async (scene) => {
    await scene.worker('grep -q ü && exit 2; exit 0', ['--large-messages']);
    const agent = await scene.agent({ largeMessages: true });
    const input = { tool_name: 'deploy', tool_input: { text: 'ü'.repeat(20_000) } };
    const { output } = await agent.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: input as never });
    expect(output?.verdict.kind).toBe('deny');
  }, 'max_payload: 32768'),
);

testWithNats('if a worker is killed, another one carries its request out again', () =>
  withServeScene(async (scene) => {
    const way = gate(scene);
    const args = ['--at-least-once', '--ack-wait', '1000', '--max-deliveries', '3'];
    const first = await scene.worker(`cat >/dev/null; read -r word < ${way}; exit 0`, args);
    const agent = await scene.agent({ atLeastOnce: true });
    const started = new Promise<void>((resolve) => {
      agent.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => payload.kind === 'hook-started' && resolve());
    });
    const response = ask(agent);
    await started;
    first.kill('SIGKILL');
    await scene.worker(deny, args);
    const { deliveries, output } = await response;
    // Ends the hook of the worker that was killed, if it still waits. Opened in this way, the FIFO blocks nothing.
    const opened = openSync(way, 'r+');
    writeSync(opened, 'end\n');
    closeSync(opened);
    expect([deliveries, output?.verdict.kind]).toEqual([2, 'deny']);
  }),
);

testWithNats('a worker that cannot use JetStream ends with what to do', () =>
  withServeScene(async (scene) => {
    const args = ['serve', '--nats', scene.server.url, '--user', 'b', '--at-least-once'];
    const ran = await runCli(args, { cwd: scene.directory, env: { NATS_PASSWORD: 'p' } });
    expect(ran).toMatchObject({ status: 1, stderr: expect.stringContaining('JetStream') });
  }, 'accounts { A { jetstream: enabled, users: [{ user: a, password: p }] }, B { users: [{ user: b, password: p }] } }'),
);

test.each([
  [['--ack-wait', '5000'], 64, '--ack-wait is for --at-least-once'],
  [['--at-least-once', '--ack-wait', '5'], 64, '--ack-wait must be an integer from 1000'],
  [['--max-in-flight', 'web=5'], 64, 'the worker does not serve web'],
  [['--max-in-flight', '5', '--max-in-flight', '6'], 64, '--max-in-flight is given twice'],
  [['--tls-cert', 'a'], 64, '--tls-cert and --tls-key belong together'],
  [['--password-file', 'a'], 64, '--password-file needs --user'],
  [['--token-file', 'missing'], 1, '--token-file missing cannot be read'],
  [['--record-stream', 'x', '--stream-max-age', '5h', '--socket', 's'], 64, 'Pass where the agents are'],
])('serve --nats b %j exits with %d', async (args, status, message) => {
  const ran = await runCli(['serve', '--nats', '127.0.0.1:1', ...args], { cwd: process.cwd() });
  expect(ran).toMatchObject({ status, stderr: expect.stringContaining(message) });
});

test('on a socket, no stream keeps requests', async () => {
  const ran = await runCli(['serve', '--socket', 'bus', '--at-least-once'], { cwd: process.cwd() });
  expect(ran).toMatchObject({ status: 64, stderr: expect.stringContaining('--at-least-once is for --nats') });
});
