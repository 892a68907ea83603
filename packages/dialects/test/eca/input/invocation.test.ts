import { eca } from '../../../src/index.js';
import { eventOf } from '../../event-of.js';
import { hookOf, stdinOf } from '../eca-rig.js';

const common = (type: string) => ({
  hook_name: 'guard',
  hook_type: type,
  workspaces: ['/srv/app'],
  cwd: '/srv/app',
  db_cache_path: '',
  session_id: 's1',
  eca_executable: '',
});
const chat = { chat_id: 's1', agent: 'code', behavior: 'code' };
const tool = { tool_name: 'run_shell_command', tool_input: { command: 'ls', maxDepth: 1 } };
const ecaTool = { tool_name: 'shell_command', server: 'eca', tool_input: { command: 'ls', maxDepth: 1 } };

test.each([
  ['sessionStart', {}, common('sessionStart')],
  ['sessionEnd', {}, common('sessionEnd')],
  ['chatStart', { source: 'startup' }, { ...common('chatStart'), ...chat, resumed: false }],
  ['chatStart', { source: 'resume' }, { ...common('chatStart'), ...chat, resumed: true }],
  ['chatEnd', { reason: 'exit' }, { ...common('chatEnd'), ...chat }],
  ['preRequest', { prompt: 'p' }, { ...common('preRequest'), ...chat, prompt: 'p' }],
  [
    'postRequest',
    { prompt: 'p', prompt_response: 'r' },
    { ...common('postRequest'), ...chat, prompt: 'p', response: 'r', follow_up_active: false },
  ],
  ['preToolCall', tool, { ...common('preToolCall'), ...chat, ...ecaTool, approval: 'ask' }],
  ['preToolCall', { ...tool, approval: 'deny' }, { ...common('preToolCall'), ...chat, ...ecaTool, approval: 'deny' }],
  [
    'postToolCall',
    { ...tool, tool_response: { llmContent: [{ someKey: 1 }], error: { message: 'x' } } },
    {
      ...common('postToolCall'),
      ...chat,
      ...ecaTool,
      tool_response: { llmContent: [{ someKey: 1 }], error: { message: 'x' } },
      error: true,
    },
  ],
] as const)('a %s hook receives %j', (type, fields, stdin) => {
  expect(stdinOf(type, fields)).toEqual(stdin);
});

test.each([
  ['file_path', 'write_file'],
  ['absolute_path', 'read_file'],
  ['dir_path', 'list_directory'],
])('%s of the host is path', (key, tool_name) => {
  const { tool_input } = stdinOf('preToolCall', { tool_name, tool_input: { first: 1, [key]: '/srv/a', last: 2 } });
  expect(Object.entries(tool_input as object)).toEqual([
    ['first', 1],
    ['path', '/srv/a'],
    ['last', 2],
  ]);
});

test('a tool of a server keeps its keys', () => {
  const input = { file_path: '/srv/a' };
  const mcp_context = { server_name: 'gh' };
  expect(stdinOf('preToolCall', { tool_name: 'gh__put', tool_input: input, mcp_context })).toMatchObject({
    server: 'gh',
    tool_name: 'put',
    tool_input: input,
  });
});

const fileOf = (tool_name: string, tool_input: object) => stdinOf('preToolCall', { tool_name, tool_input })['tool_input'];

test.each([
  ['write_file', { path: null, file_path: '/etc/passwd' }],
  ['write_file', { path: '/etc/passwd' }],
  ['read_file', { absolute_path: '/etc/passwd' }],
  ['read_file', { absolute_path: '/etc/passwd', file_path: '/etc/passwd' }],
  ['list_directory', { dir_path: '/etc/passwd' }],
  ['deploy', { file_path: '/etc/passwd' }],
])('a guard of %s %j is shown its file as path', (tool, input) => {
  expect(fileOf(tool, input)).toMatchObject({ path: '/etc/passwd' });
});

test.each([
  ['write_file', { file_path: '/etc/passwd', path: '/tmp/decoy' }],
  ['write_file', { path: '/etc/passwd', dir_path: '' }],
  ['read_file', { absolute_path: '/a', file_path: '/b' }],
  ['list_directory', { dir_path: '/a', path: '/b' }],
])('where %s %j may mean either, the call is refused', (tool_name, tool_input) => {
  const event = eventOf('BeforeTool', { tool_name, tool_input });
  expect(eca().invocation(event, hookOf('preToolCall'), {})).toEqual({
    kind: 'refused',
    reason: expect.stringContaining('name different files'),
  });
});

