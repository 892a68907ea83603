import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageBus } from '@tenterhook/bus';
import { connectToNats } from '@tenterhook/transport-nats';
import { listenOnSocket } from '@tenterhook/transport-socket';
import { connectMs, NatsServer, testWithNats } from '../../support/nats-server.js';
import { runCli } from '../../support/run-cli.js';
import { startCli } from '../../support/running-cli.js';
import { until } from '../../support/until.js';
import { ask, channel, serving, writeProject } from './serve-scene.js';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'th-serve-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const project = (name: string, command: string) => writeProject(join(directory, name), command);

test('a worker on a socket answers, and after SIGTERM finishes what runs, takes nothing new and exits with 0', async () => {
  const path = join(directory, 'bus');
  const gate = join(directory, 'gate');
  expect(spawnSync('mkfifo', [gate]).status).toBe(0);
  const hub = await listenOnSocket({ path });
  const agent = new MessageBus({ transport: hub });
  const worker = startCli(['serve', '--socket', path], { cwd: project('web', `read -r word < ${gate}; echo "$word" >&2; exit 2`) });
  try {
    await serving(worker);
    const started = new Promise<void>((resolve) => {
      agent.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => payload.kind === 'hook-started' && resolve());
    });
    const running = ask(agent);
    await started;
    worker.kill('SIGTERM');
    for (let code: string | undefined; code !== 'no_responders'; ) {
      // A request that still reaches the worker waits for the gate, too.
      code = (await agent.request(channel, { eventName: 'Notification', input: { notification_type: 'x', message: '' } as never })).error
        ?.code;
    }
    appendFileSync(gate, 'late\n');
    expect((await running).output?.verdict).toMatchObject({ kind: 'deny', reason: 'late' });
    const { status, stderr } = await worker.ended;
    expect(status).toBe(0);
    expect(stderr).toMatch(/note: answered \d+ requests?\.\n$/);
  } finally {
    worker.kill('SIGKILL');
    await worker.ended;
    await agent.close();
    await hub.close();
  }
});

testWithNats('a worker on NATS serves each namespace with its own settings, logs lines of JSON, and reports its health', async () => {
  const server = await NatsServer.start();
  const names = ['web', 'shop'];
  const namespaces = names.flatMap((name) => ['--namespace', `${name}=${project(name, `echo "no ${name}" >&2; exit 2`)}`]);
  const worker = startCli(['serve', '--nats', server.url, ...namespaces, '--json', '--health-port', '0'], { cwd: directory });
  const opened: { close(): Promise<void> }[] = [];
  try {
    await serving(worker);
    const reasons: unknown[] = [];
    for (const namespace of [...names, 'other']) {
      const transport = await connectToNats({ servers: server.url, namespace, timeoutMs: connectMs });
      const bus = new MessageBus({ transport });
      opened.unshift(bus, transport);
      const { output, error } = await ask(bus);
      reasons.push(output?.verdict.reason ?? error?.code);
    }
    expect(reasons).toEqual(['no web', 'no shop', 'no_responders']);
    const port = /127\.0\.0\.1:(\d+)\/healthz/.exec(worker.stderr())?.[1];
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}/${path}`)).status;
    expect([await statusOf('healthz'), await statusOf('readyz'), await statusOf('other')]).toEqual([200, 200, 404]);
    const health = await (await fetch(`http://127.0.0.1:${port}/healthz`)).json();
    expect(health).toEqual({
      ready: true,
      namespaces: { web: { running: 0, answered: 1, denied: 1, failed: 0 }, shop: { running: 0, answered: 1, denied: 1, failed: 0 } },
    });
    await server.kill();
    await until('the worker is not ready', async () => (await statusOf('readyz')) === 503);
    expect(await statusOf('healthz')).toBe(200);
    await server.restart();
    await until('the worker is ready', async () => (await statusOf('readyz')) === 200);
    worker.kill('SIGTERM');
    const { status, stdout } = await worker.ended;
    expect(status).toBe(0);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ namespace, eventName, verdict }) => [namespace, eventName, verdict])).toEqual([
      ['web', 'BeforeTool', 'deny'],
      ['shop', 'BeforeTool', 'deny'],
    ]);
  } finally {
    worker.kill('SIGKILL');
    await worker.ended;
    for (const { close } of opened.map((one) => ({ close: () => one.close() }))) await close();
    await server.stop();
  }
});

