import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultDialects } from '@tenterhook/dialects';
import { createFailedResult } from '@tenterhook/protocol/internal';
import { ecaGuard, groups, llxprtGuard, printing, RelayedAgent, specific } from '../relayed-agent.js';

const agent = new RelayedAgent('claude-code');
afterAll(() => agent.remove());

const base = (event: string) => ({
  session_id: 's1',
  transcript_path: '/srv/t.jsonl',
  cwd: agent.project,
  permission_mode: 'default',
  hook_event_name: event,
});
const call = { tool_name: 'Bash', tool_input: { command: 'npm test', description: 'd' }, tool_use_id: 't1' };
const P = { ...base('PreToolUse'), ...call };
const quiet = { status: 0, stderr: '' };
const denied = (reason: string) => specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: reason });

test('1. no guard matches', () => {
  const other = groups('llxprt', 'BeforeTool', printing({ decision: 'deny' }), {}, 'write_file');
  expect(agent.run('PreToolUse', P, [other])).toMatchObject({ ...quiet, stdout: '{}\n', seen: [] });
});

test('2. a deny', () => {
  const { answer, ...rest } = agent.run('PreToolUse', P, [llxprtGuard('BeforeTool', { decision: 'deny', reason: 'no' })]);
  expect(rest).toMatchObject(quiet);
  expect(answer).toEqual(denied('no'));
});

test('3. an ask, and an allow', () => {
  const asked = agent.run('PreToolUse', P, [llxprtGuard('BeforeTool', { decision: 'ask', reason: 'sure?' })]);
  expect(asked.answer).toEqual(specific('PreToolUse', { permissionDecision: 'ask', permissionDecisionReason: 'sure?' }));
  const allowed = agent.run('PreToolUse', P, [llxprtGuard('BeforeTool', { decision: 'allow' })]);
  expect(allowed.answer).toEqual(specific('PreToolUse', { permissionDecision: 'allow' }));
});

test('4. a rewrite keeps the other arguments and decides nothing', () => {
  const { answer } = agent.run('PreToolUse', P, [llxprtGuard('BeforeTool', specific('BeforeTool', { tool_input: { command: 'ls' } }))]);
  expect(answer).toEqual(specific('PreToolUse', { updatedInput: { command: 'ls', description: 'd' } }));
});

test("5. a guard in Gemini CLI's format sees the canonical tool", () => {
  const guard = groups('gemini-cli', 'BeforeTool', printing({ decision: 'deny', reason: 'no' }), {}, '^run_shell_command$');
  const { answer, seen } = agent.run('PreToolUse', P, [guard]);
  expect(answer).toEqual(denied('no'));
  expect(seen).toMatchObject([{ tool_name: 'run_shell_command' }]);
});

test("6. a rewrite in ECA's keys comes back in those of the agent", () => {
  const write = { ...P, tool_name: 'Write', tool_input: { file_path: join(agent.project, 'a'), content: 'x' } };
  const { answer } = agent.run('PreToolUse', write, [ecaGuard('preToolCall', { updatedInput: { path: '/srv/b' } }, 'eca__write_file')]);
  expect(answer).toEqual(specific('PreToolUse', { updatedInput: { file_path: '/srv/b', content: 'x' } }));
});

test('7. a stop denies the call too', () => {
  const { answer } = agent.run('PreToolUse', P, [llxprtGuard('BeforeTool', { continue: false, stopReason: 's' })]);
  expect(answer).toEqual({ continue: false, stopReason: 's', ...denied('s') });
});

test('8. a redaction replaces the text of the result', () => {
  const payload = { ...base('PostToolUse'), ...call, tool_response: { stdout: 'key', stderr: '', interrupted: false } };
  const guard = groups('gemini-cli', 'AfterTool', printing({ decision: 'deny', reason: 'gone' }));
  const { answer } = agent.run('PostToolUse', payload, [guard]);
  expect(answer).toEqual(specific('PostToolUse', { updatedToolOutput: { stdout: 'gone', stderr: '', interrupted: false } }));
});

