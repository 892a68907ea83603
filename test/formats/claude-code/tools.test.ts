import { join } from 'node:path';
import { executeToolWithHooks } from '@tenterhook/agent';
import { claudeCode } from '@tenterhook/dialects';
import type { McpContext } from '@tenterhook/protocol';
import { recordingTool } from '../../support/agent.js';
import { outcomeAt, warningCodes } from '../../support/fire-hooks.js';
import { callBash, fireBash, idOf, permission, preToolUse, seen, specific, specificOf, withClaude } from './claude-hooks.js';

describe('tools', () => {
  /** Returns the tool and the arguments that a hook receives for a call of the host. */
  function reported(tool_name: string, tool_input: Record<string, unknown>, mcp_context?: McpContext) {
    return withClaude(preToolUse('cat > seen.json'), async (scene) => {
      await scene.handler.fire('BeforeTool', { tool_name, tool_input, ...(mcp_context === undefined ? {} : { mcp_context }) });
      const given = seen(scene);
      return { name: given['tool_name'], input: given['tool_input'], projectDir: scene.projectDir };
    });
  }

  /** Returns the arguments that the tool of the host gets when a hook rewrites them. */
  async function ran(name: string, input: Record<string, unknown>, updatedInput: Record<string, unknown>): Promise<unknown> {
    return withClaude(preToolUse(specific('PreToolUse', { updatedInput })), async ({ client }) => {
      const tool = recordingTool();
      await executeToolWithHooks(client, { name, input, ...tool });
      return tool.calls[0];
    });
  }

  test.each([
    ['run_shell_command', 'Bash'],
    ['read_file', 'Read'],
    ['read_many_files', 'Read'],
    ['write_file', 'Write'],
    ['replace', 'Edit'],
    ['glob', 'Glob'],
    ['grep_search', 'Grep'],
    ['web_fetch', 'WebFetch'],
    ['google_web_search', 'WebSearch'],
    ['invoke_agent', 'Agent'],
    ['ask_user', 'AskUserQuestion'],
    ['a_tool_of_the_host', 'a_tool_of_the_host'],
    ['NotebookEdit', 'NotebookEdit'],
    ['Bash', 'Bash'],
  ])('claude §4 tools: the tool %s of the host is %s to a hook', async (host, name) => {
    expect(await reported(host, {})).toMatchObject({ name });
  });

  test.each<[tool: string, input: Record<string, unknown>, expected: Record<string, unknown>]>([
    ['run_shell_command', { command: 'ls', description: 'd' }, { command: 'ls', description: 'd' }],
    ['read_file', { absolute_path: '/srv/a', offset: 1, limit: 2 }, { file_path: '/srv/a', offset: 1, limit: 2 }],
    ['read_file', { path: '/srv/a' }, { file_path: '/srv/a' }],
    ['write_file', { file_path: '/srv/a', content: 'c' }, { file_path: '/srv/a', content: 'c' }],
    ['replace', { path: '/srv/a', old_string: 'a', new_string: 'b' }, { file_path: '/srv/a', old_string: 'a', new_string: 'b' }],
    ['glob', { pattern: '*.ts', path: '/srv' }, { pattern: '*.ts', path: '/srv' }],
    ['grep_search', { pattern: 'x', path: '/srv' }, { pattern: 'x', path: '/srv' }],
    ['web_fetch', { url: 'https://x', prompt: 'p' }, { url: 'https://x', prompt: 'p' }],
    ['google_web_search', { query: 'q' }, { query: 'q' }],
    ['a_tool_of_the_host', { path: 'a', x: { file_path: 'b' } }, { path: 'a', x: { file_path: 'b' } }],
  ])('claude §4 tools: the arguments of %s %j', async (tool, input, expected) => {
    expect((await reported(tool, input)).input).toEqual(expected);
  });

  test.each(['read_file', 'write_file', 'replace'])('claude §4 tools: a relative file of %s is passed as an absolute one', async (tool) => {
    const { input, projectDir } = await reported(tool, { path: 'src/../a.txt' });
    expect(input).toEqual({ file_path: join(projectDir, 'a.txt') });
  });

  test('claude §4 tools: a rewrite has the keys of the host, whatever they are; a file that was not changed stays as it was given', async () => {
    expect(await ran('read_file', { absolute_path: '/srv/a' }, { file_path: '/srv/b', limit: 1 })).toEqual({
      absolute_path: '/srv/b',
      limit: 1,
    });
    expect(await ran('write_file', { path: '/srv/a', content: 'c' }, { file_path: '/srv/a', content: 'd' })).toEqual({
      path: '/srv/a',
      content: 'd',
    });
    expect(await ran('a_tool_of_the_host', { path: '/srv/a' }, { path: '/srv/b' })).toEqual({ path: '/srv/b' });
  });

  test('an MCP call of the server gh and the tool search is mcp__gh__search', async () => {
    expect(await reported('search', { q: 'x' }, { server_name: 'gh' })).toMatchObject({ name: 'mcp__gh__search', input: { q: 'x' } });
  });

  test.each<[string, Record<string, unknown>]>([
    ['search', {}],
    ['gh__search', {}],
    ['mcp_gh_search', {}],
    ['mcp__gh__search', {}],
    ['whatever the model is shown', { tool_name: 'search' }],
  ])('the host may call it %s %j', async (name, context) => {
    expect(await reported(name, {}, { server_name: 'gh', ...context })).toMatchObject({ name: 'mcp__gh__search' });
  });

  test.each(['mcp__gh__search', 'mcp_gh_search'])('where the host says no server, its name tells: %s', async (name) => {
    expect(await reported(name, { path: 'a' })).toMatchObject({ name: 'mcp__gh__search', input: { path: 'a' } });
  });

  test('its arguments keep their names, also where its tool is called like one of the host', async () => {
    const given = await reported('read_file', { path: 'a' }, { server_name: 'fs' });
    expect(given).toMatchObject({ name: 'mcp__fs__read_file', input: { path: 'a' } });
  });

  test('claude §4 tools: a host names its own tools, and their arguments', async () => {
    const tools = { terminal: 'Bash', open: { as: 'Read', keys: { document: 'file_path' } } };
    await withClaude(
      preToolUse('cat > seen.json', { matcher: 'Bash|Read' }),
      async (scene) => {
        await scene.handler.fireBeforeToolEvent('terminal', { command: 'ls' });
        expect(seen(scene)).toMatchObject({ tool_name: 'Bash', tool_input: { command: 'ls' } });
        await scene.handler.fireBeforeToolEvent('open', { document: '/srv/a' });
        expect(seen(scene)).toMatchObject({ tool_name: 'Read', tool_input: { file_path: '/srv/a' } });
      },
      { dialects: [claudeCode({ tools })] },
    );
  });
});

