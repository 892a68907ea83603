import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatNamed, formatNames } from '../../support/formats.js';
import { groups, llxprtGuard, printing, RelayedAgent, type TestGuard } from '../relayed-agent.js';

const home = new RelayedAgent('gemini-cli');
afterAll(() => home.remove());

const P = { session_id: 's1', cwd: home.project, tool_name: 'run_shell_command', tool_input: { command: 'npm test' } };
const deny = llxprtGuard('BeforeTool', { decision: 'deny', reason: 'no' });

/** Of each agent: its event before a tool, and its deny. */
const agents = formatNames.flatMap((name) => {
  const { relay } = formatNamed(name);
  return relay === undefined ? [] : [[name, relay] as const];
});

describe.each(agents)('%s', (name, { event, denied, message = /"systemMessage"/ }) => {
  const agent = new RelayedAgent(name, home);

  test.each([
    ['nothing', ''],
    ['half an object', JSON.stringify(P).slice(0, 40)],
    ['a list', '[]'],
    ['a call without a name', JSON.stringify({ ...P, tool_name: ' ' })],
  ])('%s is answered by the policy', async (_what, text) => {
    const open = await agent.runHere(event, text, [deny]);
    expect(open).toMatchObject({ status: 0, seen: [] });
    expect(open.stdout).not.toMatch(denied);
    expect(open.stdout).toMatch(message);
    const closed = await agent.runHere(event, text, [deny], ['--on-failure', 'closed']);
    expect(closed).toMatchObject({ status: 0, seen: [] });
    expect(closed.stdout).toMatch(denied);
  });

  test.each([
    ['nested too deeply', `${'['.repeat(1100)}${']'.repeat(1100)}`],
    ['nested so deeply that the stack would overflow', `${'{"a":'.repeat(60_000)}1${'}'.repeat(60_000)}`],
    ['a number that JSON cannot represent', '1e999'],
  ])('a model does not get around the guards by arguments that are %s', async (_what, value) => {
    const text = JSON.stringify({ ...P, tool_input: { command: 'npm test', more: '?' } }).replace('"?"', value);
    const { stdout, seen } = await agent.runHere(event, text, [deny]);
    expect(stdout).toMatch(denied);
    expect(seen).toEqual([]);
  });

  test.each([[['rm x']], [5], [true]])('a model does not get around the guards by the arguments %j', async (input) => {
    const { stdout, seen } = await agent.runHere(event, { ...P, tool_input: input }, [deny]);
    expect(stdout).toMatch(denied);
    expect(seen).toEqual([]);
  });

  test('fields that only a later version of the agent has reach the guards', async () => {
    const { stdout, seen } = await agent.runHere(event, { ...P, tool_call_later: { deep: [1] } }, [deny]);
    expect(stdout).toMatch(denied);
    expect(seen).toMatchObject([{ tool_call_later: { deep: [1] } }]);
  });

  test('an event that only a later version of the agent has is answered by the policy', async () => {
    expect(await agent.runHere('LaterEvent', P, [deny])).toMatchObject({ status: 0, stdout: '', seen: [] });
    const closed = await agent.runHere('LaterEvent', P, [deny], ['--closed']);
    expect(closed).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('"LaterEvent" is unknown'), seen: [] });
  });
});

test.each([
  ['was deleted', 'worktree/deep'],
  ['has too long a path', 'deep/'.repeat(2000)],
  ['has a name that no folder can have', 'a\0b'],
])('guards run in the nearest folder that exists if the working directory %s', (_what, path) => {
  const { answer, seen } = home.run('BeforeTool', { ...P, cwd: `${home.project}/${path}` }, [deny]);
  expect(answer).toEqual({ decision: 'deny', reason: 'no' });
  expect(seen).toMatchObject([{ cwd: home.project }]);
});