test('of a tool that ECA does not know, several paths may have a meaning each, and are shown as they are', () => {
  const input = { file_path: '/a', path: '/b' };
  expect(fileOf('copy', input)).toEqual(input);
});

test('a path of a tool that is about no file is an argument like others', () => {
  expect(fileOf('run_shell_command', { command: 'ls', dir_path: '/a' })).toEqual({ command: 'ls', dir_path: '/a' });
});

describe('a host that names the arguments of a tool', () => {
  const options = { tools: { sh: { as: 'shell_command', keys: { cmd: 'command' } }, open: { as: 'viewer', keys: { it: 'thing' } } } };

  test('reports them under the names of ECA, and ECA knows the tool', () => {
    expect(stdinOf('preToolCall', { tool_name: 'sh', tool_input: { cmd: 'ls', x: 1 } }, options)).toMatchObject({
      server: 'eca',
      tool_name: 'shell_command',
      tool_input: { command: 'ls', x: 1 },
    });
    expect(stdinOf('preToolCall', { tool_name: 'open', tool_input: { it: 1, file_path: '/a' } }, options)).toMatchObject({
      tool_name: 'viewer',
      tool_input: { thing: 1, path: '/a' },
    });
  });

  test('has a call refused in which ECA would be shown one command and the tool might run another', () => {
    const event = eventOf('BeforeTool', { tool_name: 'sh', tool_input: { cmd: 'rm -r x', command: 'ls' } });
    expect(eca(options).invocation(event, hookOf('preToolCall'), {})).toEqual({
      kind: 'refused',
      reason: expect.stringContaining('"cmd" and "command"'),
    });
  });
});

test('what a hook after the tool sees of two files is both', () => {
  const tool_input = { file_path: '/a', path: '/b' };
  expect(stdinOf('postToolCall', { tool_name: 'write_file', tool_input })['tool_input']).toEqual({ path: '/a', host_path: '/b' });
});

test('a host says what it is', () => {
  const options = { server: 'host', agent: 'plan', dbCachePath: '/c/db', workspaces: ['/a', '/b'] };
  expect(stdinOf('preToolCall', tool, options)).toMatchObject({
    agent: 'plan',
    behavior: 'plan',
    db_cache_path: '/c/db',
    workspaces: ['/a', '/b'],
    server: 'host',
  });
  expect(stdinOf('chatEnd', { agent: 'build' }, options)).toMatchObject({ agent: 'build', behavior: 'build' });
  expect(stdinOf('chatEnd', { agent: 7 })).toMatchObject({ agent: 'code' });
});

test('a hook runs in the first workspace folder, in the environment of the host', () => {
  const event = { ...eventOf('HostStart'), input: { ...eventOf('HostStart').input, cwd: '/elsewhere' } };
  const environment = { A: '1' };
  expect(eca().invocation(event, hookOf('sessionStart'), environment)).toMatchObject({
    cwd: '/srv/app',
    env: environment,
    command: { kind: 'shell', text: 'true' },
  });
  expect(eca({ workspaces: ['/a', '/b'] }).invocation(event, hookOf('sessionStart'), environment)).toMatchObject({ cwd: '/a' });
});

test.each([
  ['server', ''],
  ['server', 7],
  ['agent', null],
  ['dbCachePath', 7],
  ['tools', { bash: 7 }],
  ['tools', []],
  ['workspaces', []],
  ['workspaces', [7]],
  ['workspaces', ['relative']],
  ['tools', { bash: 'eca__shell_command' }],
  ['tools', { bash: { as: 'eca__shell_command' } }],
  ['tools', { bash: { as: 'shell_command', key: { cmd: 'command' } } }],
  ['tools', { bash: { as: 'shell_command', keys: { cmd: 7 } } }],
])('the option %s: %j is refused', (option, value) => {
  expect(() => eca({ [option]: value } as never)).toThrow(new RegExp(`^eca: the option "${option}" must be`));
});

test('an option that there is not is refused, with the one that was meant', () => {
  expect(() => eca({ tool: { bash: 'shell_command' } } as never)).toThrow('eca: there is no option "tool". Did you mean "tools"?');
  expect(() => eca({ colour: 1 } as never)).toThrow('Its options are server, tools, agent, dbCachePath, executable, workspaces.');
  for (const value of [null, 'x', []]) expect(() => eca(value as never)).toThrow('eca: the options must be an object');
});