describe('rewrites', () => {
  const updated = (updatedInput: Record<string, unknown>) => specific('PreToolUse', { updatedInput });
  const call = { name: 'run_shell_command', input: { command: 'npm test', description: 'd' } };

  test('updatedInput replaces the whole input: a key that is left out is gone', async () => {
    await withClaude(preToolUse(updated({ command: 'ls' })), async ({ client }) => {
      const tool = recordingTool();
      expect((await executeToolWithHooks(client, { ...call, ...tool })).status).toBe('executed');
      expect(tool.calls).toEqual([{ command: 'ls' }]);
    });
  });

  test('PostToolUse sees the input as rewritten', async () => {
    const hooks = {
      ...preToolUse(updated({ command: 'ls' })),
      PostToolUse: [{ hooks: [{ type: 'command', command: 'cat > seen.json' }] }],
    };
    await withClaude(hooks, async (scene) => {
      await executeToolWithHooks(scene.client, { ...call, ...recordingTool() });
      expect(seen(scene)).toMatchObject({ hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } });
    });
  });

  test('of two different rewrites the later one in plan order wins, and a warning names both hooks', async () => {
    // The earlier hook ends last: the order of the plan counts, and not the order of the ends.
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

  test('two equal rewrites are not a conflict', async () => {
    const result = await fireBash([updated({ command: 'ls' }), `${updated({ command: 'ls' })}; true`]);
    expect(specificOf(result)['tool_input']).toEqual({ command: 'ls' });
    expect(result.outcomes.flatMap(warningCodes)).toEqual([]);
  });

  test('updatedInput without a decision is applied, and the verdict is `none`', async () => {
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

  test('the host\'s tool "replace" is Edit with an absolute file_path', async () => {
    await withClaude(preToolUse('cat > seen.json', { matcher: 'Edit' }), async (scene) => {
      await scene.handler.fireBeforeToolEvent('replace', { path: 'src/a.ts', old_string: 'a', new_string: 'b' });
      expect(seen(scene)).toMatchObject({ tool_name: 'Edit' });
      expect(seen(scene)['tool_input']).toEqual({ file_path: join(scene.projectDir, 'src/a.ts'), old_string: 'a', new_string: 'b' });
    });
  });

  test.each(['path', 'absolute_path', 'file_path'])('a rewritten file_path comes back as the key of the host: %s', async (key) => {
    const rewrite = updated({ file_path: '/srv/b.ts', old_string: 'a', new_string: 'c' });
    await withClaude(preToolUse(rewrite), async ({ client }) => {
      const tool = recordingTool();
      await executeToolWithHooks(client, { name: 'replace', input: { [key]: '/srv/a.ts', old_string: 'a', new_string: 'b' }, ...tool });
      expect(tool.calls).toEqual([{ [key]: '/srv/b.ts', old_string: 'a', new_string: 'c' }]);
    });
  });

  test('a file_path that comes back as it was shown is the path that the host gave', async () => {
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
});
