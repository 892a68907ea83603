import { eca } from '@tenterhook/dialects';
import type { McpContext } from '@tenterhook/protocol';
import { outcomeAt } from '../../support/fire-hooks.js';
import { deeds, hookOf, idOf, preToolCall, withEca } from './eca-hooks.js';

/** What a hook with this matcher does when the tool is about to run: "succeeded", or why it is skipped. */
function deedFor(matcher: string | undefined, tool: string, mcpContext?: McpContext): Promise<string> {
  const hook = preToolCall('true', matcher === undefined ? {} : { matcher });
  return withEca({ hook }, async ({ handler }) => {
    const { status, skipReason } = outcomeAt(await handler.fireBeforeToolEvent(tool, {}, mcpContext), 0);
    return skipReason ?? status;
  });
}

test.each([
  ['shell_command', 'matcher'],
  ['run_shell_command', 'matcher'],
  ['eca__shell_command', 'succeeded'],
])("eca 7: the matcher %s and the host's shell tool: %s", async (matcher, deed) => {
  expect(await deedFor(matcher, 'run_shell_command')).toBe(deed);
});

test.each([
  ['write_file', 'succeeded'],
  ['replace', 'succeeded'],
  ['read_file', 'matcher'],
])('the matcher eca__write_file|eca__edit_file and the tool %s: %s', async (tool, deed) => {
  expect(await deedFor('eca__write_file|eca__edit_file', tool)).toBe(deed);
  expect(await deedFor('eca__(write|edit)_file', tool)).toBe(deed);
});

test('every alternative must match the whole name', async () => {
  expect(await deedFor('eca__write|eca__edit', 'write_file')).toBe('matcher');
  expect(await deedFor('write_file|edit_file', 'write_file')).toBe('matcher');
  expect(await deedFor('ECA__WRITE_FILE', 'write_file')).toBe('matcher');
});

test.each([
  ['other', 'matcher'],
  ['my-mcp', 'succeeded'],
])('the matcher my-mcp__my.* and the tool my-tool of the server %s: %s', async (server_name, deed) => {
  expect(await deedFor('my-mcp__my.*', 'my-tool', { server_name })).toBe(deed);
});

test('a tool of an MCP server is not one of the host, whatever it is called', async () => {
  expect(await deedFor('eca__.*', 'write_file', { server_name: 'github' })).toBe('matcher');
  expect(await deedFor('github__.*', 'write_file', { server_name: 'github' })).toBe('succeeded');
});

test('a matcher that does not compile is a diagnostic, its hook does not run, and the next one does', async () => {
  await withEca({ bad: preToolCall('exit 2', { matcher: '[' }), good: preToolCall('exit 2') }, async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([
      { code: 'invalid_matcher', severity: 'error', path: 'hooks.bad.matcher', remedy: expect.any(String), dialect: 'eca' },
    ]);
    const result = await handler.fireBeforeToolEvent('write_file', {});
    expect(deeds(result)).toEqual([
      ['bad', 'skipped', 'invalid'],
      ['good', 'blocked'],
    ]);
    expect(result.verdict).toMatchObject({ kind: 'deny', by: [idOf('good')] });
    expect(outcomeAt(result, 0).warnings).toMatchObject([{ code: 'invalid_matcher' }]);
    expect(hooks.explain('BeforeTool', { tool_name: 'write_file' }).hooks[0]).toMatchObject({ wouldRun: false, skipReason: 'invalid' });
  });
});

test('a dot matches a newline in the name of a tool', async () => {
  expect(await deedFor('eca__.*', 'odd\ntool')).toBe('succeeded');
  expect(await deedFor('gh__.*', 'odd\ntool', { server_name: 'gh' })).toBe('succeeded');
  expect(await deedFor('eca__odd', 'odd\ntool')).toBe('matcher');
});

test('without a matcher it is every tool', async () => {
  expect(await deedFor(undefined, 'run_shell_command')).toBe('succeeded');
  expect(await deedFor(undefined, 'an unknown tool')).toBe('succeeded');
  expect(await deedFor(undefined, 'search', { server_name: 'gh' })).toBe('succeeded');
});

test('a matcher on a preRequest hook is a warning at load, and the hook runs', async () => {
  const hook = hookOf('preRequest', 'true', { matcher: 'eca__.*' });
  await withEca({ hook }, async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'matcher_ignored', severity: 'warning', path: 'hooks.hook.matcher' }]);
    expect(deeds(await handler.fireBeforeAgentEvent('p'))).toEqual([['hook', 'succeeded']]);
  });
});

test("the server and the names of the host's own tools are settings of the dialect", async () => {
  const hooks = {
    a: preToolCall('true', { matcher: 'host__shell_command' }),
    b: preToolCall('true', { matcher: 'host__bash' }),
    c: preToolCall('true', { matcher: 'eca__.*' }),
  };
  const dialects = [eca({ server: 'host', tools: { bash: 'shell_command' } })];
  await withEca(
    hooks,
    async ({ handler }) => {
      const result = await handler.fireBeforeToolEvent('bash', { command: 'ls' });
      expect(deeds(result)).toEqual([
        ['a', 'succeeded'],
        ['b', 'succeeded'],
        ['c', 'skipped', 'matcher'],
      ]);
    },
    { dialects },
  );
});
