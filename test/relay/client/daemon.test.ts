import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bin } from '../../support/run-cli.js';
import { startCli } from '../../support/running-cli.js';
import { root } from '../../support/sources.js';
import { until } from '../../support/until.js';
import { groups, llxprtGuard, RelayedAgent } from '../relayed-agent.js';

const agents: RelayedAgent[] = [];
afterAll(() => {
  for (const agent of agents) agent.remove();
});

/** An agent of a home of its own, so with a daemon of its own. */
function freshAgent(name = 'gemini-cli'): RelayedAgent {
  const agent = new RelayedAgent(name);
  agents.push(agent);
  return agent;
}

const P = { session_id: 's1', tool_name: 'run_shell_command', tool_input: { command: 'npm test' } };
const deny = llxprtGuard('BeforeTool', { decision: 'deny', reason: 'no' });
const denied = { status: 0, stdout: '{"decision":"deny","reason":"no"}\n', stderr: '' };
const logOf = ({ home }: RelayedAgent) => readFileSync(join(home, 'state/tenterhook/relay.log'), 'utf8');
const starts = (agent: RelayedAgent) => logOf(agent).match(/the daemon of the relay .* listens on/g)?.length;

/** A guard that writes to a file, and waits until another file is there. */
const waiting = ({ home }: RelayedAgent, name = 'x') =>
  groups('llxprt', 'BeforeTool', `echo run >> '${home}/runs-${name}'; until [ -e '${home}/go' ]; do sleep 0.01; done; echo '{}'`);
const runsOf = ({ home }: RelayedAgent, name = 'x') => {
  const file = join(home, `runs-${name}`);
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
};

test('71. twenty clients at once start one daemon, and all get the answer', async () => {
  const agent = freshAgent();
  agent.list([deny]);
  const running = Array.from({ length: 20 }, () => agent.start('BeforeTool', P));
  for (const { ended } of running) expect(await ended).toEqual(denied);
  await until('the daemon listens', () => agent.daemon !== undefined);
  expect(starts(agent)).toBe(1);
});

describe('72. the daemon is killed while a guard runs', () => {
  test.each([
    ['open', [], { systemMessage: expect.stringContaining('could not answer') }],
    ['closed', ['--closed'], { decision: 'deny', reason: expect.stringContaining('could not answer') }],
  ])('with %s, and the guard has run once', async (_policy, args, answer) => {
    const agent = freshAgent();
    agent.relay('BeforeTool', P);
    agent.list([waiting(agent)]);
    const { pid = 0 } = agent.daemon ?? {};
    const client = agent.start('BeforeTool', P, args);
    await until('the guard runs', () => runsOf(agent) === 1);
    process.kill(pid, 'SIGKILL');
    const { status, stdout } = await client.ended;
    writeFileSync(join(agent.home, 'go'), '');
    expect({ status, answer: JSON.parse(stdout) }).toEqual({ status: 0, answer });
    expect(runsOf(agent)).toBe(1);
  });

  test('the next event starts another daemon', () => {
    const agent = freshAgent();
    agent.relay('BeforeTool', P);
    const { pid = 0 } = agent.daemon ?? {};
    process.kill(pid, 'SIGKILL');
    expect(agent.relay('BeforeTool', P, [deny])).toMatchObject(denied);
    expect(agent.daemon?.pid).not.toBe(pid);
  });
});

test('73. guards see the environment and the directory of the agent', async () => {
  const agent = freshAgent();
  const guard = groups('llxprt', 'BeforeTool', `printf '{"decision":"deny","reason":"%s %s"}' "$MINE" "$PWD"`);
  agent.relay('BeforeTool', P, [guard]);
  for (const name of ['one', 'other']) {
    const folder = join(agent.home, name);
    mkdirSync(folder);
    const { stdout } = await agent.start('BeforeTool', P, [], { MINE: name }, folder).ended;
    expect(JSON.parse(stdout)).toEqual({ decision: 'deny', reason: `${name} ${folder}` });
  }
  expect(starts(agent)).toBe(1);
});

test('74. a folder that others can use is not used, and the user is informed', () => {
  const agent = freshAgent();
  agent.relay('BeforeTool', P);
  chmodSync(agent.folder, 0o755);
  expect(agent.relay('BeforeTool', P, [deny])).toMatchObject(denied);
  const started = agent.relay('SessionStart', { session_id: 's1', source: 'startup' });
  expect(started.answer).toEqual({ systemMessage: expect.stringContaining('without its daemon') });
  expect(JSON.parse(agent.actAlone('status', '--json').stdout)).toMatchObject({ withoutDaemon: 2 });
  expect(agent.actAlone('serve')).toMatchObject({ status: 1, stderr: expect.stringContaining('chmod 700') });
  chmodSync(agent.folder, 0o700);
});

