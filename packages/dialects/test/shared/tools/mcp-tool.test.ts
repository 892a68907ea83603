import { mcpToolOf, mcpToolsIn } from '../../../src/shared/tools/mcp-tool.js';

test.each([
  ['mcp__gh__search', { server_name: 'gh' }, 'search'],
  ['mcp_gh_search', { server_name: 'gh' }, 'search'],
  ['gh__search', { server_name: 'gh' }, 'search'],
  ['search', { server_name: 'gh' }, 'search'],
  ['gh__', { server_name: 'gh' }, 'gh__'],
  ['mcp__other__search', { server_name: 'gh' }, 'mcp__other__search'],
  ['mcp__gh__search', { server_name: 'gh', tool_name: 'find' }, 'find'],
  ['gh__search', { server_name: 'gh', tool_name: '' }, 'search'],
])('%s with the context %j is %s of gh', (name, context, tool) => {
  expect(mcpToolOf(name, context)).toEqual({ server: 'gh', tool });
});

test('without a context a name of three parts is split, behind the first of its servers', () => {
  expect(mcpToolOf('mcp__gh__search', undefined)).toEqual({ server: 'gh', tool: 'search' });
  expect(mcpToolOf('mcp__gh__a__b', { server_name: '' })).toEqual({ server: 'gh', tool: 'a__b' });
});

test.each(['search', 'gh__search', 'mcp_gh_search', 'mcp__gh', 'mcp__gh__', 'mcp____search', ''])(
  'without one, %j is not a tool of a server',
  (name) => {
    expect(mcpToolOf(name, undefined)).toBeUndefined();
    expect(mcpToolOf(name, { server_name: 7 })).toBeUndefined();
  },
);

test.each<[string, string[]]>([
  ['mcp_a_b_c', ['a b_c', 'a_b c']],
  ['mcp__a__b__c', ['a b__c', 'a__b c']],
  ['a__b', ['a b']],
  ['mcp_a', []],
  ['run_shell_command', []],
  ['__a', []],
  ['a__', []],
  ['', []],
])('%s can be read as %j', (name, readings) => {
  expect(mcpToolsIn(name).map(({ server, tool }) => `${server} ${tool}`)).toEqual(readings);
});

test('a name that is longer than any has no readings, so that they cost nothing', () => {
  expect(mcpToolsIn(`mcp_${'a_'.repeat(5_000)}b`)).toEqual([]);
});
