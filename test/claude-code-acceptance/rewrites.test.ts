import { join } from 'node:path';
import { executeToolWithHooks } from '@tenterhook/agent';
import { recordingTool } from '../support/agent.js';
import { outcomeAt, warningCodes } from '../support/fire-hooks.js';
import { callBash, fireBash, idOf, permission, preToolUse, seen, specific, specificOf, withClaude } from './claude-hooks.js';

const updated = (updatedInput: Record<string, unknown>) => specific('PreToolUse', { updatedInput });
const call = { name: 'run_shell_command', input: { command: 'npm test', description: 'd' } };

test('claude 12: updatedInput replaces the whole input: a key that is left out is gone', async () => {
  await withClaude(preToolUse(updated({ command: 'ls' })), async ({ client }) => {
    const tool = recordingTool();
    expect((await executeToolWithHooks(client, { ...call, ...tool })).status).toBe('executed');
    expect(tool.calls).toEqual([{ command: 'ls' }]);
  });
});

test('claude 12: PostToolUse sees the input as rewritten', async () => {
  const hooks = { ...preToolUse(updated({ command: 'ls' })), PostToolUse: [{ hooks: [{ type: 'command', command: 'cat > seen.json' }] }] };
  await withClaude(hooks, async (scene) => {
    await executeToolWithHooks(scene.client, { ...call, ...recordingTool() });
    expect(seen(scene)).toMatchObject({ hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } });
  });
});

test('claude 13: of two different rewrites the later one in plan order wins, and a warning names both hooks', async () => {
  // The earlier one ends last: it is the plan that counts, and not who came last.
  const first = `until [ -e second ]; do sleep 0.02; done; ${updated({ command: 'first' })}`;
  const second = `${updated({ command: 'second' })}; touch second`;
  await withClaude(preToolUse([first, second]), async ({ handler }) => {
    const result = await callBash(handler);
    expect(specificOf(result)['tool_input']).toEqual({ command: 'second' });
    expect(warningCodes(outcomeAt(result, 0))).toEqual([]);
    const [warning] = outcomeAt(result, 1).warnings;
    expect(warning?.code).toBe('rewrite_conflict');
    for (const id of [idOf('0.0'), idOf('0.1')]) expect(warning?.message).toContain(id);
  });
});

test('claude 13: two equal rewrites are no conflict', async () => {
  const result = await fireBash([updated({ command: 'ls' }), `${updated({ command: 'ls' })}; true`]);
  expect(specificOf(result)['tool_input']).toEqual({ command: 'ls' });
  expect(result.outcomes.flatMap(warningCodes)).toEqual([]);
});

test('claude 14: updatedInput without a decision is applied, and the verdict is none', async () => {
  const result = await fireBash(updated({ command: 'ls' }));
  expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
  expect(specificOf(result)['tool_input']).toEqual({ command: 'ls' });
  expect(result.changes).toMatchObject([{ hookId: idOf(), after: 'ls' }]);
});

test.each(['allow', 'ask'])('claude §5: beside %s it is applied as well', async (decision) => {
  const result = await fireBash(permission(decision, { updatedInput: { command: 'ls' } }));
  expect(result.verdict.kind).toBe(decision);
  expect(specificOf(result)['tool_input']).toEqual({ command: 'ls' });
});

test('claude §5: exit 2 rewrites nothing', async () => {
  const result = await fireBash(`${updated({ command: 'ls' })}; exit 2`);
  expect(result).toMatchObject({ verdict: { kind: 'deny' }, changes: [] });
  expect(warningCodes(outcomeAt(result, 0))).toContain('rewrite_ignored');
});

test('claude §5: a rewrite with exit 1 counts, as all of its JSON does', async () => {
  const result = await fireBash(`${updated({ command: 'ls' })}; exit 1`);
  expect(result.verdict.kind).toBe('none');
  expect(specificOf(result)['tool_input']).toEqual({ command: 'ls' });
});

test('claude 29: the host\'s tool "replace" is Edit with an absolute file_path', async () => {
  await withClaude(preToolUse('cat > seen.json', { matcher: 'Edit' }), async (scene) => {
    await scene.handler.fireBeforeToolEvent('replace', { path: 'src/a.ts', old_string: 'a', new_string: 'b' });
    expect(seen(scene)).toMatchObject({ tool_name: 'Edit' });
    expect(seen(scene)['tool_input']).toEqual({ file_path: join(scene.projectDir, 'src/a.ts'), old_string: 'a', new_string: 'b' });
  });
});

test.each(['path', 'absolute_path', 'file_path'])('claude 29: a rewritten file_path comes back as the key of the host: %s', async (key) => {
  const rewrite = updated({ file_path: '/srv/b.ts', old_string: 'a', new_string: 'c' });
  await withClaude(preToolUse(rewrite), async ({ client }) => {
    const tool = recordingTool();
    await executeToolWithHooks(client, { name: 'replace', input: { [key]: '/srv/a.ts', old_string: 'a', new_string: 'b' }, ...tool });
    expect(tool.calls).toEqual([{ [key]: '/srv/b.ts', old_string: 'a', new_string: 'c' }]);
  });
});

test('claude 29: a file_path that comes back as it was shown is the path that the host gave', async () => {
  const program = [
    "let text = '';",
    "process.stdin.on('data', (part) => (text += part)).on('end', () => {",
    '  const { tool_input } = JSON.parse(text);',
    "  const hookSpecificOutput = { hookEventName: 'PreToolUse', updatedInput: { ...tool_input, new_string: 'c' } };",
    '  console.log(JSON.stringify({ hookSpecificOutput }));',
    '});',
  ].join('\n');
  const handler = { type: 'command', command: process.execPath, args: ['-e', program] };
  await withClaude(preToolUse(handler), async ({ client }) => {
    const tool = recordingTool();
    await executeToolWithHooks(client, { name: 'replace', input: { path: 'a.ts', old_string: 'a', new_string: 'b' }, ...tool });
    expect(tool.calls).toEqual([{ path: 'a.ts', old_string: 'a', new_string: 'c' }]);
  });
});

test.each([
  ['write_file', { file_path: '/etc/passwd', path: '/tmp/decoy', content: '' }],
  ['read_file', { absolute_path: '/tmp/ok', file_path: '/etc/passwd' }],
])('claude §4: a call of %s that names two files is denied, whatever the hook would have said', async (tool, input) => {
  await withClaude(preToolUse('exit 0'), async ({ handler }) => {
    const result = await handler.fireBeforeToolEvent(tool, input);
    expect(result.verdict.kind).toBe('deny');
    expect(warningCodes(outcomeAt(result, 0))[0]).toBe('ambiguous_input');
  });
});
