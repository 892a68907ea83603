import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { groups, llxprtGuard, printing, RelayedAgent, specific } from '../relayed-agent.js';

const agent = new RelayedAgent('copilot');
afterAll(() => agent.remove());

const base = (event: string) => ({ hook_event_name: event, session_id: 's1', timestamp: '2026-11-21T10:00:00.000Z', cwd: agent.project });
const P = { ...base('PreToolUse'), tool_name: 'Bash', tool_input: { command: 'npm test' } };
const quiet = { status: 0, stderr: '' };
const denied = (reason: unknown) => ({ permissionDecision: 'deny', permissionDecisionReason: reason });
const before = (answer: object | undefined, hook: object = {}) => llxprtGuard('BeforeTool', answer, hook);
const progress = (message: unknown) => ({ type: 'progress', message });
const linesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

test('56. without a guard nothing is decided', () => {
  expect(agent.run('PreToolUse', P)).toMatchObject({ ...quiet, stdout: '{}\n' });
});

/** Each in both forms of the input. */
const camel = { sessionId: 's1', timestamp: 1_795_255_200_000, cwd: agent.project, toolName: 'bash', toolArgs: { command: 'npm test' } };

test.each([
  ['57', 'PreToolUse', P],
  ['70', 'preToolUse', camel],
] as const)('%s. a deny, an ask, an allow and new arguments: %s', async (_, event, payload) => {
  for (const [answer, expected] of [
    [{ decision: 'deny', reason: 'no' }, denied('no')],
    [
      { decision: 'ask', reason: 'sure?' },
      { permissionDecision: 'ask', permissionDecisionReason: 'sure?' },
    ],
    [{ decision: 'allow' }, { permissionDecision: 'allow' }],
    [specific('BeforeTool', { tool_input: { command: 'ls' } }), { modifiedArgs: { command: 'ls' } }],
  ] as const) {
    const run = await agent.runHere(event, payload, [before(answer)]);
    expect(run).toMatchObject({ ...quiet, seen: [{ tool_name: 'run_shell_command', tool_input: { command: 'npm test' } }] });
    expect(run.answer).toEqual(expected);
  }
});

test('58 and 59, and 70. the same answers through a process of their own', () => {
  expect(agent.run('PreToolUse', P, [before({ decision: 'ask', reason: 'sure?' })]).answer).toEqual({
    permissionDecision: 'ask',
    permissionDecisionReason: 'sure?',
  });
  const rewrites = before(specific('BeforeTool', { tool_input: { command: 'ls' } }));
  expect(agent.run('PreToolUse', P, [rewrites]).answer).toEqual({ modifiedArgs: { command: 'ls' } });
  expect(agent.run('preToolUse', camel, [before({ decision: 'deny', reason: 'no' })]).answer).toEqual(denied('no'));
});

test('60. a guard of Claude Code reads its own keys, and what it writes comes back in those of Copilot', () => {
  const edit = { ...P, tool_name: 'Edit', tool_input: { path: '/srv/app/a', old_str: 'x', new_str: 'y' } };
  const updated = { file_path: '/srv/app/a', old_string: 'x', new_string: 'z' };
  const guard = groups('claude-code', 'PreToolUse', printing(specific('PreToolUse', { updatedInput: updated })), {}, 'Edit');
  const { answer, seen } = agent.run('PreToolUse', edit, [guard]);
  expect(seen).toMatchObject([{ tool_name: 'Edit', tool_input: { file_path: '/srv/app/a', old_string: 'x', new_string: 'y' } }]);
  expect(answer).toEqual({ modifiedArgs: { path: '/srv/app/a', old_str: 'x', new_str: 'z' } });
});

/** Some models edit with a patch, which is the whole of the arguments. */
const patch = '*** Begin Patch\n*** Add File: a.txt\n+x\n*** Update File: b.txt\n@@\n-x\n+y\n*** End Patch\n';
const otherPatch = '*** Begin Patch\n*** Delete File: c.txt\n*** End Patch\n';