test('SIGTERM during the attempt to connect ends the worker at once, with 0', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const connected = once(silent, 'connection');
  const address = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const worker = startCli(['serve', '--nats', address], { cwd: project('web', 'exit 0') });
  try {
    await connected;
    worker.kill('SIGTERM');
    const { status, stderr } = await worker.ended;
    expect(status).toBe(0);
    expect(stderr).not.toContain('invalid_request');
  } finally {
    worker.kill('SIGKILL');
    await worker.ended;
    silent.close();
  }
});

test('a worker whose messages have no reader any more finishes what runs', async () => {
  const path = join(directory, 'bus');
  const gate = join(directory, 'gate');
  expect(spawnSync('mkfifo', [gate]).status).toBe(0);
  const hub = await listenOnSocket({ path });
  const agent = new MessageBus({ transport: hub });
  const cwd = project('web', `read -r word < ${gate}; echo "$word" >&2; exit 2`);
  const worker = startCli(['serve', '--socket', path], { cwd });
  try {
    await serving(worker);
    const started = new Promise<void>((resolve) => {
      agent.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => payload.kind === 'hook-started' && resolve());
    });
    const running = ask(agent);
    await started;
    worker.closeStderr();
    worker.kill('SIGTERM');
    appendFileSync(gate, 'late\n');
    expect((await running).output?.verdict).toMatchObject({ kind: 'deny', reason: 'late' });
    expect((await worker.ended).status).toBe(0);
  } finally {
    worker.kill('SIGKILL');
    await worker.ended;
    await agent.close();
    await hub.close();
  }
});

testWithNats('a worker that may not subscribe to requests ends with the subject', async () => {
  const permissions = '{ publish: ["tenterhook.>"], subscribe: ["tenterhook.default.reply.>"] }';
  const server = await NatsServer.start(`authorization { users: [{ user: w, password: p, permissions: ${permissions} }] }`);
  try {
    const cwd = project('web', 'exit 0');
    const worker = startCli(['serve', '--nats', server.url, '--user', 'w'], { cwd, env: { NATS_PASSWORD: 'p' } });
    const { status, stderr } = await worker.ended;
    expect(status).toBe(1);
    expect(stderr).toContain('The NATS server does not permit what a worker needs.');
    expect(stderr).toContain('do not permit it to subscribe to "tenterhook.default.ask.*.*"');
    expect(stderr).not.toContain('note: serving');
  } finally {
    await server.stop();
  }
});

test.each([
  [[], 64, 'Pass where the agents are, with --socket <path> or --nats <url>'],
  [['--socket', 'a', '--nats', 'b'], 64, 'Pass where the agents are'],
  [['--socket', ''], 64, '--socket is empty'],
  [['--socket', 'a', '--namespace', 'x'], 64, '--namespace is for --nats'],
  [['--nats', 'nats://user:pass@b'], 64, '--nats must not contain a user or a password'],
  [['--nats', 'b', '--namespace', 'a.b'], 64, 'the name must have 1 to 64 letters'],
  [['--nats', 'b', '--namespace', 'a='], 64, 'the directory is empty'],
  [['--nats', 'b', '--namespace', 'a', '--namespace', 'a'], 64, '--namespace a is given twice'],
  [['--nats', 'b', '--max-in-flight', '0'], 64, '--max-in-flight must be an integer from 1'],
  [['--nats', 'b', '--drain-timeout', 'x'], 64, '--drain-timeout must be an integer from 0'],
  [['--nats', 'b', '--health-port', 'x'], 64, '--health-port must be an integer from 0 to 65535'],
  [['--nats', 'b', '--user', 'u'], 1, 'Set the environment variable NATS_PASSWORD'],
  [['--nats', 'b', '--credentials', 'missing.creds'], 1, 'missing.creds cannot be read'],
  [['--nats', 'nats://127.0.0.1:1'], 1, 'No NATS server accepted the connection at nats://127.0.0.1:1'],
])('serve %j exits with %d', async (args, status, message) => {
  const ran = await runCli(['serve', ...args], { cwd: directory });
  expect(ran).toMatchObject({ status, stderr: expect.stringContaining(message) });
  expect(ran.stderr).not.toContain('user:pass');
});
