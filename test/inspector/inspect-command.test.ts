import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { jest } from '@jest/globals';
import { noOtherHome } from '../support/environment.js';
import { bin, runCli, spawnCli } from '../support/run-cli.js';
import { startCli } from '../support/running-cli.js';
import { until } from '../support/until.js';
import { AgentProcess, agentProgram, createPlaces, type Places } from './agent-process.js';
import { startInspect } from './page-client.js';

// A test starts several processes, each of which takes seconds on a busy machine.
jest.setTimeout(300_000);

let places: Places;
let agents: AgentProcess[];
beforeEach(() => {
  places = createPlaces();
  agents = [];
});
afterEach(async () => {
  await Promise.all(agents.map((agent) => agent.kill()));
  places.remove();
});

function isPrivateDirectoryOf(pid: number | undefined, name: string): boolean {
  return new RegExp(`^tenterhook-inspect-\\d+-${pid}-`).test(name);
}

async function startAgent(variables?: Readonly<Record<string, string>>): Promise<AgentProcess> {
  const agent = new AgentProcess(places, variables);
  agents.push(agent);
  await until('the agent is ready', () => agent.isReady);
  return agent;
}

test('18. one running agent is attached without an argument', async () => {
  const agent = await startAgent();
  const { cli, client } = await startInspect([], places);
  const page = await client();
  const followed = await page.follow();
  agent.fire('a.txt');
  await followed.until('the row is answered', ({ rows }) => rows.get(0)?.state === 'answered');
  expect(followed.rows.get(0)).toMatchObject({
    event: 'BeforeTool',
    subject: 'write_file',
    session: 's1',
    verdict: 'deny',
    run: 1,
    all: 2,
  });
  expect((await page.json('/api/about')).source).toMatchObject({ kind: 'live', pid: agent.pid, version: '0.1.0', canBeAsked: true });
  expect(await page.json('/api/agents')).toMatchObject([{ pid: agent.pid, isAttached: true, cwd: places.cwd }]);
  cli.kill('SIGINT');
  expect(await cli.ended).toMatchObject({ status: 0, stdout: '' });
  expect(await agent.end()).toBe(7);
});

test('18. without an agent the command says what to do, and of several it prints a list', async () => {
  const none = await runCli(['inspect'], places);
  expect(none).toMatchObject({ status: 1, stdout: '' });
  expect(none.stderr).toMatch(/No agent .* runs\. Start one with tenterhook inspect -- <command>, or with TENTERHOOK_INSPECT=1/);
  expect((await runCli(['inspect', '--list'], places)).stdout).toBe('No agent that others can attach to runs.\n');

  const [one, other] = [await startAgent(), await startAgent()];
  const several = await runCli(['inspect'], places);
  expect(several.status).toBe(1);
  for (const { pid } of [one, other]) expect(several.stdout).toContain(`${pid}  `);
  expect(several.stderr).toMatch(/2 agents run\. Pass --attach with the number of one of them/);
  const { agents: listed } = JSON.parse((await runCli(['inspect', '--list', '--json'], places)).stdout);
  expect(listed.map(({ pid }: { pid: number }) => pid).sort()).toEqual([one.pid, other.pid].sort());
  const { cli, client } = await startInspect(['--attach', String(other.pid)], places);
  expect((await (await client()).json('/api/about')).source.pid).toBe(other.pid);
  cli.kill('SIGINT');
  await cli.ended;
});

test('19. an agent that does not allow it is not listed, and one that was killed is forgotten', async () => {
  await startAgent({});
  const killed = await startAgent();
  await killed.kill();
  expect(readdirSync(places.entries)).toContain(`${killed.pid}.json`);
  expect(JSON.parse((await runCli(['inspect', '--list', '--json'], places)).stdout)).toEqual({ agents: [] });
  expect(readdirSync(places.entries)).not.toContain(`${killed.pid}.json`);
});

