import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defaultDialects } from '@tenterhook/dialects';
import type { Dialect } from '@tenterhook/protocol';
import { dialectsFor } from '@tenterhook/relay';
import { createHooks } from 'tenterhook';
import { root } from '../../support/sources.js';
import { ecaGuard, groups, printing, RelayedAgent, specific, type TestGuard } from '../relayed-agent.js';

const agent = new RelayedAgent('claude-code');
const codex = new RelayedAgent('codex');
afterAll(() => {
  agent.remove();
  codex.remove();
});

const base = (event: string) => ({
  session_id: 's1',
  transcript_path: '/srv/t.jsonl',
  cwd: agent.project,
  permission_mode: 'default',
  hook_event_name: event,
});
const call = (name: string, input: object) => ({ ...base('PreToolUse'), tool_name: name, tool_input: input, tool_use_id: 't1' });
const denied = (reason: string) => specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: reason });
const no = { decision: 'deny', reason: 'no' };
const guard = (matcher: string, answer: object = no, dialect = 'llxprt'): TestGuard =>
  groups(dialect, dialect === 'claude-code' ? 'PreToolUse' : 'BeforeTool', printing(answer), {}, matcher);

const notebook = { notebook_path: '/srv/n.ipynb', cell_id: 'c', new_source: 'secret', edit_mode: 'replace' };
const edits = {
  file_path: '/srv/a',
  edits: [
    { old_string: 'a', new_string: 'b' },
    { old_string: 'c', new_string: 'secret' },
  ],
};

/** A call of Claude Code, the canonical tool, and the canonical arguments. */
const calls: readonly (readonly [name: string, input: object, canonical: string, args: object])[] = [
  ['PowerShell', { command: 'Remove-Item x' }, 'run_shell_command', { command: 'Remove-Item x' }],
  ['Monitor', { command: 'rm x', description: 'd' }, 'run_shell_command', { command: 'rm x', description: 'd' }],
  ['NotebookEdit', notebook, 'replace', { file_path: '/srv/n.ipynb', cell_id: 'c', new_string: 'secret', edit_mode: 'replace' }],
  ['MultiEdit', edits, 'replace', { ...edits, old_string: 'a\nc', new_string: 'b\nsecret' }],
  ['NotebookRead', { notebook_path: '/srv/n.ipynb' }, 'read_file', { file_path: '/srv/n.ipynb' }],
  ['LS', { path: '/srv' }, 'list_directory', { dir_path: '/srv' }],
  ['LS', { dir_path: '/ok', path: '/srv' }, 'list_directory', { dir_path: '/srv', host_dir_path: '/ok' }],
  ['Task', { subagent_type: 'x', prompt: 'p' }, 'invoke_agent', { agent_name: 'x', prompt: 'p' }],
  ['bash', { command: 'rm x' }, 'run_shell_command', { command: 'rm x' }],
];

describe.each(calls)('%s', (name, input, canonical, args) => {
  test.each([`^${canonical}$`, `^${name}$`, '.*', `${canonical}|${name}`])('a guard of %s is asked once', async (matcher) => {
    for (const dialect of ['llxprt', 'gemini-cli']) {
      const { answer, seen } = await agent.runHere('PreToolUse', call(name, input), [guard(matcher, no, dialect)]);
      expect(answer).toEqual(denied('no'));
      expect(seen).toMatchObject([{ tool_name: canonical, agent_tool_name: name }]);
      expect(seen[0]?.['tool_input']).toEqual(args);
    }
  });

  test('a guard in the format of Claude Code reads what Claude Code sends, and only under its name', async () => {
    const own = groups('claude-code', 'PreToolUse', printing(undefined), {}, name);
    const others = groups('claude-code', 'PreToolUse', printing(no), {}, 'Bash|Edit|Read');
    const payload = call(name, input);
    const { stdout, seen } = await agent.runHere('PreToolUse', payload, [own, others]);
    expect({ stdout, seen }).toEqual({ stdout: '{}\n', seen: [payload] });
  });
});

test('after the tool, guards receive the canonical name too', async () => {
  const payload = {
    ...call('PowerShell', { command: 'ls' }),
    hook_event_name: 'PostToolUse',
    tool_response: { stdout: 'key', stderr: '' },
  };
  const after = groups('gemini-cli', 'AfterTool', printing({ decision: 'deny', reason: 'gone' }), {}, '^run_shell_command$');
  const { answer } = await agent.runHere('PostToolUse', payload, [after]);
  expect(answer).toEqual(specific('PostToolUse', { updatedToolOutput: { stdout: 'gone', stderr: '' } }));
});

