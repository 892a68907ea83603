import type { McpContext } from '@tenterhook/protocol';
import { createHooks } from 'tenterhook';

/** Settings of each format with one hook on a tool, whose matcher does not match `list_files`. */
const settings: Record<string, object> = {
  llxprt: { hooks: { BeforeTool: [{ matcher: 'write_file', hooks: [{ type: 'command', command: 'true' }] }] } },
  'gemini-cli': { hooks: { BeforeTool: [{ matcher: 'write_file', hooks: [{ type: 'command', command: 'true' }] }] } },
  'claude-code': { hooks: { PreToolUse: [{ matcher: 'Write', hooks: [{ type: 'command', command: 'true' }] }] } },
  eca: { hooks: { guard: { type: 'preToolCall', matcher: 'eca__write_file', actions: [{ type: 'shell', shell: 'true' }] } } },
};

/** Fires BeforeTool, or AfterTool with a result, as an agent does. */
async function firing(dialect: string, own: object) {
  const hooks = await createHooks({ settings: own, dialect });
  const handler = hooks.getEventHandler();
  return {
    hooks,
    fireBefore: (tool: string, args: Record<string, unknown> = {}, context?: McpContext) =>
      handler.fireBeforeToolEvent(tool, args, context),
    fireAfter: (tool: string, result: Record<string, unknown> = {}) => handler.fireAfterToolEvent(tool, {}, result),
  };
}

describe.each(Object.entries(settings))('%s', (dialect, own) => {
  test('of a tool that no hook is for, the answer is the same whatever its arguments are', async () => {
    const { hooks, fireBefore } = await firing(dialect, own);
    const answer = fireBefore('list_files', { path: 'a' });
    expect((await answer).outcomes).toMatchObject([{ status: 'skipped', skipReason: 'matcher' }]);
    expect(fireBefore('list_files', { path: 'b' })).toBe(answer);
    expect(fireBefore('other_tool', {})).not.toBe(answer);
    await hooks.dispose();
  });

  test('tools of one name and of two servers are never confused', async () => {
    const { hooks, fireBefore } = await firing(dialect, own);
    const on = (server_name: string, tool_name?: string) =>
      fireBefore('search', {}, { server_name, ...(tool_name === undefined ? {} : { tool_name }) } as McpContext);
    const contexts: [string, string?][] = [['a'], ['b'], ['a', 'search'], ['a', 'c'], ['a:c']];
    const answers = contexts.map((context) => on(...context));
    expect(new Set(answers).size).toBe(dialect === 'llxprt' ? 1 : contexts.length);
    for (const [index, context] of contexts.entries()) expect(on(...context)).toBe(answers[index]);
    await hooks.dispose();
  });
});

test('ECA: after a tool whose result a hook wants to know about, each event is planned', async () => {
  const hook = { type: 'postToolCall', matcher: 'eca__grep', actions: [{ type: 'shell', shell: 'true' }] };
  const { hooks, fireAfter } = await firing('eca', { hooks: { check: hook } });
  const failed = { error: { message: 'no such file' } };
  expect((await fireAfter('grep_search', failed)).outcomes[0]?.status).toBe('skipped');
  expect((await fireAfter('grep_search', {})).outcomes[0]?.status).toBe('succeeded');
  expect((await fireAfter('grep_search', failed)).outcomes[0]?.status).toBe('skipped');
  expect(fireAfter('replace', failed)).toBe(fireAfter('replace', {}));
  await hooks.dispose();
});

test('Claude Code: a condition is read for the tools of its matcher alone, and so is the result', async () => {
  const command = { type: 'command', command: 'true' };
  const { hooks, fireBefore, fireAfter } = await firing('claude-code', {
    hooks: {
      PreToolUse: [{ matcher: 'Bash', hooks: [{ ...command, if: 'Bash(git push *)' }] }],
      PostToolUseFailure: [{ matcher: 'Bash', hooks: [command] }],
    },
  });
  const shell = (text: string) => fireBefore('run_shell_command', { command: text });
  expect((await shell('ls')).outcomes[0]?.status).toBe('skipped');
  expect((await shell('git push origin')).outcomes[0]?.status).toBe('succeeded');
  expect((await shell('ls')).outcomes[0]?.status).toBe('skipped');
  expect(fireBefore('list_files', { path: 'a' })).toBe(fireBefore('list_files', { path: 'b' }));
  expect((await fireAfter('run_shell_command', {})).outcomes[0]?.status).toBe('skipped');
  expect((await fireAfter('run_shell_command', { error: { message: 'no' } })).outcomes[0]?.status).toBe('succeeded');
  expect(fireAfter('list_files', {})).toBe(fireAfter('list_files', { error: { message: 'no' } }));
  await hooks.dispose();
});

test.each<[string, string, Record<string, unknown>, Record<string, unknown>]>([
  ['SessionStart', 'resume', { source: 'startup' }, { model_name: 'm' }],
  ['SessionEnd', 'clear', { reason: 'exit' }, { duration_ms: 5 }],
  ['Notification', 'idle_prompt', { notification_type: 'ToolPermission', message: 'a', details: {} }, { message: 'b' }],
])('Claude Code: %s is remembered by what its matcher looks at', async (event, matcher, input, others) => {
  const hooks = await createHooks({
    settings: { hooks: { [event]: [{ matcher, hooks: [{ type: 'command', command: 'true' }] }] } },
    dialect: 'claude-code',
  });
  const handler = hooks.getEventHandler();
  const answer = handler.fire(event, input);
  expect((await answer).outcomes).toMatchObject([{ status: 'skipped', skipReason: 'matcher' }]);
  expect(handler.fire(event, { ...input, ...others })).toBe(answer);
  await hooks.dispose();
});