test('20. an agent that ends and is started again as another process goes on in the same list', async () => {
  const first = await startAgent();
  const { cli, client } = await startInspect([], places);
  const page = await client();
  const followed = await page.follow();
  first.fire('a.txt');
  await followed.until('the row is answered', ({ rows }) => rows.get(0)?.state === 'answered');
  await first.kill();
  await followed.until('the loss is shown', ({ lines }) => lines.some((line) => line.kind === 'connection' && line.state === 'lost'));
  const second = await startAgent();
  await followed.until('the new process is found', ({ lines }) => lines.some(({ kind }) => kind === 'gap'));
  second.fire('b.txt');
  await followed.until('the next row is answered', ({ rows }) => rows.get(1)?.state === 'answered');
  expect((await page.json('/api/about')).source).toMatchObject({ pid: second.pid, canBeAsked: true });
  expect(await page.json('/api/agents')).toMatchObject([{ pid: second.pid, isAttached: true }]);
  expect(followed.lines.filter(({ kind }) => kind === 'gap')).toEqual([{ kind: 'gap', from: 1, next: 1, why: 'disconnected' }]);
  for (const n of [0, 1]) expect((await page.details(n)).verdict?.kind).toBe('deny');
  const [one, other] = [...followed.rows.values()];
  expect((other?.at ?? 0) - (one?.at ?? 0)).toBeGreaterThan(0);
  cli.kill('SIGINT');
  expect((await cli.ended).status).toBe(0);
});

test('20. another agent of the same project, which ran before, is not shown in the place of one that was lost', async () => {
  const lost = await startAgent();
  const twin = await startAgent();
  const { cli, client } = await startInspect(['--attach', String(lost.pid)], places);
  const page = await client();
  const followed = await page.follow();
  lost.fire('a.txt');
  await followed.until('the row is answered', ({ rows }) => rows.get(0)?.state === 'answered');
  await lost.kill();
  await followed.until('the loss is shown', ({ lines }) => lines.some((line) => line.kind === 'connection' && line.state === 'lost'));
  const next = await startAgent();
  await followed.until('the new process is found', ({ lines }) => lines.some(({ kind }) => kind === 'gap'));
  expect((await page.json('/api/about')).source.pid).toBe(next.pid);
  expect(next.pid).not.toBe(twin.pid);
  cli.kill('SIGINT');
  expect((await cli.ended).status).toBe(0);
});

test('22. the exit status and the output of a command pass through, and the page shows its agent', async () => {
  const program = join(places.cwd, 'agent.mjs');
  writeFileSync(program, agentProgram);
  // As npm does it: the agent is a child of the command.
  const shell = `(read line; echo a.txt; read line) < gate | node agent.mjs`;
  writeFileSync(join(places.cwd, 'run.sh'), `mkfifo gate && ${shell}`);
  const { cli, client } = await startInspect(['--', 'bash', 'run.sh'], places);
  const followed = await (await client()).follow();
  const gate = openSync(join(places.cwd, 'gate'), 'w');
  writeSync(gate, 'go\n');
  await followed.until('the event is shown', ({ rows }) => rows.get(0)?.verdict === 'deny');
  // The command ends, and the page with it.
  writeSync(gate, 'go\n');
  closeSync(gate);
  const { status, stdout } = await cli.ended;
  expect([status, stdout]).toEqual([7, 'ready\ndeny\n']);
});

test('22. a signal to the inspector reaches its command, which decides how both end', async () => {
  writeFileSync(
    join(places.cwd, 'wait.mjs'),
    `${agentProgram.split("console.log('ready');")[0]}console.log('ready'); setInterval(() => {}, 1000);`,
  );
  const { cli } = await startInspect(['--', 'node', 'wait.mjs'], places);
  await until('the agent is ready', () => cli.stdout().includes('ready'));
  cli.kill('SIGTERM');
  expect(await cli.ended).toMatchObject({ status: 3, stdout: 'ready\ngot SIGTERM\n' });
});

test('22. a command that cannot be started, and one without an agent', async () => {
  expect(await startCli(['inspect', '--no-open', '--', './missing'], places).ended).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('./missing cannot be started'),
  });
  expect(await startCli(['inspect', '--no-open', '--', 'bash', '-c', 'exit 5'], places).ended).toMatchObject({
    status: 5,
    stderr: expect.stringContaining('nothing was shown: the command has not called createHooks()'),
  });
});

test('9. the token is in no argument, variable or output, and its file is private and removed when it was used', async () => {
  await startAgent();
  const { cli, file, client } = await startInspect([], places);
  expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
  const page = await client();
  expect(page.token).toMatch(/^[\w-]{43}$/);
  const holders: string[] = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    for (const name of ['cmdline', 'environ']) {
      try {
        if (readFileSync(`/proc/${pid}/${name}`, 'latin1').includes(page.token)) holders.push(`${pid} ${name}`);
      } catch {
        // The process has ended, or belongs to another user.
      }
    }
  }
  expect(holders).toEqual([]);
  expect((await page.get('/api/about')).status).toBe(200);
  await until('the file is gone', () => !existsSync(dirname(file)));
  cli.kill('SIGINT');
  const { stdout, stderr } = await cli.ended;
  expect(`${stdout}${stderr}`).not.toContain(page.token);
});

