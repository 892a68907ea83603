import { executeToolWithHooks } from '@tenterhook/agent';
import { claudeCode } from 'tenterhook';
import { recordingTool } from '../../support/agent.js';
import { outcomeAt } from '../../support/fire-hooks.js';
import { groupOf, type HookGroups, hooksOf, seen, specific, withClaude } from './claude-hooks.js';

type Fields = Readonly<Record<string, unknown>>;

/** Returns the `tool_response` that a hook reads after this call. */
function responseOf(tool_name: string, tool_input: Fields, tool_response: Fields): Promise<unknown> {
  const options = {
    dialects: [claudeCode({ tools: { many_edits: { as: 'MultiEdit', keys: { path: 'file_path' } }, pwsh: 'PowerShell' } })],
  };
  const fire = async (scene: Parameters<Parameters<typeof withClaude>[1]>[0]) => {
    await scene.handler.fire('AfterTool', { tool_name, tool_input, tool_response });
    return seen(scene)['tool_response'];
  };
  return withClaude(hooksOf('PostToolUse', 'cat > seen.json'), fire, options);
}

/** A command that prints a result for `updatedToolOutput`. `filter` computes it from `tool_response`. */
const rewrites = (filter: string) =>
  `jq -c '{ hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: (.tool_response | ${filter}) } }'`;

/** Returns the result of a call whose hooks of PostToolUse are these. */
function resultOf(hooks: HookGroups | string, name: string, input: Fields, result: Fields) {
  const groups = typeof hooks === 'string' ? hooksOf('PostToolUse', hooks) : hooks;
  return withClaude(groups, async ({ client }) => {
    const call = await executeToolWithHooks(client, { name, input, ...recordingTool(result as { llmContent: unknown }) });
    return {
      result: call.result,
      warnings: call.after === undefined ? [] : outcomeAt(call.after, 0).warnings,
      changes: call.after?.changes,
    };
  });
}

const shell = { stderr: '', interrupted: false, isImage: false };