test('a list of guards that cannot be read is reported, and with closed nothing passes', () => {
  const broken = { dialect: 'llxprt', file: '/nowhere/guards.json' } as never;
  const { answer } = home.run('BeforeTool', P, [broken]);
  expect(answer).toEqual({ systemMessage: expect.stringContaining('/nowhere/guards.json') });
  expect(home.run('BeforeTool', P, [broken, deny]).answer).toMatchObject({ decision: 'deny', reason: 'no' });
  expect(home.run('BeforeTool', P, [broken], ['--on-failure', 'closed']).answer).toMatchObject({ decision: 'deny' });
});

test.each([
  ['an agent', { agents: { 'gemini-cly': { onFailure: 'closed' } } }, 'agents.gemini-cly is unknown'],
  ['a format', {}, 'the format "gemini-cly" of guards[0] is unknown', [groups('gemini-cly', 'BeforeTool', 'exit 0')]],
  ['a key for an agent', { agents: { 'gemini-cli': { onFailur: 'closed' } } }, '"onFailur" of agents.gemini-cli is unknown'],
  ['a part that is not an object', { agents: { 'gemini-cli': 'closed' } }, 'agents.gemini-cli must be an object'],
])('a list of guards that misspells %s is reported', async (_what, settings, message, guards: readonly TestGuard[] = []) => {
  const { answer } = await home.runHere('BeforeTool', P, guards, [], settings);
  expect(answer).toEqual({ systemMessage: expect.stringContaining(message) });
});

test.each([
  ['a device', (list: string) => symlinkSync('/dev/zero', list), 'a device'],
  ['a pipe', (list: string) => execFileSync('mkfifo', [list]), 'a pipe'],
  ['a folder', (list: string) => mkdirSync(list), 'a directory'],
])('a list of a project that is %s keeps no guard of the user from running', (_what, make, kind) => {
  const list = join(home.project, '.tenterhook/relay.json');
  mkdirSync(dirname(list));
  try {
    make(list);
    const { answer } = home.run('BeforeTool', { ...P, cwd: home.project }, [deny]);
    expect(answer).toEqual({ decision: 'deny', reason: 'no', systemMessage: expect.stringContaining(kind) });
  } finally {
    rmSync(dirname(list), { recursive: true });
  }
});

test('guards that are found in the settings of other agents run, and those of a project need trust', () => {
  const settings = (command: string) => JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } });
  for (const folder of [home.home, home.project]) mkdirSync(join(folder, '.claude'));
  try {
    writeFileSync(join(home.project, '.claude/settings.json'), settings(printing({ decision: 'block', reason: 'of the project' })));
    expect(home.run('BeforeTool', P)).toMatchObject({ stdout: '{}\n', seen: [] });
    writeFileSync(join(home.home, '.claude/settings.json'), settings(printing({ decision: 'block', reason: 'of the user' })));
    expect(home.run('BeforeTool', P).answer).toEqual({ decision: 'deny', reason: 'of the user' });
    const started = { session_id: 's1', cwd: home.project, source: 'startup' };
    expect(home.run('SessionStart', started).answer).toEqual({ systemMessage: expect.stringContaining('tenterhook relay trust') });
  } finally {
    for (const folder of [home.home, home.project]) rmSync(join(folder, '.claude'), { recursive: true });
  }
});

test('a guard in the format of the agent reads what the agent wrote', () => {
  const payload = { ...P, cwd: home.project, unknown: 1, timestamp: 'T', hook_event_name: 'BeforeTool' };
  const guard = groups('gemini-cli', 'BeforeTool', printing(undefined));
  expect(home.run('BeforeTool', payload, [guard]).seen).toEqual([payload]);
});

test('wrong words of the command line are errors of usage', () => {
  expect(home.run('BeforeTool', P, [], ['--on-failure', 'maybe'])).toMatchObject({ status: 64, stdout: '' });
  expect(new RelayedAgent('nothing', home).run('BeforeTool', P)).toMatchObject({ status: 64, stdout: '' });
});