test.each([
  ['of the command line', 'PreToolUse', { ...P, tool_name: 'Edit', tool_input: patch }],
  ['of the command line, in the other form', 'preToolUse', { ...camel, toolName: 'apply_patch', toolArgs: patch }],
  [
    'of VS Code',
    'PreToolUse',
    { ...P, hookEventName: 'PreToolUse', tool_name: 'apply_patch', tool_input: { input: patch, explanation: 'e' } },
  ],
  ['beside another patch', 'preToolUse', { ...camel, toolName: 'apply_patch', toolArgs: { first: otherPatch, input: patch } }],
  ['beside the path of a file', 'PreToolUse', { ...P, tool_name: 'Edit', tool_input: { path: '/srv/app/b', input: patch } }],
])('a guard of files sees the files of a patch %s', async (_what, event, payload) => {
  const guard = groups('claude-code', 'PreToolUse', printing(specific('PreToolUse', { permissionDecision: 'deny' })), {}, 'Write');
  const { seen, stdout } = await agent.runHere(event, payload, [guard]);
  const write = { tool_name: 'Write', tool_input: { file_path: join(agent.project, 'a.txt'), content: 'x' } };
  expect(seen).toContainEqual(expect.objectContaining({ ...write, tool_input: expect.objectContaining(write.tool_input) }));
  expect(stdout).toContain('"permissionDecision":"deny"');
  const rewrite = before(specific('BeforeTool', { tool_input: { content: 'z' } }));
  expect((await agent.runHere(event, payload, [rewrite])).stdout).toMatch(/"permissionDecision":"deny".*cannot be written back/);
});

test('the text of an edit that is a patch is not applied', async () => {
  const payload = { ...camel, toolName: 'edit', toolArgs: { path: '/srv/app/b', old_str: 'x', new_str: patch } };
  const guard = groups('claude-code', 'PreToolUse', printing({}), {}, 'Write|Edit');
  const { seen } = await agent.runHere('preToolUse', payload, [guard]);
  expect(seen).toMatchObject([{ tool_name: 'Edit', tool_input: { new_string: patch } }]);
});

test('arguments that are a text reach the guards', async () => {
  const { seen, answer } = await agent.runHere('PreToolUse', { ...P, tool_name: 'own_tool', tool_input: 'rm -rf x' }, [
    before({ decision: 'deny', reason: 'no' }),
  ]);
  expect(seen).toMatchObject([{ tool_name: 'own_tool', tool_input: { input: 'rm -rf x' } }]);
  expect(answer).toEqual(denied('no'));
});

test('61. a stop is a deny before a tool', () => {
  expect(agent.run('PreToolUse', P, [before({ continue: false, stopReason: 's' })]).answer).toEqual(denied('s'));
});

test('62 and 63. a redaction, and feedback that keeps the result', () => {
  const payload = { ...P, hook_event_name: 'PostToolUse', tool_result: { result_type: 'success', text_result_for_llm: 'key' } };
  const redacting = groups('gemini-cli', 'AfterTool', printing({ decision: 'deny', reason: 'gone' }));
  const redacted = agent.run('PostToolUse', payload, [redacting]);
  expect(redacted.seen).toMatchObject([{ tool_response: { llmContent: 'key' } }]);
  expect(redacted.answer).toEqual({ modifiedResult: { resultType: 'success', textResultForLlm: 'gone' } });
  const kept = agent.run('PostToolUse', payload, [llxprtGuard('AfterTool', { decision: 'deny', reason: 'r' })]);
  expect(kept.answer).toEqual({ additionalContext: 'r' });
});

test('64. a failed tool has an error, and context comes back', () => {
  const payload = { ...P, hook_event_name: 'PostToolUseFailure', error: 'boom' };
  const { answer, seen } = agent.run('PostToolUseFailure', payload, [
    llxprtGuard('AfterTool', specific('AfterTool', { additionalContext: 'c' })),
  ]);
  expect(seen).toMatchObject([{ tool_response: { error: { message: 'boom' } } }]);
  expect(answer).toEqual({ additionalContext: 'c' });
});

test('65. a prompt, and the end of a turn', () => {
  const prompt = { ...base('UserPromptSubmit'), prompt: 'p' };
  const blocked = agent.run('UserPromptSubmit', prompt, [llxprtGuard('BeforeAgent', { decision: 'deny', reason: 'no' })]);
  expect(blocked.answer).toEqual({ decision: 'block', reason: 'no' });
  const ended = { ...base('Stop'), transcript_path: '/srv/t.jsonl', stop_reason: 'end_turn', stop_hook_active: false };
  const { answer, seen } = agent.run('Stop', ended, [llxprtGuard('AfterAgent', { decision: 'deny', reason: 'r' })]);
  expect([answer, seen]).toMatchObject([{ decision: 'block', reason: 'r' }, [{ stop_hook_active: false }]]);
});

