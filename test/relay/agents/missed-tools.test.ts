import { isPlainObject } from '@tenterhook/protocol';
import { groups, printing, RelayedAgent, specific } from '../relayed-agent.js';

const agents = new Map<string, RelayedAgent>();
const agentOf = (name: string) => {
  const agent = agents.get(name) ?? new RelayedAgent(name);
  agents.set(name, agent);
  return agent;
};
afterAll(() => {
  for (const agent of agents.values()) agent.remove();
});

const shell = 'run_shell_command';
const [read, write, edit] = ['read_file', 'write_file', 'replace'];
const patch = [
  '*** Begin Patch',
  '*** Update File: a',
  '@@',
  '-x',
  '+y',
  '*** Delete File: b',
  '*** Add File: .env',
  '+x',
  '*** End Patch',
].join('\n');

/** An agent, its event before a tool, a call as it writes it, and the calls that a guard receives. */
const calls: readonly (readonly [agent: string, event: string, call: object, seen: readonly (readonly [name: string, input: object])[]])[] =
  [
    ['copilot', 'PreToolUse', { tool_name: 'powershell', tool_input: { command: 'rm x' } }, [[shell, { command: 'rm x' }]]],
    ['copilot', 'preToolUse', { toolName: 'powershell', toolArgs: '{"command":"rm x"}' }, [[shell, { command: 'rm x' }]]],
    [
      'copilot',
      'PreToolUse',
      { tool_name: 'str_replace_editor', tool_input: { path: '/srv/a', old_str: 'x', new_str: 'y' } },
      [[edit, { file_path: '/srv/a', old_string: 'x', new_string: 'y' }]],
    ],
    [
      'copilot',
      'PreToolUse',
      { hookEventName: 'PreToolUse', tool_name: 'run_in_terminal', tool_input: { command: 'rm x', explanation: 'e', isBackground: true } },
      [[shell, { command: 'rm x', description: 'e', is_background: true }]],
    ],
    [
      'copilot',
      'PreToolUse',
      { hookEventName: 'PreToolUse', tool_name: 'create_file', tool_input: { filePath: '/srv/a', content: 'x' } },
      [[write, { file_path: '/srv/a', content: 'x' }]],
    ],
    [
      'copilot',
      'PreToolUse',
      { hookEventName: 'PreToolUse', tool_name: 'read_file', tool_input: { filePath: '/srv/.env', startLine: 1 } },
      [[read, { file_path: '/srv/.env', startLine: 1 }]],
    ],
    [
      'copilot',
      'PreToolUse',
      {
        hookEventName: 'PreToolUse',
        tool_name: 'replace_string_in_file',
        tool_input: { filePath: '/srv/a', oldString: 'x', newString: 'y' },
      },
      [[edit, { file_path: '/srv/a', old_string: 'x', new_string: 'y' }]],
    ],
    [
      'copilot',
      'PreToolUse',
      {
        hookEventName: 'PreToolUse',
        tool_name: 'multi_replace_string_in_file',
        tool_input: {
          explanation: 'e',
          replacements: [
            { filePath: '/srv/a', oldString: 'x', newString: 'y' },
            { filePath: '/srv/.env', oldString: 'x', newString: 'z' },
          ],
        },
      },
      [
        [edit, { file_path: '/srv/a', old_string: 'x', new_string: 'y' }],
        [edit, { file_path: '/srv/.env', old_string: 'x', new_string: 'z' }],
      ],
    ],
    [
      'copilot',
      'PreToolUse',
      { hookEventName: 'PreToolUse', tool_name: 'editFiles', tool_input: { files: ['/srv/a', '/srv/.env'] } },
      [
        [edit, { file_path: '/srv/a' }],
        [edit, { file_path: '/srv/.env' }],
      ],
    ],
    ['copilot', 'PreToolUse', { tool_name: 'editFiles', tool_input: { files: '/srv/a' } }, [[edit, { file_path: '/srv/a' }]]],
    [
      'copilot',
      'PreToolUse',
      { hookEventName: 'PreToolUse', tool_name: 'fetch_webpage', tool_input: { urls: ['https://a', 'https://b'], query: 'q' } },
      [
        ['web_fetch', { url: 'https://a', query: 'q' }],
        ['web_fetch', { url: 'https://b', query: 'q' }],
      ],
    ],
    [
      'cursor',
      'preToolUse',
      { tool_name: 'Delete', tool_input: { path: '/srv/a' } },
      [[write, { file_path: '/srv/a', content: '', deleted: true }]],
    ],
    [
      'copilot',
      'PreToolUse',
      {
        hookEventName: 'PreToolUse',
        tool_name: 'create_and_run_task',
        tool_input: { workspaceFolder: '/srv', task: { label: 'l', command: 'rm', args: ['x'] } },
      },
      [[shell, { workspaceFolder: '/srv', task: { label: 'l', command: 'rm', args: ['x'] }, command: 'rm x' }]],
    ],
    ['copilot', 'PreToolUse', { tool_name: 'create_file', tool_input: 'no object' }, [[write, { input: 'no object' }]]],
    ['cursor', 'preToolUse', { tool_name: 'BASH', tool_input: { command: 'rm x' } }, [[shell, { command: 'rm x' }]]],
    ['cursor', 'preToolUse', { tool_name: 'ReadFile', tool_input: { file_path: '/srv/a' } }, [[read, { file_path: '/srv/a' }]]],
    [
      'cursor',
      'preToolUse',
      { tool_name: 'StrReplace', tool_input: { path: '/srv/a', old_string: 'x', new_string: 'y' } },
      [[edit, { file_path: '/srv/a', old_string: 'x', new_string: 'y' }]],
    ],
    ['cursor', 'preToolUse', { tool_name: 'shell', tool_input: { command: 'rm x' } }, [[shell, { command: 'rm x' }]]],
    ['gemini-cli', 'BeforeTool', { tool_name: 'Shell', tool_input: { command: 'rm x' } }, [[shell, { command: 'rm x' }]]],
    [
      'gemini-cli',
      'BeforeTool',
      { tool_name: 'edit', tool_input: { file_path: '/srv/a', new_string: 'y' } },
      [[edit, { file_path: '/srv/a', new_string: 'y' }]],
    ],
    [
      'llxprt',
      'BeforeTool',
      { tool_name: 'insert_at_line', tool_input: { absolute_path: '/srv/a', line_number: 1, content: 'y' } },
      [[edit, { file_path: '/srv/a', line_number: 1, new_string: 'y' }]],
    ],
    ['codex', 'PreToolUse', { tool_name: 'exec_command', tool_input: { cmd: 'rm x' } }, [[shell, { command: 'rm x' }]]],
    ['codex', 'PreToolUse', { tool_name: 'apply_patch', tool_input: { command: 'no patch' } }, [[edit, { command: 'no patch' }]]],
    ['eca', 'preToolCall', { server: 'eca', tool_name: 'bash', tool_input: { command: 'rm x' } }, [[shell, { command: 'rm x' }]]],
  ];

