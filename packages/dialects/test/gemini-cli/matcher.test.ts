import { eventOf } from '../event-of.js';
import { codesOf } from '../printed.js';
import { dialect, hookOf, parsed, settingsOf } from './gemini-rig.js';

const diagnosticsOf = (matcher: unknown, eventName = 'BeforeTool') => parsed(settingsOf({}, { matcher }, eventName)).diagnostics;
const selected = (matcher: string, fields: Record<string, unknown>) =>
  dialect.select(hookOf({}, 'BeforeTool', { matcher }), eventOf('BeforeTool', fields));

test.each(['read_file|write_file', 'write_.*', '^replace$', 'a.b', '', '*'])('nothing is wrong with the matcher %j', (matcher) => {
  expect(diagnosticsOf(matcher).filter(({ severity }) => severity !== 'note')).toEqual([]);
});

test.each([
  ['*_file', '"^.*_file$"'],
  ['*_file|*_dir', '"^(.*_file|.*_dir)$"'],
  ['?', '"^.$"'],
  ['(write', 'Close the'],
])('the matcher %j is compared as it stands, and the remedy is %s', (matcher, remedy) => {
  expect(diagnosticsOf(matcher)).toMatchObject([
    {
      code: 'invalid_matcher',
      severity: 'error',
      message: expect.stringContaining('as it stands'),
      remedy: expect.stringContaining(remedy),
    },
  ]);
  expect(selected(matcher, { tool_name: matcher })).toMatchObject({ run: true });
  expect(selected(matcher, { tool_name: `${matcher}x` })).toMatchObject({ run: false });
});

test.each(['(?!read)', '(?<=x)y', '(a)\\1', 'a'.repeat(10_001)])('the pattern %j of an engine that backtracks does not run', (matcher) => {
  const { hooks, diagnostics } = parsed(settingsOf({}, { matcher }));
  expect(diagnostics).toMatchObject([{ code: 'invalid_matcher', severity: 'error', remedy: expect.any(String) }]);
  expect(hooks[0]?.skip).toMatchObject({ skipReason: 'invalid' });
});

test.each([
  ['/write/', '"write"'],
  ['/^write_.*$/i', '"^write_.*$"'],
])('the slashes of %j are said', (matcher, remedy) => {
  expect(diagnosticsOf(matcher)).toMatchObject([
    { code: 'unmatched_matcher', severity: 'warning', remedy: expect.stringContaining(remedy) },
  ]);
});

test.each([
  ['SessionStart', 'startup|resume', 'Write a group for each: "matcher": "startup", "matcher": "resume".'],
  ['SessionStart', 'Startup', 'Write "matcher": "startup", or leave it out.'],
  ['SessionEnd', '.*', 'Write "matcher": "exit", or leave it out.'],
  ['PreCompress', 'manual, auto', 'Write a group for each: "matcher": "auto", "matcher": "manual".'],
])('on %s the matcher %j equals nothing, and that is said', (eventName, matcher, remedy) => {
  expect(diagnosticsOf(matcher, eventName)).toMatchObject([{ code: 'unmatched_matcher', severity: 'warning', remedy }]);
});

test.each([
  ['SessionStart', 'compress'],
  ['SessionEnd', 'logout'],
  ['PreCompress', 'manual'],
])('on %s the matcher %j is a value', (eventName, matcher) => expect(diagnosticsOf(matcher, eventName)).toEqual([]));

test.each(['BeforeAgent', 'AfterAgent', 'BeforeModel', 'AfterModel', 'BeforeToolSelection', 'Notification'])(
  'on %s a matcher is ignored with a warning',
  (eventName) => {
    expect(codesOf(diagnosticsOf('x', eventName))).toEqual(['matcher_ignored']);
    for (const matcher of ['', '*']) expect(diagnosticsOf(matcher, eventName)).toEqual([]);
  },
);

test('the reason of a selection tells what was compared', () => {
  const reason = (matcher: string, fields: Record<string, unknown>) => selected(matcher, fields).reason;
  expect(reason('^write_', { tool_name: 'write_file' })).toBe('the regular expression "^write_" matches tool_name "write_file"');
  expect(reason('^write_', { tool_name: 'read_file' })).toBe('the regular expression "^write_" does not match tool_name "read_file"');
  expect(reason('*x', { tool_name: 'x' })).toBe('the matcher "*x" does not equal tool_name "x"');
  expect(reason('^x', { tool_name: 'search', mcp_context: { server_name: 'gh' } })).toContain('"mcp_gh_search" or "search"');
  expect(reason('', { tool_name: 'x' })).toBe('it has no matcher and runs on every BeforeTool');
  expect(selected('^x', {})).toMatchObject({
    run: false,
    reconsider: true,
    reason: 'it runs when the regular expression "^x" matches tool_name',
  });
});

test('what selections are remembered by tells tools of servers apart', () => {
  const key = (subject: string, server?: string) =>
    dialect.matchKey?.('BeforeTool', subject, server === undefined ? undefined : { server_name: server }, []);
  expect(key('search')).toBe('search');
  expect(new Set([key('search'), key('search', 'gh'), key('search', 'other')]).size).toBe(3);
});