test('75. after an update, no event is lost, and the next but one is answered by a new daemon', () => {
  const agent = freshAgent();
  const script = join(agent.home, 'tenterhook.cjs');
  writeFileSync(script, `require(${JSON.stringify(bin)});\n`);
  agent.installClient('compiled', script);
  expect(agent.relay('BeforeTool', P, [deny])).toMatchObject(denied);
  const { pid } = agent.daemon ?? {};
  expect(pid).toBeDefined();
  writeFileSync(`${script}.new`, `require(${JSON.stringify(bin)});\n`);
  renameSync(`${script}.new`, script);
  expect(agent.relay('BeforeTool', P, [deny])).toMatchObject(denied);
  expect(agent.relay('BeforeTool', P, [deny])).toMatchObject(denied);
  expect(agent.daemon).toMatchObject({ pid: expect.any(Number) });
  expect(agent.daemon?.pid).not.toBe(pid);
});

test('events of one call are judged in their order, and others side by side', async () => {
  const agent = freshAgent('claude-code');
  const file = join(agent.home, 'order');
  agent.list([
    groups('llxprt', 'BeforeTool', `echo before >> '${file}'; until [ -e '${agent.home}/go' ]; do sleep 0.01; done; echo '{}'`),
    groups('llxprt', 'AfterTool', `case $(cat) in *'"c1"'*) echo after >> '${file}';; *) echo other >> '${file}';; esac; echo '{}'`),
  ]);
  const order = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);
  const call = (id: string, more: object) => ({
    session_id: 's1',
    cwd: agent.project,
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_use_id: id,
    ...more,
  });
  const before = agent.start('PreToolUse', call('c1', {}));
  await until('the first event runs', () => order().length === 1);
  const after = agent.start('PostToolUse', call('c1', { tool_response: 'x' }));
  const other = agent.start('PostToolUse', call('c2', { tool_response: 'x' }));
  expect((await other.ended).status).toBe(0);
  expect(order()).toEqual(['before', 'other']);
  writeFileSync(join(agent.home, 'go'), '');
  for (const { ended } of [before, after]) expect((await ended).status).toBe(0);
  expect(order()).toEqual(['before', 'other', 'after']);
});

test('an event that the entries of the user and of the project both report is judged once', async () => {
  const agent = freshAgent();
  agent.relay('BeforeTool', P);
  agent.list([waiting(agent)]);
  const first = agent.start('BeforeTool', P);
  await until('the guard runs', () => runsOf(agent) === 1);
  const second = agent.start('BeforeTool', P, ['--project']);
  await until('the daemon has both', () => agent.daemon?.running === 2);
  writeFileSync(join(agent.home, 'go'), '');
  for (const { ended } of [first, second]) expect((await ended).stdout).toBe('{}\n');
  expect(runsOf(agent)).toBe(1);
});

test('events side by side each give their own payload to guards in the format of the agent', async () => {
  const agent = freshAgent('gemini-cli');
  const guard = groups('gemini-cli', 'BeforeTool', `printf '{"decision":"deny","reason":"%s"}' "$(grep -o 'mark-[0-9]*')"`);
  agent.list([guard]);
  agent.relay('BeforeTool', P, [guard]);
  const running = Array.from({ length: 12 }, (_, index) => agent.start('BeforeTool', { ...P, unknown: `mark-${index}` }));
  for (const [index, { ended }] of running.entries()) expect(JSON.parse((await ended).stdout).reason).toBe(`mark-${index}`);
});

test('a change of settings counts from the next event on', () => {
  const agent = freshAgent();
  const file = join(agent.home, '.claude/settings.json');
  mkdirSync(join(agent.home, '.claude'));
  const reasonOf = () => (agent.relay('BeforeTool', P).answer as { reason?: string }).reason;
  for (const reason of ['one', 'two']) {
    const command = `echo ${reason} >&2; exit 2`;
    writeFileSync(file, JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } }));
    expect(reasonOf()).toBe(reason);
  }
  rmSync(file);
  expect(reasonOf()).toBeUndefined();
});

test('an entry of the project with other options does not decide for the entry of the user', () => {
  const agent = freshAgent();
  const guards = [{ dialect: 'llxprt', file: join(agent.home, 'missing.json') } as never];
  expect(agent.relay('BeforeTool', P, guards, ['--project']).answer).toEqual({ systemMessage: expect.stringContaining('missing.json') });
  expect(agent.relay('BeforeTool', P, guards, ['--closed']).answer).toMatchObject({ decision: 'deny' });
  const later = { ...P, session_id: 's2' };
  expect(agent.relay('BeforeTool', later, [deny], ['--project', '--budget', '0.001']).status).toBe(0);
  expect(agent.relay('BeforeTool', later, [deny])).toMatchObject(denied);
});