describe('what hooks receive', () => {
  test.each<[string, string, Fields, unknown, Fields]>([
    ['a text of Bash', 'run_shell_command', { command: 'ls' }, 'a\nb\n', { ...shell, stdout: 'a\nb\n' }],
    ['an empty text', 'run_shell_command', { command: 'true' }, '', { ...shell, stdout: '' }],
    ['parts of text', 'run_shell_command', { command: 'ls' }, [{ text: 'a' }, { text: 'b' }], { ...shell, stdout: 'a\nb' }],
    ['PowerShell', 'pwsh', { command: 'ls' }, 'a', { ...shell, stdout: 'a' }],
    ['Write', 'write_file', { path: '/srv/a', content: 'x' }, 'ok', { filePath: '/srv/a', content: 'x', success: true }],
    [
      'Edit',
      'replace',
      { absolute_path: '/srv/a', old_string: 'x', new_string: 'y', allow_multiple: true },
      'ok',
      { filePath: '/srv/a', oldString: 'x', newString: 'y', replaceAll: true, success: true },
    ],
    ['MultiEdit', 'many_edits', { path: '/srv/a', edits: [] }, 'ok', { filePath: '/srv/a', success: true }],
    [
      'Read',
      'read_file',
      { path: '/srv/a' },
      'one\ntwo\n',
      { type: 'text', file: { filePath: '/srv/a', content: 'one\ntwo\n', numLines: 2, startLine: 1 } },
    ],
    [
      'a part of a file, whose first line is not known',
      'read_file',
      { path: '/srv/a', offset: 40 },
      'x',
      { type: 'text', file: { filePath: '/srv/a', content: 'x', numLines: 1 } },
    ],
    ['Grep', 'grep_search', { pattern: 'x' }, 'a.ts:1:x\nb.ts:2:x', { mode: 'content', content: 'a.ts:1:x\nb.ts:2:x', numLines: 2 }],
    [
      'Grep in another mode',
      'grep_search',
      { pattern: 'x', output_mode: 'count' },
      'a.ts:1',
      { mode: 'count', content: 'a.ts:1', numLines: 1 },
    ],
    [
      'Glob below a sentence',
      'glob',
      { pattern: '*' },
      'Found 2 files:\n/srv/a b\n/srv/c',
      { filenames: ['/srv/a b', '/srv/c'], numFiles: 2 },
    ],
    ['Glob of relative paths', 'glob', { pattern: '*' }, 'src/a.ts\nb.ts\n', { filenames: ['src/a.ts', 'b.ts'], numFiles: 2 }],
    ['WebFetch', 'web_fetch', { url: 'https://a.example/', prompt: 'p' }, 'page', { url: 'https://a.example/', result: 'page' }],
  ])('claude §4 tool_response: %s', async (_, name, input, llmContent, fields) => {
    const own = { llmContent, returnDisplay: 'shown' };
    expect(await responseOf(name, input, own)).toEqual({ ...own, ...fields });
  });

  test.each<[string, string, Fields, Fields]>([
    ['a result without a text', 'run_shell_command', { command: 'ls' }, { returnDisplay: 'x' }],
    ['a result with an image', 'read_file', { path: '/srv/a.png' }, { llmContent: [{ inlineData: { data: 'AA==' } }] }],
    ['a sentence of Glob', 'glob', { pattern: '*' }, { llmContent: 'No files were found.' }],
    ['a tool that Claude Code does not have', 'save_memory', { fact: 'f' }, { llmContent: 'ok' }],
  ])('claude §4 tool_response: of %s nothing is added', async (_, name, input, response) => {
    expect(await responseOf(name, input, response)).toEqual(response);
  });

  test('claude §4 tool_response: of a tool of a server nothing is added', async () => {
    await withClaude(hooksOf('PostToolUse', 'cat > seen.json'), async (scene) => {
      const mcpContext = { server_name: 'gh' };
      await executeToolWithHooks(scene.client, { name: 'Bash', mcpContext, input: {}, ...recordingTool({ llmContent: 'ok' }) });
      expect(seen(scene)).toMatchObject({ tool_name: 'mcp__gh__Bash', tool_response: { llmContent: 'ok' } });
      expect(seen(scene)['tool_response']).not.toHaveProperty('stdout');
    });
  });

  test.each<[string, Fields]>([
    ['stdout and stderr', { llmContent: 'both', stdout: 'out', stderr: 'err' }],
    ['interrupted', { llmContent: 'x', interrupted: true }],
    ['exitCode', { llmContent: 'x', exit_code: 0, exitCode: 3 }],
  ])('claude §4 tool_response: %s of the agent stays as it is', async (_, own) => {
    expect(await responseOf('run_shell_command', { command: 'ls' }, own)).toMatchObject(own);
  });

  test('claude §4 tool_response: exitCode is there if the agent knows it', async () => {
    const input = { command: 'ls' };
    expect(await responseOf('run_shell_command', input, { llmContent: 'x', exit_code: 1 })).toMatchObject({ exitCode: 1 });
    expect(await responseOf('run_shell_command', input, { llmContent: 'x' })).not.toHaveProperty('exitCode');
    expect(await responseOf('read_file', { path: '/srv/a' }, { llmContent: 'x', exit_code: 1 })).not.toHaveProperty('exitCode');
  });
});