describe('new arguments', () => {
  const rewrite = (matcher: string, input: object) => guard(matcher, specific('BeforeTool', { tool_input: input }));

  test('come back in the keys of the tool', async () => {
    const { answer } = await agent.runHere('PreToolUse', call('NotebookEdit', notebook), [rewrite('replace', { new_string: 'safe' })]);
    expect(answer).toEqual(specific('PreToolUse', { updatedInput: { ...notebook, new_source: 'safe' } }));
  });

  test('that the tool cannot take are a deny', async () => {
    const { answer } = await agent.runHere('PreToolUse', call('MultiEdit', edits), [rewrite('replace', { new_string: 'safe' })]);
    expect(answer).toEqual(denied('The tool MultiEdit cannot do what a hook wrote into its arguments, so the call is denied.'));
    const both = guard('replace', { decision: 'deny', reason: 'mine', ...specific('BeforeTool', { tool_input: { new_string: 'safe' } }) });
    expect((await agent.runHere('PreToolUse', call('MultiEdit', edits), [both])).answer).toEqual(denied('mine'));
    const moved = await agent.runHere('PreToolUse', call('MultiEdit', edits), [rewrite('replace', { file_path: '/srv/b' })]);
    expect(moved.answer).toEqual(specific('PreToolUse', { updatedInput: { ...edits, file_path: '/srv/b' } }));
  });

  test('of a guard in the format of Claude Code are judged by the others', async () => {
    const own = groups(
      'claude-code',
      'PreToolUse',
      printing(specific('PreToolUse', { updatedInput: { command: 'rm x' } })),
      {},
      'PowerShell',
    );
    const rm = groups('llxprt', 'BeforeTool', `if grep -q 'rm x'; then echo no >&2; exit 2; fi`, {}, 'run_shell_command');
    const { answer } = await agent.runHere('PreToolUse', call('PowerShell', { command: 'ls' }), [own, rm]);
    expect(answer).toEqual(denied('no'));
  });
});

test.each([
  ['claude-code', groups('claude-code', 'PreToolUse', printing(undefined, 2), { if: 'Bash(rm *)' }, 'Bash')],
  ['codex', groups('codex', 'PreToolUse', printing(undefined, 2, 'no'), {}, '^Bash$')],
  [
    'cursor',
    { dialect: 'cursor', settings: { version: 1, hooks: { preToolUse: [{ command: printing(undefined, 2), matcher: 'Shell' }] } } },
  ],
  ['eca', ecaGuard('preToolCall', { approval: 'deny' }, 'eca__shell_command')],
  [
    'copilot',
    {
      dialect: 'copilot',
      settings: { version: 1, hooks: { preToolUse: [{ type: 'command', bash: printing(undefined, 2), matcher: 'bash' }] } },
    },
  ],
] as const)('a guard in the format of %s is asked about the shell of another agent', async (_format, one) => {
  const other = _format === 'claude-code' ? codex : agent;
  const payload = call(
    _format === 'claude-code' ? 'exec_command' : 'PowerShell',
    _format === 'claude-code' ? { cmd: 'rm x' } : { command: 'rm x' },
  );
  const { stdout, seen } = await other.runHere('PreToolUse', payload, [one]);
  expect(stdout).toContain('"deny"');
  expect(seen).toHaveLength(1);
});

test('hooks are selected once for a tool, and not once for each event', async () => {
  const selected: string[] = [];
  const counting = defaultDialects().map(
    (dialect): Dialect => ({
      ...dialect,
      select: (hook, event) => {
        selected.push(String((event.input as { readonly tool_name?: unknown }).tool_name));
        return dialect.select(hook, event);
      },
    }),
  );
  const own = counting.find(({ name }) => name === 'claude-code') as Dialect;
  const files = { isFile: () => false, isExecutable: () => false, head: () => undefined };
  const context = { projectDir: '/srv', home: '/home/u', environment: {}, platform: 'linux', files };
  const dialects = dialectsFor(counting, { dialect: own, context, heard: () => undefined });
  const hooks = await createHooks({
    projectDir: agent.project,
    dialects,
    dialect: 'gemini-cli',
    settings: { hooks: { BeforeTool: [{ matcher: 'mine', hooks: [{ type: 'command', command: 'true' }] }] } },
  });
  const fire = (command: string) => hooks.fire('BeforeTool', { ...base('BeforeTool'), tool_name: 'PowerShell', tool_input: { command } });
  await fire('a');
  expect(selected).toEqual(['run_shell_command', 'PowerShell']);
  await fire('b');
  expect(selected).toHaveLength(2);
  await hooks.dispose();
});

test('a handler of a module is asked under both names', () => {
  const file = join(agent.home, 'guards.mjs');
  const engine = JSON.stringify(pathToFileURL(join(root, 'packages/tenterhook/dist/handlers.js')).href);
  const text = `import { HookEngine, HookResponse } from ${engine};
export const engine = new HookEngine();
for (const [id, matcher] of Object.entries({ kind: { tool: 'run_shell_command', command_pattern: 'rm' }, name: { tool: 'PowerShell' } })) {
  engine.register({ id, event_type: 'pre_tool_use', matcher });
  engine.register_handler(id, { handle: ({ payload }) => HookResponse.block(id + ' ' + payload.tool) });
}
`;
  writeFileSync(file, text);
  const list = [{ module: file }] as unknown as TestGuard[];
  expect(agent.run('PreToolUse', call('PowerShell', { command: 'rm x' }), list).answer).toEqual(denied('kind run_shell_command'));
  expect(agent.run('PreToolUse', call('PowerShell', { command: 'ls' }), list).answer).toEqual(denied('name run_shell_command'));
  expect(agent.run('PreToolUse', call('Bash', { command: 'ls' }), list).stdout).toBe('{}\n');
});