const sortedKeys = (_key: string, value: unknown) =>
  isPlainObject(value) ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))) : value;

test.each(calls)('%s %s %j: guards are asked under the canonical name, and their deny is not lost', async (name, event, call, seen) => {
  const agent = agentOf(name);
  const payload = { session_id: 's1', timestamp: '2026-11-21T10:00:00.000Z', cwd: agent.project, hook_event_name: event, ...call };
  const canonical = seen[0]?.[0] as string;
  for (const matcher of [`^${canonical}$`, '.*']) {
    // In a format that receives canonical events, and that is not the agent's own.
    const [dialect, key] = name === 'gemini-cli' ? ['llxprt', 'BeforeTool'] : ['gemini-cli', 'BeforeTool'];
    const guard = groups(dialect as string, key as string, printing({ decision: 'deny', reason: 'no' }), {}, matcher);
    const run = await agent.runHere(event, payload, [guard]);
    // Guards that run side by side write in any order.
    const received = run.seen.map(({ tool_name, tool_input }) => JSON.stringify([tool_name, tool_input], sortedKeys));
    expect(received.sort()).toEqual(seen.map((one) => JSON.stringify(one, sortedKeys)).sort());
    expect(run.stdout).toMatch(/"(?:deny|block)"/);
  }
});

/** The arguments of a tool of VS Code that has a list, and a guard is asked about each entry. */
const lists: readonly (readonly [name: string, input: object])[] = [
  ['editFiles', { files: ['/srv/a', '/srv/b'] }],
  ['multi_replace_string_in_file', { replacements: [{ filePath: '/srv/a' }, { filePath: '/srv/b' }] }],
  ['fetch_webpage', { urls: ['https://a', 'https://b'] }],
];

test.each(lists)(
  '%s: guards are asked by the name of the tool, too, in the own format of the agent and in another one',
  async (name, input) => {
    const agent = agentOf('copilot');
    const payload = { session_id: 's1', timestamp: 't', cwd: agent.project, tool_name: name, tool_input: input };
    const own = { type: 'command', bash: printing({ permissionDecision: 'deny' }), matcher: `^${name}$` };
    for (const guard of [
      { dialect: 'copilot', settings: { version: 1, hooks: { preToolUse: [own] } } },
      groups('gemini-cli', 'BeforeTool', printing({ decision: 'deny' }), {}, `^${name}$`),
    ]) {
      const { stdout, seen } = await agent.runHere('PreToolUse', payload, [guard]);
      expect(stdout).toContain('"deny"');
      expect(seen).toHaveLength(2);
    }
  },
);

