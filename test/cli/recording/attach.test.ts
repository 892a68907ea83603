import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { MessageBus } from '@tenterhook/bus';
import { readRecording } from '@tenterhook/recording';
import { connectToSocket, listenOnSocket } from '@tenterhook/transport-socket';
import { type CreateHooksOptions, createHooks } from 'tenterhook';
import { withEnvironment } from '../../support/environment.js';
import { runCli } from '../../support/run-cli.js';
import { startCli } from '../../support/running-cli.js';
import { root } from '../../support/sources.js';
import { until } from '../../support/until.js';

// A test starts several processes, each of which takes seconds on a busy machine.
jest.setTimeout(300_000);

// Inside of the repository, so that the agent finds its packages.
const cwd = mkdtempSync(join(root, 'node_modules', '.attach-'));
afterAll(() => rmSync(cwd, { recursive: true }));

/** The place of entries, another one for each test. Its path is short, as that of a socket must be. */
let runtime: string;
let entries: string;
let env: { readonly XDG_RUNTIME_DIR: string };
beforeEach(() => {
  runtime = mkdtempSync(join(tmpdir(), 'attach-'));
  entries = join(runtime, 'tenterhook');
  env = { XDG_RUNTIME_DIR: runtime };
});
afterEach(() => rmSync(runtime, { recursive: true }));

const guard = { name: 'guard', command: 'echo secret-command; exit 2' };
const settings = {
  hooks: { BeforeTool: [{ hooks: [guard] }], AfterTool: [{ hooks: [{ name: 'off', command: 'true' }] }] },
  hooksConfig: { disabled: ['off'] },
};

/** An agent that knows nothing of inspection. It fires an event for each line of its stdin, and ends with it. */
const program = `import { createInterface } from 'node:readline';
import { createHooks } from 'tenterhook';
const hooks = await createHooks({ settings: ${JSON.stringify(settings)} });
console.log('ready');
for await (const path of createInterface({ input: process.stdin })) {
  const { verdict } = await hooks.fire('BeforeTool', { tool_name: 'write_file', tool_input: { path } });
  console.log(verdict.kind);
}
await hooks.dispose();`;

const agents: RunningAgent[] = [];
/** A test that fails must not leave an agent that waits for its stdin. */
afterEach(() => Promise.all(agents.splice(0).map((agent) => agent.end())));

class RunningAgent {
  readonly #process: ChildProcess;
  printed = '';
  errors = '';
  readonly ended: Promise<number | null>;

  constructor(variables: Readonly<Record<string, string>>) {
    this.#process = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd, env: { ...process.env, ...env, ...variables } });
    this.#process.stdout?.on('data', (text) => {
      this.printed += text;
    });
    this.#process.stderr?.on('data', (text) => {
      this.errors += text;
    });
    this.ended = new Promise((resolve) => this.#process.once('close', resolve));
    agents.push(this);
  }

  get pid(): number {
    return this.#process.pid as number;
  }

  fire(path: string): void {
    this.#process.stdin?.write(`${path}\n`);
  }

  end(): Promise<number | null> {
    this.#process.stdin?.end();
    return this.ended;
  }
}

test('record --attach: an agent that allows it is recorded, with what its service has loaded; it goes on afterwards', async () => {
  const agent = new RunningAgent({ TENTERHOOK_INSPECT: '1' });
  await until('the agent is ready', () => agent.printed.includes('ready'));
  const entry = JSON.parse(readFileSync(join(entries, `${agent.pid}.json`), 'utf8')) as { socket: string };
  expect(entry).toEqual({
    pid: agent.pid,
    startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    name: expect.any(String),
    cwd,
    socket: join(entries, `${agent.pid}.sock`),
    version: '0.1.0',
  });
  expect([entries, join(entries, `${agent.pid}.json`), entry.socket].map((path) => statSync(path).mode & 0o777)).toEqual([
    0o700, 0o600, 0o600,
  ]);

  const command = startCli(['record', '--attach', String(agent.pid), '--to', 'attached.bus.jsonl'], { cwd, env });
  await until('the recorder has announced itself', () => command.stderr().includes('Ctrl-C ends the recording'));
  agent.fire('a.txt');
  const file = join(cwd, 'attached.bus.jsonl');
  await until('the response is in the file', () => readFileSync(file, 'utf8').includes('HOOK_EXECUTION_RESPONSE'));
  command.kill('SIGINT');
  expect(await command.ended).toMatchObject({ status: 0, stderr: expect.stringMatching(/note: recorded 1 event, /) });
  const { exchanges, notes, problems } = await readRecording(file);
  expect([exchanges.map(({ state }) => state), problems]).toEqual([['answered'], []]);
  const [about] = notes;
  expect(about).toMatchObject({
    note: 'about',
    events: ['BeforeTool'],
    hooks: [
      { hookId: 'llxprt/settings/BeforeTool/guard', name: 'guard', eventName: 'BeforeTool', dialect: 'llxprt', source: 'settings' },
      { name: 'off', off: expect.any(String) },
    ],
    diagnostics: expect.arrayContaining([expect.objectContaining({ code: 'disabled_hook', hookId: 'llxprt/settings/AfterTool/off' })]),
  });
  expect(JSON.stringify(about)).not.toContain('secret-command');

  agent.fire('b.txt');
  await until('the agent goes on', () => agent.printed.split('deny').length === 3);
  expect([await agent.end(), agent.errors, readdirSync(entries)]).toEqual([0, '', []]);
});