test('9. feedback and context after a tool', () => {
  const payload = { ...base('PostToolUse'), ...call, tool_response: { stdout: 'key', stderr: '', interrupted: false } };
  const blocked = agent.run('PostToolUse', payload, [llxprtGuard('AfterTool', { decision: 'deny', reason: 'r' })]);
  expect(blocked.answer).toEqual({ decision: 'block', reason: 'r' });
  const context = agent.run('PostToolUse', payload, [llxprtGuard('AfterTool', specific('AfterTool', { additionalContext: 'c' }))]);
  expect(context.answer).toEqual(specific('PostToolUse', { additionalContext: 'c' }));
});

test('10. a failed tool is an AfterTool with an error', () => {
  const payload = { ...base('PostToolUseFailure'), ...call, error: 'boom' };
  const { answer, seen } = agent.run('PostToolUseFailure', payload, [
    llxprtGuard('AfterTool', specific('AfterTool', { additionalContext: 'c' })),
  ]);
  expect(seen).toMatchObject([{ tool_response: { error: { message: 'boom' } } }]);
  expect(answer).toEqual(specific('PostToolUseFailure', { additionalContext: 'c' }));
});

test('11. a prompt is denied, and so is a prompt that cannot be rewritten', () => {
  const payload = { ...base('UserPromptSubmit'), prompt: 'my key' };
  const blocked = agent.run('UserPromptSubmit', payload, [llxprtGuard('BeforeAgent', { decision: 'deny', reason: 'no' })]);
  expect(blocked.answer).toEqual({ decision: 'block', reason: 'no' });
  const rewriting = ecaGuard('preRequest', { replacedPrompt: 'my ***' });
  const lost = agent.run('UserPromptSubmit', payload, [rewriting]);
  expect(lost.answer).toEqual({ decision: 'block', reason: expect.stringContaining('Claude Code cannot rewrite a prompt') });
  const warned = agent.run('UserPromptSubmit', payload, [rewriting], ['--on-loss', 'warn']);
  expect(warned.answer).toEqual({ systemMessage: expect.stringContaining('Claude Code cannot rewrite a prompt') });
});

test('12. the end of a turn, and a compaction', () => {
  const stop = { ...base('Stop'), stop_hook_active: false, last_assistant_message: 'done' };
  const { answer, seen } = agent.run('Stop', stop, [llxprtGuard('AfterAgent', { decision: 'deny', reason: 'run tests' })]);
  expect(answer).toEqual({ decision: 'block', reason: 'run tests' });
  expect(seen).toMatchObject([{ prompt_response: 'done' }]);
  const compact = { ...base('PreCompact'), trigger: 'manual', custom_instructions: '' };
  const waiting = agent.run('PreCompact', compact, [llxprtGuard('PreCompress', { decision: 'deny', reason: 'wait' })]);
  expect(waiting).toMatchObject({ status: 2, stdout: '', stderr: 'wait\n' });
});

test('13. contexts are joined, and a message for everyone is both', () => {
  const start = { ...base('SessionStart'), source: 'startup' };
  const guards = ['a', 'b'].map((text) => llxprtGuard('SessionStart', specific('SessionStart', { additionalContext: text })));
  expect(agent.run('SessionStart', start, guards).answer).toEqual(specific('SessionStart', { additionalContext: 'a\nb' }));
  const prompt = { ...base('UserPromptSubmit'), prompt: 'p' };
  const { answer } = agent.run('UserPromptSubmit', prompt, [llxprtGuard('BeforeAgent', { systemMessage: 'm' })]);
  expect(answer).toEqual({ systemMessage: 'm', ...specific('UserPromptSubmit', { additionalContext: 'm' }) });
});

test('an entry of another agent in a repository does not keep a guard from running', () => {
  mkdirSync(join(agent.project, '.cursor'));
  writeFileSync(join(agent.project, '.cursor/hooks.json'), '{"hooks":{"stop":[{"command":"/x/tenterhook-hook cursor stop"}]}}');
  const guard = llxprtGuard('BeforeTool', { decision: 'deny', reason: 'no' });
  expect(agent.run('PreToolUse', { ...P, cursor_version: 'x' }, [guard]).stdout).toContain('"permissionDecision":"deny"');
  rmSync(join(agent.project, '.cursor'), { recursive: true });
});