test.each([
  ['claude-code', 'PreToolUse', 'PowerShell', 'rm x'],
  ['cursor', 'preToolUse', 'Shell', 'rm x'],
  ['gemini-cli', 'BeforeTool', 'run_shell_command', ['rm x']],
  ['copilot', 'PreToolUse', 'bash', ['rm x']],
])('%s %s %s %j: arguments that are not an object are denied, because no guard can read them', async (name, event, tool, input) => {
  const agent = agentOf(name);
  const payload = { session_id: 's1', timestamp: 't', cwd: agent.project, hook_event_name: event, tool_name: tool, tool_input: input };
  const guard = groups('llxprt', 'BeforeTool', printing({ decision: 'deny' }));
  expect((await agent.runHere(event, payload, [guard])).stdout).toContain('"deny"');
});

test('missing arguments are an empty object', async () => {
  const agent = agentOf('claude-code');
  const payload = { session_id: 's1', cwd: agent.project, hook_event_name: 'PreToolUse', tool_name: 'mcp__s__t', tool_input: null };
  const { stdout, seen } = await agent.runHere('PreToolUse', payload, [groups('llxprt', 'BeforeTool', printing({ decision: 'deny' }))]);
  expect(stdout).toContain('"deny"');
  expect(seen).toMatchObject([{ tool_input: {} }]);
});

test('a tool of a server with the name of a shell stays that tool', async () => {
  const agent = agentOf('gemini-cli');
  const guard = groups('llxprt', 'BeforeTool', printing({ decision: 'deny' }), {}, '^run_shell_command$');
  const payload = {
    session_id: 's1',
    cwd: agent.project,
    tool_name: 'bash',
    tool_input: {},
    mcp_context: { server_name: 's', tool_name: 'bash' },
  };
  expect(await agent.runHere('BeforeTool', payload, [guard])).toMatchObject({ stdout: '{}\n', seen: [] });
});

test('a patch that deletes, changes and adds files: each guard of a file is asked', async () => {
  for (const [name, event] of [
    ['codex', 'PreToolUse'],
    ['copilot', 'PreToolUse'],
  ] as const) {
    const agent = agentOf(name);
    const payload = { session_id: 's1', timestamp: 't', cwd: agent.project, tool_name: 'apply_patch', tool_input: { input: patch } };
    const env = groups('llxprt', 'BeforeTool', `if grep -q '/.env"'; then echo no >&2; exit 2; fi`, {}, '^write_file$');
    expect((await agent.runHere(event, payload, [env])).stdout).toContain('"deny"');
  }
});

test.each([
  [
    'copilot',
    'PreToolUse',
    { tool_name: 'str_replace_editor', tool_input: { command: 'create', path: '/srv/.env', file_text: 'x' } },
    write,
  ],
  ['copilot', 'PreToolUse', { tool_name: 'str_replace_editor', tool_input: { command: 'view', path: '/srv/.env' } }, read],
  ['copilot', 'PreToolUse', { tool_name: 'str_replace_editor', tool_input: { command: 'create', path: '/srv/.env' } }, edit],
  ['cursor', 'preToolUse', { tool_name: 'ApplyPatch', tool_input: { patch } }, write],
  ['cursor', 'preToolUse', { tool_name: 'ApplyPatch', tool_input: { patch } }, edit],
  ['cursor', 'preToolUse', { tool_name: 'applyPatch', tool_input: { patch } }, write],
  ['cursor', 'preToolUse', { tool_name: 'ApplyPatch', tool_input: patch }, write],
])('%s %s %j: a guard of %s is asked, and a rewrite that cannot be carried out is a deny', async (name, event, call, tool) => {
  const agent = agentOf(name);
  const payload = { session_id: 's1', timestamp: 't', cwd: agent.project, hook_event_name: event, ...call };
  const guard = (answer: object) => groups('llxprt', 'BeforeTool', printing(answer), {}, `^${tool}$`);
  const rewrite = specific('BeforeTool', { tool_input: { file_path: '/x' } });
  for (const answer of [{ decision: 'deny', reason: 'no' }, rewrite])
    expect((await agent.runHere(event, payload, [guard(answer)])).stdout).toContain('"deny"');
});

test("a guard in the agent's own format is asked under the agent's name", async () => {
  const agent = agentOf('cursor');
  const payload = {
    session_id: 's1',
    conversation_id: 's1',
    cwd: agent.project,
    hook_event_name: 'preToolUse',
    tool_name: 'Delete',
    tool_input: { path: '/srv/a' },
  };
  const guard = {
    dialect: 'cursor',
    settings: { version: 1, hooks: { preToolUse: [{ command: printing({ permission: 'deny' }), matcher: 'Delete' }] } },
  };
  const { stdout, seen } = await agent.runHere('preToolUse', payload, [guard]);
  expect(seen).toEqual([payload]);
  expect(stdout).toContain('"permission":"deny"');
});