test('record --attach: a process that does not allow it, and a number that is not valid', async () => {
  const closed = new RunningAgent({ TENTERHOOK_INSPECT: '0' });
  const open = new RunningAgent({ TENTERHOOK_INSPECT: '1' });
  await until('both agents are ready', () => [closed, open].every(({ printed }) => printed.includes('ready')));
  const refused = await runCli(['record', '--attach', String(closed.pid), '--to', 'none.bus.jsonl'], { cwd, env });
  expect(refused).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(new RegExp(`--attach ${closed.pid}: .* There are ${open.pid} \\(.*\\)\\. .*TENTERHOOK_INSPECT=1`)),
  });
  process.kill(open.pid, 'SIGKILL');
  await open.ended;
  // Its entry is still there, and nothing answers at its socket.
  expect(existsSync(join(entries, `${open.pid}.json`))).toBe(true);
  expect((await runCli(['record', '--attach', String(open.pid)], { cwd, env })).stderr).toContain('There is none');
  expect(await closed.end()).toBe(0);
  for (const [args, message] of [
    [['--attach', 'agent'], '--attach must be the number of a process, and is "agent"'],
    [['--attach', '1', '--socket', 'bus'], 'Pass one of these'],
  ] as const) {
    expect(await runCli(['record', ...args], { cwd, env })).toMatchObject({ status: 64, stderr: expect.stringContaining(message) });
  }
  expect(readdirSync(cwd).filter((name) => name.startsWith('none') || name.startsWith('hooks-'))).toEqual([]);
});

/** Calls a function while this process has the place of entries. */
const withRuntimeDirectory = (use: () => Promise<void>) => withEnvironment(env, use);

test('two systems of one process have their own entries, and both are named if their process is attached to', () =>
  withRuntimeDirectory(async () => {
    const [first, second] = [await createHooks({ settings, inspect: true }), await createHooks({ settings, inspect: { name: 'second' } })];
    const refused = await runCli(['record', '--attach', String(process.pid)], { cwd, env });
    expect(refused).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/several hook systems\. Pass one of --socket .*\d\.sock, --socket .*\d\.sock\./),
    });

    await using transport = await connectToSocket({ path: join(entries, `${process.pid}-2.sock`) });
    await using bus = new MessageBus({ transport });
    const result = await bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: { tool_name: 'x', tool_input: {} } });
    expect(result.output?.verdict.kind).toBe('deny');
    expect(await bus.request('HOOK_SERVICE_QUERY', { query: 'describe' })).toMatchObject({
      success: true,
      output: { events: ['BeforeTool'] },
    });
    expect((await bus.request('HOOK_SERVICE_QUERY', { query: 'more' })).error).toMatchObject({ code: 'invalid_request' });
    await Promise.all([first.dispose(), second.dispose()]);
    expect(readdirSync(entries).filter((name) => name.startsWith(String(process.pid)))).toEqual([]);
  }));

test('a system on a bus of its program is listed with the socket of the hub of this program', () =>
  withRuntimeDirectory(async () => {
    const socket = join(cwd, 'own-hub');
    await using hub = await listenOnSocket({ path: socket });
    await using bus = new MessageBus({ transport: hub });
    for (const options of [{ bus, inspect: true }, { inspect: { socket } }] as CreateHooksOptions[]) {
      await expect(createHooks({ settings, ...options })).rejects.toThrow('"inspect" needs both "bus" and "inspect.socket"');
    }
    const hooks = await createHooks({ settings, bus, inspect: { socket } });
    expect(JSON.parse(readFileSync(join(entries, `${process.pid}.json`), 'utf8'))).toMatchObject({ socket });
    await hooks.dispose();
    // The bus is not closed, and its queries have no answer any more.
    expect((await bus.request('HOOK_SERVICE_QUERY', { query: 'describe' })).error?.code).toBe('no_responders');
  }));

test('a directory of entries that others can read is an error with the option, and one line with the variable', async () => {
  mkdirSync(entries);
  chmodSync(entries, 0o755);
  await withRuntimeDirectory(async () => {
    await expect(createHooks({ settings, inspect: true })).rejects.toMatchObject({
      code: 'not_ours',
      message: expect.stringContaining('must have the mode 700, and has 755'),
    });
  });
  const agent = new RunningAgent({ TENTERHOOK_INSPECT: '1' });
  agent.fire('a.txt');
  expect(await agent.end()).toBe(0);
  expect(agent.printed).toContain('deny');
  expect(agent.errors).toMatch(/^tenterhook: TENTERHOOK_INSPECT: nothing can attach to process \d+: .*mode 700.*\n$/);
  expect(readdirSync(entries)).toEqual([]);
});

test.each<[inspect: unknown, message: string]>([
  ['yes', '"inspect" must be true, false or an object such as { name: "my-agent" }, and is "yes"'],
  [{ nam: 'x' }, '"inspect" has no option "nam". Did you mean "name"?'],
  [{ name: '' }, '"inspect.name" must be a non-empty string, and is ""'],
])('an invalid option is refused: %j', async (inspect, message) => {
  await expect(createHooks({ settings, inspect: inspect as boolean })).rejects.toThrow(message);
});

test('an entry is not written through a link', () =>
  withRuntimeDirectory(async () => {
    const target = join(cwd, 'target');
    writeFileSync(target, 'kept');
    mkdirSync(entries, { mode: 0o700 });
    const file = join(entries, `${process.pid}.json`);
    symlinkSync(target, file);
    const hooks = await createHooks({ settings, inspect: true });
    expect([readFileSync(target, 'utf8'), lstatSync(file).isFile()]).toEqual(['kept', true]);
    await hooks.dispose();
  }));
