import { llxprt } from '@tenterhook/dialects';
import type { HookDefinition, HookEvent, Selection } from '@tenterhook/protocol';
import { type AgentTool, unmatchedMatchers } from '../../../src/settings/checks/unmatched-matchers.js';
import { toDocument } from '../../../src/settings/read/read-document.js';
import { fakeDialect } from '../settings-rig.js';

const dialect = llxprt();
const context = {
  projectDir: '/srv/app',
  home: '/home/me',
  environment: {},
  platform: 'linux',
  files: { isFile: () => false, isExecutable: () => false, head: () => undefined },
};
const tools = ['write_file', 'read_file', 'run_shell_command', 'mcp__git__commit'];

function hooksOf(eventName: string, ...matchers: readonly unknown[]): readonly HookDefinition[] {
  const groups = matchers.map((matcher) => ({ matcher, hooks: [{ command: 'x' }] }));
  const document = {
    ...toDocument({ hooks: { [eventName]: groups } }, 'project'),
    file: '/srv/s.json',
    locate: () => ({ line: 3, column: 1 }),
  };
  return dialect.parse(document, context).hooks;
}

const unmatched = (hooks: readonly HookDefinition[], names: readonly AgentTool[] = tools) =>
  unmatchedMatchers(hooks, dialect, names, '/srv/app');

test('a matcher that fits none of the tools is a warning with its place and the nearest tool', () => {
  expect(unmatched(hooksOf('BeforeTool', '^writefile$'))).toEqual([
    {
      code: 'unmatched_matcher',
      severity: 'warning',
      message: 'The matcher "^writefile$" matches none of the 4 tools that the agent has; the hook never runs.',
      remedy: 'Did you mean "write_file"?',
      file: '/srv/s.json',
      line: 3,
      column: 1,
      path: 'hooks.BeforeTool[0].hooks[0]',
      dialect: 'llxprt',
      source: 'project',
      eventName: 'BeforeTool',
      hookId: 'llxprt/project/BeforeTool/0.0',
    },
  ]);
});

test.each([
  ['Write_File', 'Did you mean "write_file"?'],
  ['write_files|^$', 'Did you mean "write_file"?'],
  ['^(reed_file|nothing)$', 'Did you mean "read_file"?'],
  ['mcp__git__comit', 'Did you mean "mcp__git__commit"?'],
  ['Bash', 'Its tools are write_file, read_file, run_shell_command, mcp__git__commit.'],
])('of the matcher %s the remedy is: %s', (matcher, remedy) => {
  expect(unmatched(hooksOf('AfterTool', matcher))).toMatchObject([{ code: 'unmatched_matcher', eventName: 'AfterTool', remedy }]);
});

test('of many tools the remedy names some', () => {
  const names = Array.from({ length: 30 }, (_, index) => `tool_${index}`);
  expect(unmatched(hooksOf('BeforeTool', 'Bash'), names)[0]?.remedy).toMatch(/^Its tools are tool_0, .*tool_9, …\.$/);
});

test.each(['', '*', 'write', '^mcp__.*', undefined, '*_file'])('the matcher %j fits one of them, and nothing is said', (matcher) => {
  expect(unmatched(hooksOf('BeforeTool', matcher))).toEqual([]);
});

test('matchers of other events, and hooks that do not run anyway, are left alone', () => {
  expect(unmatched(hooksOf('SessionStart', 'no-such-source'))).toEqual([]);
  expect(unmatched(hooksOf('BeforeTool', '[broken'))).toEqual([]);
});

test('an agent that says it has no tools has nothing to compare with', () => {
  expect(unmatched(hooksOf('BeforeTool', 'Bash'), [])).toEqual([]);
});

const selections: Record<string, [select: () => Selection, said: number]> = {
  'says matcher for every tool': [() => ({ run: false, skipReason: 'matcher', reason: '' }), 1],
  'has another reason': [() => ({ run: false, skipReason: 'condition', reason: '' }), 0],
  'would ask again after a rewrite': [() => ({ run: false, skipReason: 'matcher', reason: '', reconsider: true }), 0],
  throws: [
    () => {
      throw new Error('a tool without input');
    },
    0,
  ],
};

test.each(Object.entries(selections))('a dialect that %s', (_, [select, said]) => {
  const north = fakeDialect('north', { Tool: 'BeforeTool' }, { select });
  const { hooks } = north.parse(toDocument({ hooks: { Tool: ['a'] } }, 'settings'), context);
  expect(unmatchedMatchers(hooks, north, tools, '/srv/app')).toHaveLength(said);
});

/** A dialect that checks which MCP server a tool belongs to: the hook `git__commit` runs for the tool `commit` of the server `git`. */
const byServer = fakeDialect(
  'north',
  { Tool: 'BeforeTool' },
  {
    select: (hook, { input }: HookEvent) => {
      const context = input['mcp_context'] as { server_name: string } | undefined;
      const name = `${context?.server_name ?? 'own'}__${input['tool_name']}`;
      const { command } = hook.action as { command: string };
      return name === command ? { run: true, reason: '' } : { run: false, skipReason: 'matcher', reason: `it does not match "${name}"` };
    },
  },
);
const said = (matcher: string, ...names: readonly AgentTool[]) => {
  const hooks = byServer.parse(toDocument({ hooks: { Tool: [matcher] } }, 'settings'), context).hooks.map((hook) => ({ ...hook, matcher }));
  return unmatchedMatchers(hooks, byServer, names, '/srv/app').map(({ message, remedy }) => `${message} ${remedy}`);
};

test.each<[matcher: string, tool: AgentTool]>([
  ['git__commit', { server: 'git', name: 'commit' }],
  ['git__commit', { server: 'git', name: 'git__commit' }],
  ['git__commit', { server: 'git', name: 'mcp__git__commit' }],
  ['git__commit', 'git__commit'],
  ['git__commit', 'mcp__git__commit'],
  ['my__git__commit', 'my__git__commit'],
  ['git__commit__all', 'mcp__git__commit__all'],
  ['mcp__commit', 'mcp__commit'],
  ['own__git__commit', 'git__commit'],
  ['own__write_file', 'write_file'],
])('the matcher %s fits the tool %j', (matcher, tool) => {
  expect(said(matcher, 'read_file', tool)).toEqual([]);
});

test.each<[matcher: string, tool: AgentTool]>([
  ['own__commit', { server: 'git', name: 'commit' }],
  ['own__commit', 'git__commit'],
  ['mcp__git__commit', 'mcp__git__commit'],
  ['__commit', '__commit'],
  ['git__', 'git__'],
])('the matcher %s does not fit the tool %j', (matcher, tool) => {
  expect(said(matcher, tool)).toHaveLength(1);
});

test('a tool of a server is reported by its whole name', () => {
  expect(said('git__comit', { server: 'git', name: 'commit' })).toEqual([
    'The matcher "git__comit" does not match the only tool that the agent has; the hook never runs. Did you mean "git__commit"?',
  ]);
  expect(said('nothing', { server: 'git', name: 'commit' }, 'read_file')[0]).toContain('Its tools are git__commit, read_file.');
});

test('a matcher that is the name of a tool already is reported with what that name is compared with', () => {
  expect(said('write_file', 'read_file', 'write_file')[0]).toMatch(/ For "write_file" it does not match "own__write_file"\.$/);
  expect(unmatched(hooksOf('BeforeTool', '^write_file$'), [{ server: 'disk', name: 'write_file' }])).toEqual([]);
});