test('15. a directory that others can read, a link and an entry that others can write are ignored, and the command reports them', async () => {
  const agent = await startAgent();
  const entry = readFileSync(join(places.entries, `${agent.pid}.json`), 'utf8');
  writeFileSync(join(places.entries, '1.json'), entry);
  chmodSync(join(places.entries, '1.json'), 0o666);
  writeFileSync(join(places.cwd, 'entry.json'), entry);
  symlinkSync(join(places.cwd, 'entry.json'), join(places.entries, '2.json'));
  mkdirSync(join(places.entries, '3.json'));
  writeFileSync(join(places.entries, '4.json'), '{"pid":-1,"socket":"x"}');
  const listed = await runCli(['inspect', '--list', '--json'], places);
  expect(JSON.parse(listed.stdout).agents).toHaveLength(1);
  expect(listed.stderr).toMatch(/1\.json can be written by others \(mode 666\), and is ignored/);
  expect(listed.stderr).toMatch(/2\.json is not a regular file, and is ignored/);

  chmodSync(places.entries, 0o777);
  const refused = await runCli(['inspect', '--list', '--json'], places);
  expect(JSON.parse(refused.stdout)).toEqual({ agents: [] });
  expect(refused.stderr).toMatch(/Agents are not looked for\. .* must have the mode 700, and has 777/);
  chmodSync(places.entries, 0o700);
});

test('16. while the inspector is flooded with connections, each event of its agent is answered and shown', async () => {
  const agent = await startAgent();
  const { cli, client } = await startInspect([], places);
  const page = await client();
  const followed = await page.follow();
  const port = Number(new URL(page.url).port);
  const sockets: Socket[] = [];
  const flood = () => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => {});
    // Half a request, so that the connection is kept.
    socket.write('GET / HTTP/1.1\r\nHost: ');
    sockets.push(socket);
  };
  for (let index = 0; index < 20; index += 1) {
    for (let count = 0; count < 50; count += 1) flood();
    agent.fire(`${index}.txt`);
  }
  await until('all events are answered', () => agent.printed.split('deny').length === 21);
  await followed.until('all rows are shown', ({ rows }) => [...rows.values()].filter(({ verdict }) => verdict === 'deny').length === 20);
  for (const socket of sockets) socket.destroy();
  cli.kill('SIGINT');
  expect((await cli.ended).status).toBe(0);
});

test('17. an inspector that is killed leaves its agent alone, and its files are removed by the next one', async () => {
  const agent = await startAgent();
  const { cli, client } = await startInspect([], places);
  const followed = await (await client()).follow();
  agent.fire('a.txt');
  await followed.until('the row is answered', ({ rows }) => rows.get(0)?.state === 'answered');
  const left = () => readdirSync(tmpdir()).filter((name) => isPrivateDirectoryOf(cli.pid, name));
  expect(left()).not.toEqual([]);
  cli.kill('SIGKILL');
  await cli.ended;
  agent.fire('b.txt');
  await until('the agent goes on', () => agent.printed.split('deny').length === 3);
  const next = await startInspect([], places);
  expect(left()).toEqual([]);
  next.cli.kill('SIGINT');
  await next.cli.ended;
  expect(readdirSync(tmpdir()).filter((name) => isPrivateDirectoryOf(next.cli.pid, name))).toEqual([]);
});

test('42. Ctrl-C ends the inspector with open streams, and leaves no file', async () => {
  await startAgent();
  const { cli, client } = await startInspect([], places);
  const page = await client();
  const followed = await page.follow();
  await followed.until('the stream has begun', ({ lines }) => lines.length > 0);
  cli.kill('SIGINT');
  expect(await cli.ended).toMatchObject({ status: 0, signal: null });
  await expect(page.get('/')).rejects.toThrow();
  expect(readdirSync(tmpdir()).filter((name) => isPrivateDirectoryOf(cli.pid, name))).toEqual([]);
});