test('14. an agent with an entry of its own for the event is not asked twice, and bad input has an answer', () => {
  mkdirSync(join(agent.home, '.cursor'));
  const deny = llxprtGuard('BeforeTool', { decision: 'deny', reason: 'no' });
  const ofCursor = { ...P, cursor_version: 'x' };
  const entryOf = (event: string, more = '') =>
    `{"version":1,"hooks":{"${event}":[{"command":"/x/tenterhook-hook cursor ${event}"}]${more}}}`;
  const withCursor = (text: string) => {
    writeFileSync(join(agent.home, '.cursor/hooks.json'), text);
    return agent.run('PreToolUse', ofCursor, [deny]);
  };
  expect(withCursor(entryOf('preToolUse'))).toMatchObject({ ...quiet, stdout: '{}\n', seen: [] });
  // An entry for another event, and one in a file that Cursor does not read, ask about nothing.
  for (const text of [entryOf('stop'), entryOf('preToolUse', ',"beforeTool":[]'), entryOf('preToolUse').slice(1)])
    expect(withCursor(text).answer).toMatchObject(denied('no'));
  rmSync(join(agent.home, '.cursor'), { recursive: true });
  expect(agent.run('PreToolUse', 'not json', [deny])).toMatchObject({
    ...quiet,
    answer: { systemMessage: expect.stringContaining('not valid JSON') },
  });
  expect(Object.keys(agent.run('PreToolUse', 'not json', [deny]).answer as object)).toEqual(['systemMessage']);
  const closed = agent.run('PreToolUse', 'not json', [deny], ['--on-failure', 'closed']).answer;
  expect(closed).toEqual(denied(expect.stringContaining('not valid JSON') as unknown as string));
});

test('Copilot and VS Code, which also run these hooks, are not asked twice if Copilot has entries of its own', async () => {
  const deny = llxprtGuard('BeforeTool', { decision: 'deny', reason: 'no' });
  const { transcript_path: _transcript, ...others } = P;
  const payloads = [
    { ...others, timestamp: '2026-11-21T10:00:00.000Z' },
    { ...P, hookEventName: 'PreToolUse' },
  ];
  for (const payload of payloads) expect((await agent.runHere('PreToolUse', payload, [deny])).answer).toEqual(denied('no'));
  mkdirSync(join(agent.home, '.copilot/hooks'), { recursive: true });
  const entry = { type: 'command', command: '/x/tenterhook-hook copilot PreToolUse' };
  writeFileSync(join(agent.home, '.copilot/hooks/tenterhook.json'), JSON.stringify({ version: 1, hooks: { PreToolUse: [entry] } }));
  for (const payload of payloads) expect(await agent.runHere('PreToolUse', payload, [deny])).toMatchObject({ stdout: '{}\n', seen: [] });
  expect((await agent.runHere('PreToolUse', P, [deny])).answer).toEqual(denied('no'));
});

test('80. the guards of an agent that runs inside three others do not run, and its calls are denied', () => {
  const allow = llxprtGuard('BeforeTool', { decision: 'allow' });
  const { answer, seen } = agent.run('PreToolUse', P, [allow], [], { TENTERHOOK_RELAY: '3' });
  expect(answer).toEqual(denied(expect.stringContaining('3 agents') as unknown as string));
  expect(seen).toEqual([]);
});

test('new arguments on a request for permission that no guard allows are a deny', () => {
  const { relay } = defaultDialects().find(({ name }) => name === 'claude-code') ?? {};
  const heard = relay?.hear({ ...P, hook_event_name: 'PermissionRequest' }, 'PermissionRequest');
  if (relay === undefined || heard === undefined) throw new Error('Claude Code has no way back');
  const result = createFailedResult({ code: 'internal_error', message: '' }, 0);
  const rewritten = { ...result, errors: [], finalOutput: specific('PermissionRequest', { tool_input: { command: 'ls' } }) as never };
  const { stdout, losses } = relay.say([rewritten], heard, { onFailure: 'open', ask: 'deny', onLoss: 'deny' });
  expect(JSON.parse(stdout)).toMatchObject({
    hookSpecificOutput: { decision: { behavior: 'deny', message: expect.stringContaining('allow') } },
  });
  expect(losses).toMatchObject([{ effect: 'input' }]);
});
