import { fireEvent, outcomeAt } from '../support/fire-hooks.js';
import { deeds, fireWrite, groupOf, hooksOf, withGemini } from './gemini-hooks.js';

const runsFor = (matcher: string, toolName: string, mcpContext?: { server_name: string }) =>
  withGemini(hooksOf('BeforeTool', 'true', { matcher }), async ({ handler }) => {
    const result = await handler.fireBeforeToolEvent(toolName, {}, mcpContext);
    return outcomeAt(result, 0).status === 'succeeded';
  });

test.each<[string, string, boolean]>([
  ['read', 'read_file', true],
  ['read', 'spread_file', true],
  ['^read$', 'read_file', false],
  ['^read$', 'spread_file', false],
  ['Read', 'read_file', false],
  ['write_.*|replace', 'replace', true],
  ['*_file', 'write_file', false],
  ['*_file', '*_file', true],
  ['/write/', 'write_file', false],
  ['', 'write_file', true],
  ['*', 'write_file', true],
])('gemini 25: the matcher %j and the tool %s: runs is %s', async (matcher, toolName, expected) => {
  expect(await runsFor(matcher, toolName)).toBe(expected);
});

test.each<[string, string, string, string]>([
  ['*_file', 'error', 'invalid_matcher', '"^.*_file$"'],
  ['/write/', 'warning', 'unmatched_matcher', '"write"'],
  ['write', 'note', 'plain_matcher', '"^write$"'],
])('gemini 25: the matcher %j is a load %s with the remedy', async (matcher, severity, code, remedy) => {
  await withGemini(hooksOf('BeforeTool', 'true', { matcher }), async ({ hooks }) => {
    expect(hooks.diagnostics).toMatchObject([
      { code, severity, path: 'hooks.BeforeTool[0].matcher', remedy: expect.stringContaining(remedy) },
    ]);
  });
});

test('a pattern that only an engine with backtracking has is a diagnostic, and its hook does not run', async () => {
  const BeforeTool = [groupOf('exit 2', { matcher: '^(?!read)' }), groupOf('true')];
  await withGemini({ BeforeTool }, async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'invalid_matcher', severity: 'error', path: 'hooks.BeforeTool[0].matcher' }]);
    expect(deeds(await handler.fireBeforeToolEvent('write_file', {}))).toEqual(['skipped: invalid', 'succeeded']);
  });
});

test('a pattern that is catastrophic elsewhere is answered, on a name of 20,000 letters', async () => {
  expect(await runsFor('^(a+)+$', `${'a'.repeat(20_000)}!`)).toBe(false);
});

test.each(['mcp_gh_search', '^mcp_gh_', '^search$', '^mcp__gh__search$'])(
  'the matcher %s knows the tool search of the server gh',
  async (matcher) => {
    const hostName = matcher.includes('__') ? 'mcp__gh__search' : 'search';
    expect(await runsFor(matcher, hostName, { server_name: 'gh' })).toBe(true);
  },
);

test('gemini 26: SessionStart compares its source', async () => {
  const SessionStart = [groupOf('true', { matcher: 'startup' }), groupOf('true', { matcher: 'startup|resume' })];
  await withGemini({ SessionStart }, async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([
      {
        code: 'unmatched_matcher',
        severity: 'warning',
        path: 'hooks.SessionStart[1].matcher',
        remedy: expect.stringContaining('"resume"'),
      },
    ]);
    expect(deeds(await handler.fireSessionStartEvent('startup'))).toEqual(['succeeded', 'skipped: matcher']);
    expect(deeds(await handler.fireSessionStartEvent('clear'))).toEqual(['skipped: matcher', 'skipped: matcher']);
  });
});

test('gemini 27: a matcher on Notification is a warning, and the hook runs', async () => {
  await withGemini(hooksOf('Notification', 'true', { matcher: 'Other' }), async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'matcher_ignored', severity: 'warning', path: 'hooks.Notification[0].matcher' }]);
    expect(deeds(await handler.fireNotificationEvent('ToolPermission', 'm', {}))).toEqual(['succeeded']);
  });
});

test('the same settings in the native format know other matchers', async () => {
  // The kind of a matcher is the format's and not the event's: `*_file` is a glob there.
  const native = await fireEvent('BeforeTool', { tool_name: 'write_file', tool_input: {} }, ['true'], { matcher: '*_file' });
  expect(outcomeAt(native, 0).status).toBe('succeeded');
  expect(deeds(await fireWrite('true', { matcher: '*_file' }))).toEqual(['skipped: matcher']);
});