describe('what hooks write', () => {
  const secret = { llmContent: 'key 1234', returnDisplay: 'key 1234 (8 characters)' };

  test.each<[string, string, Fields, string, string]>([
    ['stdout beside all other fields', 'run_shell_command', { command: 'ls' }, '. + { stdout: "key ***" }', 'key ***'],
    ['stdout, and an empty stderr', 'run_shell_command', { command: 'ls' }, '. + { stdout: "k", stderr: "" }', 'k'],
    ['stdout and stderr alone', 'run_shell_command', { command: 'ls' }, '{ stdout: "a", stderr: "b" }', 'a\nb'],
    ['no stdout', 'run_shell_command', { command: 'ls' }, 'del(.stdout)', ''],
    ['the content of a file', 'read_file', { path: '/srv/a' }, '.file.content = "key ***"', 'key ***'],
    ['a file without the rest', 'read_file', { path: '/srv/a' }, '{ type: "text", file: { content: "c" } }', 'c'],
    ['no file', 'read_file', { path: '/srv/a' }, 'del(.file)', ''],
    ['the content of Grep', 'grep_search', { pattern: 'k' }, '.content |= sub("1234"; "***")', 'key ***'],
    ['file names of Grep', 'grep_search', { pattern: 'k' }, '{ mode: "files_with_matches", filenames: ["a", "b"] }', 'a\nb'],
    ['the result of WebFetch', 'web_fetch', { url: 'https://a.example/' }, '.result = "page"', 'page'],
  ])('claude §5 output: %s is the whole result', async (_, name, input, filter, text) => {
    const { result, warnings } = await resultOf(rewrites(filter), name, input, secret);
    expect(result).toEqual({ llmContent: text, returnDisplay: text });
    expect(warnings).toEqual([]);
  });

  test('claude §5 output: fewer file names of Glob are the whole result', async () => {
    const listed = { llmContent: 'Found 2 files:\n/srv/a\n/srv/secret', returnDisplay: '2 files' };
    const hook = rewrites('.filenames |= map(select(test("secret") | not))');
    expect((await resultOf(hook, 'glob', { pattern: '*' }, listed)).result).toEqual({ llmContent: '/srv/a', returnDisplay: '/srv/a' });
  });

  test.each<[string, string, Fields, string]>([
    ['all fields', 'run_shell_command', { command: 'ls' }, '.'],
    ['the fields of the tool alone', 'run_shell_command', { command: 'ls' }, '{ stdout, stderr, interrupted }'],
    ['a field without a text', 'write_file', { path: '/srv/a', content: 'x' }, '. + { success: false }'],
    ['the file that was written', 'write_file', { path: '/srv/a', content: 'x' }, '{ filePath, success }'],
  ])('claude §5 output: a hook that returns %s changes nothing', async (_, name, input, filter) => {
    const { result, changes } = await resultOf(rewrites(filter), name, input, secret);
    expect(result).toEqual(secret);
    expect(changes).toEqual([]);
  });

  test('claude §5 output: one change to every text keeps what it does not reach', async () => {
    const hook = rewrites('walk(if type == "string" then sub("1234"; "***") else . end)');
    const { result } = await resultOf(hook, 'run_shell_command', { command: 'ls' }, secret);
    expect(result).toEqual({ llmContent: 'key ***', returnDisplay: 'key *** (8 characters)' });
  });

  test.each([
    ['another change to llmContent', '. + { llmContent: "key 1234!", stdout: "key ***" }', 'key ***'],
    ['llmContent alone', '. + { llmContent: "key ***", returnDisplay: "key ***" }', 'key ***'],
  ])('claude §5 output: after %s the model reads what was removed nowhere', async (_, filter, text) => {
    const { result } = await resultOf(rewrites(filter), 'run_shell_command', { command: 'ls' }, secret);
    expect(result).toEqual({ llmContent: text, returnDisplay: text });
  });

  test('claude §5 output: after a failure, the fields of the tool replace the error too', async () => {
    const failure = { llmContent: 'key 1234', error: { message: 'key 1234' } };
    const hook = specific('PostToolUseFailure', { updatedToolOutput: { stdout: 'key ***', stderr: '' } });
    const { result } = await resultOf({ PostToolUseFailure: [groupOf(hook)] }, 'run_shell_command', { command: 'ls' }, failure);
    expect(result).toEqual({ llmContent: 'key ***', returnDisplay: 'key ***', error: { message: 'key ***' } });
  });
});

test.each([
  ['Bash', { stdout: 'a', stderr: 'b', interrupted: false }, 'a\nb'],
  ['Read', { type: 'text', file: { content: 'x' } }, 'x'],
  ['Grep', { filenames: ['a', 'b'] }, 'a\nb'],
  ['Write', { filePath: '/srv/a', success: true }, undefined],
  ['Bash', { llmContent: 'own', stdout: 'a' }, 'own'],
])('claude §4 tool_response: the text for the model of a captured result of %s', (tool_name, tool_response, llmContent) => {
  const read = claudeCode().readInput?.('PostToolUse', { tool_name, tool_input: {}, tool_response });
  expect(read?.input['tool_response']).toEqual(llmContent === undefined ? tool_response : { ...tool_response, llmContent });
});