test('an entry of the project with another environment does not decide for the entry of the user', () => {
  const agent = freshAgent();
  agent.list([deny]);
  const ask = (args: readonly string[], env: Readonly<Record<string, string>>) =>
    agent.program(agent.client, ['gemini-cli', 'BeforeTool', ...args], JSON.stringify(P), env).stdout;
  agent.relay('BeforeTool', { ...P, session_id: 'earlier' }, [deny]);
  expect(ask(['--project'], { XDG_CONFIG_HOME: agent.project })).toBe('{}\n');
  expect(ask([], {})).toContain('"deny"');
});

test('the entries of the user and of the project are twins if a list says what one of them says', async () => {
  const agent = freshAgent();
  agent.relay('BeforeTool', P);
  agent.list([waiting(agent)], { onFailure: 'closed' });
  const first = agent.start('BeforeTool', P, ['--closed'], { PWD: '/', SHLVL: '1' });
  await until('the guard runs', () => runsOf(agent) === 1);
  const second = agent.start('BeforeTool', P, ['--project'], { PWD: agent.project, SHLVL: '2' });
  await until('the daemon has both', () => agent.daemon?.running === 2);
  writeFileSync(join(agent.home, 'go'), '');
  for (const { ended } of [first, second]) expect((await ended).stdout).toBe('{}\n');
  expect(runsOf(agent)).toBe(1);
});

test('a module of guards that has changed is loaded again, also one that it imports', () => {
  const agent = freshAgent();
  const module = (reason: string) => `
    import { word } from './word.mjs';
    import { HookEngine, HookResponse } from ${JSON.stringify(pathToFileURL(join(root, 'packages/tenterhook/dist/handlers.js')).href)};
    export const engine = new HookEngine();
    engine.register({ id: 'guard', event_type: 'pre_tool_use' });
    engine.register_handler('guard', { handle: () => HookResponse.block('${reason} ' + word) });
  `;
  const file = join(agent.home, 'guards.mjs');
  const reasonOf = () => (agent.relay('BeforeTool', P, [{ module: file } as never]).answer as { reason?: string }).reason;
  for (const reason of ['one', 'two']) {
    writeFileSync(file, module(reason));
    for (const word of ['first', 'second']) {
      writeFileSync(join(agent.home, 'word.mjs'), `export const word = '${word}';`);
      expect(reasonOf()).toBe(`${reason} ${word}`);
    }
  }
});

test('TENTERHOOK_RELAY_DAEMON=0 answers in a process of its own', () => {
  const agent = freshAgent();
  expect(agent.relay('BeforeTool', P, [deny], [], { TENTERHOOK_RELAY_DAEMON: '0' })).toMatchObject(denied);
  expect(existsSync(agent.socket)).toBe(false);
});

describe('the end', () => {
  test('without events, the daemon ends and takes its socket away', async () => {
    const agent = freshAgent();
    const env = { XDG_RUNTIME_DIR: join(agent.home, 'run'), XDG_STATE_HOME: join(agent.home, 'state') };
    const daemon = startCli(['relay', 'serve', '--idle', '1'], { cwd: agent.home, env });
    expect(await daemon.ended).toMatchObject({ status: 0, signal: null, stderr: expect.stringContaining('listens on') });
    expect(existsSync(agent.socket)).toBe(false);
  });

  test.each(['stop', 'SIGTERM'])('after %s, the event that runs is answered', async (how) => {
    const agent = freshAgent();
    agent.relay('BeforeTool', P);
    agent.list([waiting(agent)]);
    const { pid = 0 } = agent.daemon ?? {};
    const client = agent.start('BeforeTool', P);
    await until('the guard runs', () => runsOf(agent) === 1);
    if (how === 'stop') expect(agent.actAlone('stop').stdout).toContain(`pid ${pid}`);
    else process.kill(pid, 'SIGTERM');
    await until('the socket is gone', () => !existsSync(agent.socket));
    writeFileSync(join(agent.home, 'go'), '');
    expect(await client.ended).toEqual({ status: 0, stdout: '{}\n', stderr: '' });
    expect(runsOf(agent)).toBe(1);
    await until('the daemon has ended', () => isGone(pid));
  });

  test('restart replaces the daemon', () => {
    const agent = freshAgent();
    agent.relay('BeforeTool', P);
    const { pid = 0 } = agent.daemon ?? {};
    expect(agent.actAlone('restart')).toMatchObject({ status: 0, stderr: '' });
    expect(agent.daemon?.pid).not.toBe(pid);
    expect(agent.actAlone('stop')).toMatchObject({ status: 0, stdout: expect.stringContaining('pid') });
    expect(agent.actAlone('stop')).toMatchObject({ status: 0, stdout: 'No daemon of the relay runs.\n' });
  });
});

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
