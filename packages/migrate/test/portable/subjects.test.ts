import { claudeTools, ecaTools } from '@tenterhook/dialects/internal';
import { canonicalTools } from '@tenterhook/dialects/parts';
import { globsOf } from '../../src/portable/globs.js';
import type { PortableSubject } from '../../src/portable/portable-hook.js';
import { readTools } from '../../src/portable/read-tools.js';
import type { ToolSpelling } from '../../src/portable/tool-spelling.js';
import { writeTools } from '../../src/portable/write-tools.js';

const llxprt: ToolSpelling = {
  agent: 'LLxprt Code',
  table: canonicalTools,
  mcp: [
    { start: 'mcp_', separator: '_' },
    { start: 'mcp__', separator: '__' },
  ],
};
const claude: ToolSpelling = { agent: 'Claude Code', table: claudeTools, mcp: [{ start: 'mcp__', separator: '__' }] };
const eca: ToolSpelling = {
  agent: 'ECA',
  table: ecaTools,
  ownStart: 'eca__',
  mcp: [
    { start: '', separator: '__' },
    { start: 'mcp__', separator: '__' },
  ],
};

function readPattern(text: string, spelling: ToolSpelling) {
  const isWhole = spelling === eca;
  const expression = new RegExp(isWhole ? `^(?:${text})$` : text);
  return readTools({ text, globs: globsOf(text, isWhole), fits: (name) => expression.test(name) }, spelling);
}

function migrated(text: string, from: ToolSpelling, to: ToolSpelling): { globs: readonly string[]; losses: number } | string {
  const read = readPattern(text, from);
  if ('cannot' in read) return read.cannot;
  const written = writeTools(read.subjects, to);
  return 'cannot' in written ? written.cannot : { globs: written.globs, losses: read.losses.length + written.losses.length };
}

const tool = (name: string): PortableSubject => ({ kind: 'tool', name });

test.each([
  ['^Bash$', claude, llxprt, ['run_shell_command'], 0],
  ['^(Edit|Write)$', claude, llxprt, ['replace', 'write_file'], 0],
  ['^Read$', claude, llxprt, ['read_file', 'read_many_files'], 0],
  ['^(Edit|Write)$', claude, eca, ['eca__edit_file', 'eca__write_file'], 0],
  ['^Grep$', claude, llxprt, ['grep_search', 'search_file_content'], 0],
  ['^invoke_agent$', llxprt, claude, ['Agent', 'Task'], 0],
  ['mcp__gh__.*', claude, llxprt, ['mcp_gh_*'], 0],
  ['mcp__gh__.*', claude, eca, ['gh__*'], 0],
  ['^mcp__gh__search$', claude, llxprt, ['mcp_gh_search'], 0],
  ['mcp__.*', claude, llxprt, ['mcp_*_*'], 0],
  ['mcp__.*__write.*', claude, llxprt, ['mcp_*_write*'], 0],
  ['mcp__gh__(get|list)_.*', claude, eca, ['gh__get_*', 'gh__list_*'], 0],
  ['mcp_gh_.*', llxprt, claude, ['mcp__gh__*'], 0],
  ['mcp__gh__.*', llxprt, claude, ['mcp__gh__*'], 0],
  ['^mcp_my_server_go$', llxprt, claude, ['mcp__my__server_go', 'mcp__my_server__go'], 0],
  ['eca__(write|edit)_file', eca, claude, ['Write', 'Edit'], 0],
  ['github__.*', eca, llxprt, ['mcp_github_*'], 0],
  ['.*__write_file', eca, claude, ['Write', 'mcp__*__write_file'], 0],
  ['eca__run_shell_command', eca, claude, ['Bash'], 0],
] as const)('%s of one agent is spelled in the words of another without a loss', (text, from, to, globs, losses) => {
  expect(migrated(text, from, to)).toEqual({ globs, losses });
});

test.each([
  ['write_file', llxprt, claude, ['Write']],
  ['read_.*', llxprt, claude, ['Read']],
  ['Edit.*', claude, llxprt, ['replace']],
  ['my_tool', llxprt, claude, ['my_tool']],
  ['^NotebookEdit$', claude, llxprt, ['NotebookEdit']],
  ['^list_directory$', llxprt, claude, ['list_directory']],
  ['^read_file$', llxprt, claude, ['Read']],
  ['mcp__.*__write.*', claude, eca, ['*__write*']],
  ['Notebook.*', claude, llxprt, ['*Notebook*']],
  ['^Notebook', claude, eca, ['eca__Notebook*']],
  ['eca__Notebook.*', eca, claude, ['Notebook*']],
  ['^(Notebook.*|Edit.*)', claude, llxprt, ['Notebook*', 'replace']],
  ['^\\w+_file$', llxprt, claude, ['Read', 'Write']],
] as const)('%s of one agent is spelled in the words of another, and what that loses is said', (text, from, to, globs) => {
  const result = migrated(text, from, to);
  expect(result).toMatchObject({ globs });
  expect((result as { losses: number }).losses).toBeGreaterThan(0);
});

test("all of ECA's own tools are those that are known elsewhere, and that is said", () => {
  expect(readPattern('eca__.*', eca)).toEqual({ subjects: [tool('*')], losses: [] });
  const { globs, losses } = migrated('eca__.*', eca, claude) as { globs: readonly string[]; losses: number };
  expect(globs).toEqual(expect.arrayContaining(['Bash', 'Write', 'Task']));
  expect(losses).toBe(1);
});

test('what fits no tool, and what ECA has no matcher for, is not guessed at', () => {
  expect(migrated('shell_command', eca, claude)).toMatch(/matches none of the known tools/);
  expect(migrated('mcp__.*', claude, eca)).toBe('ECA has no matcher that selects the tools of all MCP servers but not its own tools.');
});

test.each([
  ['Notebook.*', claude, 'In the pattern "Notebook.*", these parts match no known tool'],
  ['my_tool', llxprt, 'In the pattern "my_tool", these parts match no known tool'],
])('of %s it is not said that it fits tools that are known', (text, spelling, said) => {
  const read = readPattern(text, spelling) as { losses: readonly { message: string }[] };
  expect(read.losses.map(({ message }) => message)).toEqual([expect.stringContaining(said)]);
});

test('a pattern that fits no known tool stays the same when it is read back', () => {
  for (const spelling of [claude, llxprt]) {
    const read = readPattern('^Notebook.*$', spelling);
    expect(read).toMatchObject({ subjects: [tool('Notebook*')] });
  }
});