test('options that do not fit together, a port that is not valid and one that is taken are refused', async () => {
  const recording = join(places.cwd, 'run.bus.jsonl');
  writeFileSync(recording, '{"format":"tenterhook-bus-recording","version":1,"form":"full","masked":true,"placeholders":[]}\n');
  for (const [args, message] of [
    [['--attach', '1', '--socket', 'x'], 'Pass one of these'],
    [['--list', '--attach', '1'], '--list is used alone'],
    [['--json'], '--json needs --list'],
    [['--socket', ''], '--socket is empty'],
    [['--port', '0', '--recording', recording], '--port must be a number from 1 to 65535, and is "0"'],
    [['--port', '70000', '--recording', recording], '--port must be a number from 1 to 65535'],
    [['--host', '0.0.0.0'], 'unknown option'],
  ] as const) {
    const { status, stderr } = await runCli(['inspect', ...args], places);
    expect([args, status]).toEqual([args, 64]);
    expect(stderr).toContain(message);
  }
  const { cli, client } = await startInspect(['--recording', recording], places);
  const { port } = new URL((await client()).url);
  expect(await runCli(['inspect', '--recording', recording, '--port', port], places)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`Port ${port} of 127.0.0.1 cannot be used (EADDRINUSE)`),
  });
  cli.kill('SIGINT');
  expect((await cli.ended).status).toBe(0);
  expect(await runCli(['inspect', '--recording', 'missing'], places)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('there is no such file'),
  });
  expect(await runCli(['inspect', '--socket', 'missing'], places)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('No hub answered'),
  });
});

test('the address of the file is whole, also if the file is below the current directory', async () => {
  const recording = join(places.cwd, 'run.bus.jsonl');
  writeFileSync(recording, '{"format":"tenterhook-bus-recording","version":1,"form":"full","masked":true,"placeholders":[]}\n');
  const temporary = join(places.cwd, 'tmp');
  mkdirSync(temporary);
  const { cli, file, client } = await startInspect(['--recording', recording], { ...places, env: { ...places.env, TMPDIR: temporary } });
  expect(dirname(dirname(file))).toBe(temporary);
  expect((await (await client()).get('/api/about')).status).toBe(200);
  cli.kill('SIGINT');
  expect((await cli.ended).status).toBe(0);
});

test('a directory for temporary files that cannot be used, and one of entries that cannot be read, are errors with a remedy', async () => {
  const recording = join(places.cwd, 'run.bus.jsonl');
  writeFileSync(recording, '{"format":"tenterhook-bus-recording","version":1,"form":"full","masked":true,"placeholders":[]}\n');
  const missing = join(places.entries, 'missing');
  const refused = spawnCli(['inspect', '--no-open', '--recording', recording], { ...places, env: { ...places.env, TMPDIR: missing } });
  expect([refused.status, refused.stderr]).toEqual([
    1,
    `tenterhook: invalid_request: No file can be made in ${missing} (ENOENT), and the inspector needs private files. Set TMPDIR to a directory in which you can make files.\n`,
  ]);
  const agent = await startAgent();
  const live = spawnCli(['inspect', '--no-open', '--attach', String(agent.pid)], { ...places, env: { ...places.env, TMPDIR: missing } });
  expect([live.status, live.stderr]).toEqual([1, refused.stderr]);
  // As after su, when the variable still names the directory of the other user.
  const listed = await runCli(['inspect', '--list'], { ...places, env: { XDG_RUNTIME_DIR: recording } });
  expect([listed.status, listed.stdout]).toEqual([0, 'No agent that others can attach to runs.\n']);
  expect(listed.stderr).toBe(
    `tenterhook: warning: Agents are not looked for. run.bus.jsonl/tenterhook cannot be read (ENOTDIR). Set XDG_RUNTIME_DIR to a directory of yours.\n`,
  );
});

test('22. on a terminal, the page of a command that has ended stays until Ctrl-C', async () => {
  const program = join(places.cwd, 'short.mjs');
  writeFileSync(program, agentProgram);
  const terminal = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';
  const child = spawn('python3', ['-c', terminal, process.execPath, bin, 'inspect', '--no-open', '--', process.execPath, 'short.mjs'], {
    cwd: places.cwd,
    env: { ...process.env, ...noOtherHome, ...places.env },
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const ended = once(child, 'exit');
  await until('the page is offered', () => shown.replaceAll(/\s+/g, ' ').includes('Open '));
  // Ctrl-D ends the input of the agent.
  child.stdin.write('a.txt\n\u0004');
  await until('the command has ended', () =>
    shown.replaceAll(/\s+/g, ' ').includes('ended with exit status 7. Its page stays until Ctrl-C'),
  );
  child.stdin.write('\u0003');
  expect((await ended)[0]).toBe(7);
});
