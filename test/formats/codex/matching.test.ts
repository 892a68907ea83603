import { executeToolWithHooks } from '@tenterhook/agent';
import { recordingTool } from '../../support/agent.js';
import { outcomeAt, warningCodes } from '../../support/fire-hooks.js';
import { deeds, failedRun, hooksOf, permission, seen, specific, specificOf, stop, withCodex } from './codex-hooks.js';

const write = { file_path: '/srv/app/a.txt', content: 'one\ntwo\n' };
const edit = { file_path: '/srv/app/a.txt', old_string: 'one\ntwo', new_string: 'one\n2' };

/** Whether a hook with this matcher runs before a tool. */
async function runs(matcher: string, tool: string, input: object = {}, fields: object = {}): Promise<boolean> {
  return withCodex(hooksOf('PreToolUse', 'true', { matcher }), async ({ handler }) => {
    const result = await handler.fire('BeforeTool', { tool_name: tool, tool_input: input, ...fields });
    return deeds(result)[0] === 'succeeded';
  });
}

test.each([
  ['Edit', true],
  ['Write', true],
  ['apply_patch', true],
  ['Edit|Write', true],
  ['Bash', false],
])('21. the matcher %s runs for write_file and replace: %s', async (matcher, expected) => {
  expect([await runs(matcher, 'write_file', write), await runs(matcher, 'replace', edit)]).toEqual([expected, expected]);
});

test.each([
  ['write_file', write, '*** Add File: /srv/app/a.txt\n+one\n+two'],
  ['replace', edit, '*** Update File: /srv/app/a.txt\n@@\n-one\n-two\n+one\n+2'],
])('21. %s is presented as apply_patch with the text of a patch', async (tool, input, patch) => {
  await withCodex(hooksOf('PreToolUse', 'cat > seen.json'), async (scene) => {
    await scene.handler.fire('BeforeTool', { tool_name: tool, tool_input: { ...input, note: 'of the host' } });
    expect(seen(scene)).toMatchObject({
      tool_name: 'apply_patch',
      tool_input: { command: `*** Begin Patch\n${patch}\n*** End Patch`, note: 'of the host' },
    });
  });
});

test('22. Bash is the shell tool only, Ba matches nothing, Ba.* is a regular expression, and a pattern matches the tools of a server', async () => {
  expect(await runs('Bash', 'run_shell_command')).toBe(true);
  expect(await runs('Bash', 'run_shell')).toBe(false);
  expect(await runs('Ba', 'run_shell_command')).toBe(false);
  expect(await runs('Ba.*', 'run_shell_command')).toBe(true);
  expect(await runs('mcp__gh__.*', 'search', {}, { mcp_context: { server_name: 'gh' } })).toBe(true);
  expect(await runs('mcp__gh__.*', 'mcp__other__search')).toBe(false);
  for (const everything of ['', '*']) expect(await runs(everything, 'anything')).toBe(true);
});

test('23. a matcher on Stop is a warning, and the hook runs', async () => {
  await withCodex(hooksOf('Stop', 'true', { matcher: 'x' }), async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'matcher_ignored', severity: 'warning', path: 'hooks.Stop[0].matcher' }]);
    expect(deeds(await handler.fire(stop[1], stop[2]))).toEqual(['succeeded']);
  });
});

test('24. a matcher with look-ahead is a diagnostic, and the hook does not run', async () => {
  await withCodex(hooksOf('PreToolUse', 'true', { matcher: '^(?!Bash)' }), async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_matcher', severity: 'error' }]);
    expect(deeds(await handler.fire('BeforeTool', { tool_name: 'x', tool_input: {} }))).toEqual(['skipped: invalid']);
  });
});

test('a matcher with the name of another agent is a warning that has the name to write', async () => {
  await withCodex(hooksOf('PreToolUse', 'true', { matcher: 'run_shell_command' }), async ({ hooks }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'unmatched_matcher', remedy: 'Write "Bash".' }]);
  });
});

test.each([
  ['SessionStart', 'startup|resume', { source: 'resume' }, ['succeeded']],
  ['SessionStart', 'startup', { source: 'resume' }, ['skipped: matcher']],
  ['PreCompress', 'manual', { trigger: 'auto' }, ['skipped: matcher']],
  ['SubagentStart', 'expl.*', { agent_type: 'explore' }, ['succeeded']],
] as const)('on %s the matcher %s is compared with the value of the event', async (eventName, matcher, input, expected) => {
  const event = eventName === 'PreCompress' ? 'PreCompact' : eventName;
  await withCodex(hooksOf(event, 'true', { matcher }), async ({ handler }) => {
    expect(deeds(await handler.fire(eventName, input))).toEqual(expected);
  });
});

