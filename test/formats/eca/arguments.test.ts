import type { HookEventHandler } from '@tenterhook/engine';
import { says } from '../../support/fire-hooks.js';
import { deeds, hookOf, preToolCall, withEca } from './eca-hooks.js';

/** Matchers that are objects: selectors of tools, and `argsMatchers`. */

const deny = says({ approval: 'deny', additionalContext: 'no' });
const guard = (matcher: object) => ({ guard: preToolCall(deny, { matcher }) });

/** Fires BeforeTool, and returns what the only hook did. */
async function ran(matcher: object, fire: (handler: HookEventHandler) => ReturnType<HookEventHandler['fireBeforeToolEvent']>) {
  return withEca(guard(matcher), async ({ handler }) => deeds(await fire(handler))[0]?.slice(1));
}

const write = (file_path: string) => (handler: HookEventHandler) => handler.fireBeforeToolEvent('write_file', { file_path, content: 'c' });
const shell = (input: object) => (handler: HookEventHandler) => handler.fireBeforeToolEvent('run_shell_command', { ...input });
const ofServer = (server_name: string, tool: string) => (handler: HookEventHandler) =>
  handler.fireBeforeToolEvent(tool, {}, { server_name });

const runs = ['blocked'];
const otherTool = ['skipped', 'matcher'];
const otherArguments = ['skipped', 'condition'];

test.each([
  ['a full name', { eca__write_file: {} }, write('/a.md'), runs],
  ['a name of the host', { eca__run_shell_command: {} }, shell({ command: 'ls' }), runs],
  ["one of ECA's own names without a server", { write_file: {} }, write('/a.md'), runs],
  ['the server of the host', { eca: {} }, write('/a.md'), runs],
  ['an MCP server', { gh: {} }, ofServer('gh', 'search'), runs],
  ['an MCP tool', { gh__search: {} }, ofServer('gh', 'search'), runs],
  [
    'an MCP server in the name of the tool only',
    { gh: {} },
    (handler: HookEventHandler) => handler.fireBeforeToolEvent('gh__search', {}),
    runs,
  ],
  ['the second of two', { gh: {}, shell_command: {} }, shell({ command: 'ls' }), runs],
  ['another tool', { eca__read_file: {} }, write('/a.md'), otherTool],
  ['another server', { gh: {} }, ofServer('github', 'search'), otherTool],
  ['a tool of the host, and the call is of an MCP server', { write_file: {} }, ofServer('gh', 'write_file'), otherTool],
  ['a regular expression, which a selector is not', { 'eca__.*': {} }, write('/a.md'), otherTool],
  ['nothing', {}, write('/a.md'), otherTool],
])('a selector with %s: %j', async (_, matcher, fire, expected) => {
  expect(await ran(matcher, fire)).toEqual(expected);
});

const markdown = { eca__write_file: { argsMatchers: { path: ['.*\\.md', '/notes/.*'] } } };

test.each([
  ['the first pattern', markdown, write('/srv/a.md'), runs],
  ['the second pattern', markdown, write('/notes/a.txt'), runs],
  ['a path with a newline', markdown, write('/srv/a\n.md'), runs],
  ['a pattern that matches only a part', markdown, write('/srv/a.md.txt'), otherArguments],
  ['the name of the argument in the host', { write_file: { argsMatchers: { file_path: ['/srv/.*'] } } }, write('/srv/a'), runs],
  ['an argument that is missing', { eca__write_file: { argsMatchers: { mode: ['.*'] } } }, write('/srv/a'), otherArguments],
  ['all of two arguments', { write_file: { argsMatchers: { path: ['.*'], content: ['c'] } } }, write('/srv/a'), runs],
  ['one of two arguments', { write_file: { argsMatchers: { path: ['.*'], content: ['d'] } } }, write('/srv/a'), otherArguments],
  ['a number', { shell_command: { argsMatchers: { timeout: ['6.'] } } }, shell({ command: 'ls', timeout: 60 }), runs],
  [
    'a value that is null',
    { shell_command: { argsMatchers: { timeout: ['.*'] } } },
    shell({ command: 'ls', timeout: null }),
    otherArguments,
  ],
  ['no pattern', { write_file: { argsMatchers: { path: [] } } }, write('/srv/a'), otherArguments],
  ['another entry for the same tool', { ...markdown, eca: { argsMatchers: { path: ['/x'] } } }, write('/x'), runs],
])('argsMatchers with %s: %j', async (_, matcher, fire, expected) => {
  expect(await ran(matcher, fire)).toEqual(expected);
});

test('a call that names two files is denied, whichever of them the patterns match', async () => {
  await withEca(guard(markdown), async ({ handler }) => {
    const result = await handler.fireBeforeToolEvent('write_file', { path: '/tmp/decoy', file_path: '/etc/passwd' });
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('name different files') });
  });
});

test('a guard is asked when an earlier hook rewrites an argument so that it matches', async () => {
  const hooks = { a: preToolCall(says({ updatedInput: { path: '/srv/a.md' } })), guard: preToolCall(deny, { matcher: markdown }) };
  await withEca(hooks, async ({ handler }) => {
    const result = await handler.fireBeforeToolEvent('write_file', { file_path: '/srv/a.txt' });
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  });
});

test('a guard is asked when a later hook rewrites an argument so that it matches', async () => {
  const hooks = { guard: preToolCall(deny, { matcher: markdown }), z: preToolCall(says({ updatedInput: { path: '/srv/a.md' } })) };
  await withEca(hooks, async ({ handler }) => {
    const result = await handler.fireBeforeToolEvent('write_file', { file_path: '/srv/a.txt' });
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  });
});

test('calls of one tool with other arguments are planned anew', async () => {
  await withEca(guard(markdown), async ({ handler }) => {
    const kinds = [];
    for (const path of ['/a.txt', '/a.md', '/b.txt', '/b.md'])
      kinds.push((await handler.fireBeforeToolEvent('write_file', { path })).verdict.kind);
    expect(kinds).toEqual(['none', 'deny', 'none', 'deny']);
  });
});

test('a postToolCall hook compares the arguments that the tool ran with', async () => {
  await withEca({ log: hookOf('postToolCall', 'true', { matcher: markdown }) }, async ({ handler }) => {
    const after = (path: string) => handler.fireAfterToolEvent('write_file', { path }, { llmContent: 'done' });
    expect(deeds(await after('/a.md'))).toEqual([['log', 'succeeded']]);
    expect(deeds(await after('/a.txt'))).toEqual([['log', 'skipped', 'condition']]);
  });
});

test.each([
  ['{}', {}, 'unmatched_matcher'],
  ['a pattern as a key', { 'eca__*': {} }, 'unmatched_matcher'],
  ['a misspelt field', { eca__write_file: { argMatchers: {} } }, 'invalid_field'],
])('the settings with %s have a warning', async (_, matcher, code) => {
  await withEca(guard(matcher), async ({ hooks }) => {
    expect(hooks.diagnostics).toMatchObject([{ code, severity: 'warning', path: expect.stringContaining('hooks.guard.matcher') }]);
  });
});

test('a matcher with an invalid pattern is an error, its hook does not run, and the others do', async () => {
  const matcher = { write_file: { argsMatchers: { path: ['('] } } };
  await withEca({ bad: preToolCall(deny, { matcher }), good: preToolCall('true') }, async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_matcher', severity: 'error' }]);
    expect(deeds(await handler.fireBeforeToolEvent('write_file', { path: 'a' }))).toEqual([
      ['bad', 'skipped', 'invalid'],
      ['good', 'succeeded'],
    ]);
  });
});