test('66. context at the start of a session, which is cut at 10 KB', () => {
  const started = { ...base('SessionStart'), source: 'new' };
  const context = (text: string) => llxprtGuard('SessionStart', specific('SessionStart', { additionalContext: text }));
  const { answer, seen } = agent.run('SessionStart', started, [context('c')]);
  expect([answer, seen]).toMatchObject([{ additionalContext: 'c' }, [{ source: 'startup' }]]);
  const long = agent.run('SessionStart', started, [context('x'.repeat(11_000))]).answer as { readonly additionalContext: string };
  expect(long.additionalContext).toHaveLength(10_240);
  expect(long.additionalContext.endsWith('… [truncated]')).toBe(true);
});

test('67. VS Code reads answers inside hookSpecificOutput', () => {
  const vscode = { ...P, hookEventName: 'PreToolUse', sessionId: 's1', transcript_path: '/srv/t.jsonl', tool_use_id: 't1' };
  const { stdout, answer } = agent.run('PreToolUse', vscode, [before({ decision: 'deny', reason: 'no', systemMessage: 'm' })]);
  expect(linesOf(stdout)).toHaveLength(1);
  expect(answer).toEqual({ systemMessage: 'm', ...specific('PreToolUse', denied('no')) });
});

test('with closed, a failure is a deny for the command line and for VS Code', () => {
  const { stdout, answer } = agent.run('PreToolUse', 'not json', [], ['--closed']);
  expect(linesOf(stdout)).toHaveLength(1);
  const isDenied = denied(expect.stringContaining('not valid JSON'));
  expect(answer).toEqual({ ...isDenied, ...specific('PreToolUse', isDenied) });
});

test('68. a message is a line with progress before the answer', () => {
  const { stdout } = agent.run('PreToolUse', P, [before({ decision: 'deny', reason: 'no', systemMessage: 'm' })]);
  expect(linesOf(stdout)).toEqual([progress('m'), denied('no')]);
});

test('69. a guard that crashes and a budget that is spent are a line with progress and no opinion, and the exit code is 0', () => {
  const crashed = agent.run('PreToolUse', P, [groups('llxprt', 'BeforeTool', 'kill -KILL $$', { name: 'g' })]);
  expect(crashed).toMatchObject(quiet);
  expect(linesOf(crashed.stdout)).toEqual([progress(expect.stringContaining('"g"')), {}]);
  const spent = agent.run('PreToolUse', P, [groups('llxprt', 'BeforeTool', 'sleep 300')], ['--budget', '1']);
  expect(spent).toMatchObject(quiet);
  expect(linesOf(spent.stdout)).toEqual([progress(expect.any(String)), {}]);
  expect(agent.run('LaterEvent', P)).toMatchObject({ status: 0, stdout: '' });
});

test('the entries are in a file of their own, which comes and goes, and the other files of the folder stay', async () => {
  const other = new RelayedAgent('copilot');
  try {
    const folder = join(other.home, '.copilot/hooks');
    mkdirSync(folder, { recursive: true });
    const own = join(folder, 'mine.json');
    writeFileSync(own, '{"hooks":{}}');
    expect(await other.act('install', '--agent', 'copilot')).toMatchObject({ status: 0, stderr: '' });
    const file = join(folder, 'tenterhook.json');
    const { version, hooks } = JSON.parse(readFileSync(file, 'utf8'));
    expect(version).toBe(1);
    expect(Object.keys(hooks)).toEqual([
      'PreToolUse',
      'PostToolUse',
      'PostToolUseFailure',
      'UserPromptSubmit',
      'Stop',
      'SubagentStop',
      'SessionStart',
      'SessionEnd',
      'PreCompact',
      'Notification',
    ]);
    const client = join(other.home, '.local/share/tenterhook/bin/tenterhook-hook');
    expect(hooks.PreToolUse).toEqual([{ type: 'command', command: `'${client}' copilot PreToolUse`, timeoutSec: 65, timeout: 65 }]);
    const status = JSON.parse((await other.act('status', '--agent', 'copilot', '--json')).stdout).files;
    expect(status).toContainEqual({ agent: 'copilot', scope: 'user', file, state: 'installed', entries: 10 });
    // The agent runs its own entries, so they are never run a second time.
    expect(other.run('PreToolUse', { ...P, cwd: other.project })).toMatchObject({ ...quiet, stdout: '{}\n' });
    await other.act('uninstall', '--agent', 'copilot');
    expect([existsSync(file), readFileSync(own, 'utf8')]).toEqual([false, '{"hooks":{}}']);
    await other.act('install', '--agent', 'copilot', '--scope', 'project');
    expect(existsSync(join(other.project, '.github/hooks/tenterhook.json'))).toBe(true);
  } finally {
    other.remove();
  }
});