/** Calls a tool of the host with a hook that returns another patch, and returns what the tool received. */
async function patched(name: string, input: Record<string, unknown>, updatedInput: unknown) {
  return withCodex(hooksOf('PreToolUse', permission('allow', { updatedInput })), async ({ client, handler }) => {
    const tool = recordingTool();
    const { status } = await executeToolWithHooks(client, { name, input, ...tool });
    const result = await handler.fire('BeforeTool', { tool_name: name, tool_input: input });
    return { status, calls: tool.calls, result };
  });
}

const patch = (...lines: string[]) => ({ command: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });

test('a patch that a hook rewrote becomes arguments of the host, with the line break that the text had', async () => {
  const other = await patched('write_file', write, patch('*** Add File: /srv/app/b.txt', '+three'));
  expect(other.calls).toEqual([{ file_path: '/srv/app/b.txt', content: 'three\n' }]);
  const changed = await patched('replace', edit, patch('*** Update File: /srv/app/a.txt', '@@', ' one', '-two', '+zwei'));
  expect(changed.calls).toEqual([{ file_path: '/srv/app/a.txt', old_string: 'one\ntwo', new_string: 'one\nzwei' }]);
});

test.each([
  ['write_file', write, patch('*** Delete File: /srv/app/a.txt')],
  ['write_file', write, patch('*** Update File: /srv/app/a.txt', '@@', '-one', '+1')],
  ['replace', edit, patch('*** Update File: /srv/app/a.txt', '@@', '-one', '+1', '*** Update File: /srv/b', '@@', '-x', '+y')],
  ['write_file', write, { command: 'no patch' }],
] as const)('a patch that the tool %s cannot carry out is a deny, never the original input: %#', async (name, input, updated) => {
  const { status, calls, result } = await patched(name, input, updated);
  expect([status, calls]).toEqual(['blocked', []]);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('cannot be carried out') });
  expect(warningCodes(outcomeAt(result, 0))).toContain('rewrite_ignored');
});

test('38. updatedInput of apply_patch without a text in command fails the run, never another patch', async () => {
  for (const updated of [{ path: 'x' }, { command: 7 }]) {
    const { calls, result } = await patched('write_file', write, updated);
    expect(failedRun(result)).toContain('updatedInput of apply_patch must have the patch as a string in "command"');
    expect(calls).toEqual([write]);
  }
});

test('a patch of the host itself passes unchanged, both ways', async () => {
  const own = { input: '*** Begin Patch\n*** Delete File: a\n*** End Patch' };
  await withCodex(hooksOf('PreToolUse', 'cat > seen.json'), async (scene) => {
    await scene.handler.fire('BeforeTool', { tool_name: 'apply_patch', tool_input: own });
    expect(seen(scene)).toMatchObject({ tool_name: 'apply_patch', tool_input: own });
  });
});

test('two names of one argument with different values are refused', async () => {
  await withCodex(hooksOf('PreToolUse', 'true'), async ({ handler }) => {
    const input = { file_path: '/srv/a', path: '/srv/b', content: '' };
    const result = await handler.fire('BeforeTool', { tool_name: 'write_file', tool_input: input });
    expect(result.verdict.kind).toBe('deny');
    expect(warningCodes(outcomeAt(result, 0))).toContain('ambiguous_input');
  });
});

test('context on a tool of a server keeps its arguments', async () => {
  await withCodex(hooksOf('PreToolUse', `cat > seen.json; ${specific('PreToolUse', { additionalContext: 'c' })}`), async (scene) => {
    const input = { file_path: 'a', content: 'b' };
    const result = await scene.handler.fire('BeforeTool', {
      tool_name: 'write',
      tool_input: input,
      mcp_context: { server_name: 'fs' },
    });
    expect(seen(scene)).toMatchObject({ tool_name: 'mcp__fs__write', tool_input: input });
    expect(specificOf(result)).toMatchObject({ additionalContext: 'c' });
  });
});

test.each([
  ['invoke_agent', {}, 'spawn_agent'],
  ['ask_user', {}, 'request_user_input'],
  ['search', { mcp_context: { server_name: 'gh' } }, 'mcp__gh__search'],
  ['read_file', {}, 'read_file'],
  ['my_tool', {}, 'my_tool'],
])('tools that Codex does not have in files keep their names, and the others have those of Codex', async (tool, fields, name) => {
  await withCodex(hooksOf('PreToolUse', 'cat > seen.json'), async (scene) => {
    await scene.handler.fire('BeforeTool', { tool_name: tool, tool_input: { x: 1 }, ...fields });
    expect(seen(scene)).toMatchObject({ tool_name: name, tool_input: { x: 1 } });
  });
});
