import type { DialectContext } from '@tenterhook/protocol';
import { noMachine } from '../../../../../test/support/levels.js';
import { claudeCode, eca, geminiCli, llxprt } from '../../../src/index.js';

const dialects = { llxprt: llxprt(), 'claude-code': claudeCode(), 'gemini-cli': geminiCli(), eca: eca() };
type Name = keyof typeof dialects;

/** Returns what a format reports about a matcher of its event before a tool. */
function remarks(name: Name, matcher: string, more: Partial<DialectContext> = {}) {
  const event = name === 'claude-code' ? 'PreToolUse' : 'BeforeTool';
  const hooks =
    name === 'eca'
      ? { guard: { type: 'preToolCall', matcher, actions: [{ type: 'shell', shell: 'true' }] } }
      : { [event]: [{ matcher, hooks: [{ type: 'command', command: 'true' }] }] };
  const document = { source: 'project', value: { hooks }, locate: () => undefined };
  return dialects[name].parse(document, { ...noMachine, ...more }).diagnostics.map(({ code, severity, message, remedy }) => ({
    code,
    severity,
    text: `${message} ${remedy}`,
  }));
}

describe('names of the tools of other agents', () => {
  test.each<[Name, string, string]>([
    ['llxprt', 'Bash', 'Write "run_shell_command".'],
    ['llxprt', '^Bash$', 'Write "^run_shell_command$".'],
    ['llxprt', 'Write|Edit', 'Write "write_file|replace".'],
    ['llxprt', 'Bash|write_*', 'Write "run_shell_command|write_*".'],
    ['llxprt', 'Run_Shell_Command', 'Write "run_shell_command".'],
    ['llxprt', 'shell_command', 'plain'],
    ['gemini-cli', 'Bash', 'Write "run_shell_command".'],
    ['claude-code', 'run_shell_command', 'Write "Bash".'],
    ['claude-code', '^run_shell_command$', 'Write "^Bash$".'],
    ['claude-code', 'bash', 'Write "Bash".'],
    ['claude-code', 'Write, replace', 'Write "Write|Edit".'],
    ['claude-code', 'run_terminal_cmd', 'Write "Bash".'],
    ['eca', 'Bash', 'Write "eca__shell_command".'],
    ['eca', 'run_terminal_cmd', 'Write "eca__shell_command".'],
  ])('%s: for %s the remedy is %s', (name, matcher, remedy) => {
    const found = remarks(name, matcher);
    if (remedy === 'plain') expect(found).toMatchObject([{ code: 'plain_matcher' }]);
    else expect(found).toEqual([{ code: 'unmatched_matcher', severity: 'warning', text: expect.stringContaining(remedy) }]);
  });

  test('a name that the agent itself has for a tool is right', () => {
    for (const name of ['llxprt', 'gemini-cli'] as const) {
      expect(remarks(name, 'bash')).toMatchObject([{ code: 'unmatched_matcher' }]);
      expect(remarks(name, 'bash', { toolNames: ['bash'] })).toEqual([]);
    }
    expect(remarks('claude-code', 'my_tool', { toolNames: ['my_tool'] })).toEqual([]);
  });
});

test.each<[Name, string, string]>([
  ['llxprt', '/run_shell_command/', '"run_shell_command"'],
  ['claude-code', '/^Bash$/i', '"^Bash$"'],
  ['gemini-cli', '/write/', '"write"'],
  ['eca', '/eca__.*/', '"eca__.*"'],
])('%s: the slashes of %s are reported, and the remedy is %s', (name, matcher, remedy) => {
  expect(remarks(name, matcher)).toEqual([
    {
      code: 'unmatched_matcher',
      severity: 'warning',
      text: expect.stringMatching(/^The matcher .* never matches: its slashes are part of the pattern/),
    },
  ]);
  expect(remarks(name, matcher)[0]?.text).toContain(`Write ${remedy}.`);
});

test.each<[Name, string, string]>([
  ['llxprt', '^run_*$', '"^run_.*$"'],
  ['gemini-cli', '^run_*$', '"^run_.*$"'],
  ['claude-code', '^mcp__git*$', '"^mcp__git.*$"'],
  ['eca', 'eca__*', '"eca__.*"'],
  ['eca', 'github__*', '"github__.*"'],
])('%s: in %s "*" repeats a character, and the remedy is %s', (name, matcher, remedy) => {
  const found = remarks(name, matcher);
  expect(found).toMatchObject([{ code: 'unmatched_matcher', severity: 'warning' }]);
  expect(found[0]?.text).toContain('"*" repeats the character before it');
  expect(found[0]?.text).toContain(`Write ${remedy}.`);
});

test.each<[Name, string, string]>([
  ['llxprt', 'src/**/*.ts', '"^(write_file|replace)$"'],
  ['llxprt', '*.ts', '"^(write_file|replace)$"'],
  ['llxprt', '\\.tsx?$', '"^(write_file|replace)$"'],
  ['llxprt', 'src/.*', '"^(write_file|replace)$"'],
  ['gemini-cli', 'src/**/*.ts', '"^(write_file|replace)$"'],
  ['claude-code', 'src/**/*.ts', '"if": "Edit(*.ts)"'],
  ['claude-code', '\\.py$', '"if": "Edit(*.ts)"'],
  ['eca', 'src/**/*.ts', '"eca__write_file|eca__edit_file"'],
])('%s: %s is a file pattern, and the remedy names %s', (name, matcher, remedy) => {
  const found = remarks(name, matcher);
  expect(found).toHaveLength(1);
  expect(['invalid_matcher', 'unmatched_matcher']).toContain(found[0]?.code);
  expect(found[0]?.text).toContain('ooks like a file pattern');
  expect(found[0]?.text).toContain(remedy);
});

test.each<[Name, string]>([
  ['llxprt', 'run_shell_command'],
  ['llxprt', 'write_file|replace'],
  ['llxprt', '^write_file$'],
  ['llxprt', 'write_*'],
  ['llxprt', '^run_.*$'],
  ['llxprt', '^w*rite_file$'],
  ['llxprt', 'my_tool|other'],
  ['llxprt', '^mcp__.*'],
  ['llxprt', 'deploy.prod'],
  ['llxprt', 'page.get$'],
  ['llxprt', '[^/]+'],
  ['claude-code', 'Bash'],
  ['claude-code', 'Edit|Write|MultiEdit'],
  ['claude-code', 'mcp__memory__.*'],
  ['claude-code', 'Notebook.*'],
  ['claude-code', 'Edit|Write|mcp__fs__write'],
  ['claude-code', 'my_tool'],
  ['gemini-cli', 'write_.*'],
  ['gemini-cli', 'write_file'],
  ['eca', 'eca__shell_command'],
  ['eca', 'eca__(write|edit)_file'],
  ['eca', '.*__search'],
])('%s: there is nothing to report about %s', (name, matcher) => expect(remarks(name, matcher)).toEqual([]));

test.each(['llxprt', 'gemini-cli'] as const)('%s: a plain name is reported only where it matches more tools than it names', (name) => {
  expect(remarks(name, 'write_file|read')).toEqual([
    { code: 'plain_matcher', severity: 'note', text: expect.stringContaining('also matches read_file, read_many_files') },
  ]);
});

describe('matchers that no tool name can match', () => {
  test.each<[Name, string, string, string]>([
    ['llxprt', 'write_file, replace', 'no tool name contains a comma or a blank', '"^(write_file|replace)$"'],
    ['llxprt', 'write_file | replace', 'no tool name contains a blank', '"^(write_file|replace)$"'],
    ['llxprt', '^write_file$, ^replace$', 'no tool name contains a comma or a blank', '"^(write_file|replace)$"'],
    ['llxprt', '^write_file$^replace$', '"^" and "$" in the middle', '"^(write_file|replace)$"'],
    ['llxprt', 'write_file$replace', '"^" and "$" in the middle', '"^(write_file|replace)$"'],
    ['llxprt', 'write_file ', 'no tool name contains a blank', '"^write_file$"'],
    ['llxprt', '"write_file"', 'no tool name contains a quotation mark', '"^write_file$"'],
    ['llxprt', 'write_file;replace', 'no tool name contains a semicolon', '"^(write_file|replace)$"'],
    ['llxprt', 'Write, Edit', 'no tool name contains a comma or a blank', '"^(write_file|replace)$"'],
    ['llxprt', 'mcp__.*, replace', 'no tool name contains a comma or a blank', '"mcp__.*|replace"'],
    ['llxprt', '^(write_file, replace|read_file)$', 'no tool name contains a comma or a blank', '"^(write_file|replace|read_file)$"'],
    ['gemini-cli', 'write_file | replace, x', 'no tool name contains a comma or a blank', '"^(write_file|replace|x)$"'],
    ['claude-code', 'Edit Write', 'no tool name contains a blank', '"Edit|Write"'],
    ['claude-code', '^Edit$, ^Write$', 'no tool name contains a comma or a blank', '"Edit|Write"'],
    ['claude-code', 'mcp__.*, Write', 'no tool name contains a comma or a blank', '"mcp__.*|Write"'],
    ['eca', 'eca__write_file, eca__edit_file', 'no tool name contains a comma or a blank', '"eca__write_file|eca__edit_file"'],
    ['eca', 'eca__write_file | eca__edit_file', 'no tool name contains a blank', '"eca__write_file|eca__edit_file"'],
  ])('%s: %s, because %s; the remedy is %s', (name, matcher, why, remedy) => {
    const found = remarks(name, matcher);
    expect(found).toMatchObject([{ code: 'unmatched_matcher', severity: 'warning' }]);
    expect(found[0]?.text).toContain(why);
    expect(found[0]?.text).toContain(`Write ${remedy}.`);
  });

  test.each<[Name, string]>([
    ['llxprt', '!read_file'],
    ['gemini-cli', '!read_file'],
    ['claude-code', '!Read'],
    ['eca', '!eca__read_file'],
  ])('%s: %s is not a negation, and the remedy says how to leave a tool out', (name, matcher) => {
    const found = remarks(name, matcher);
    expect(found).toMatchObject([{ code: 'unmatched_matcher', severity: 'warning' }]);
    expect(found[0]?.text).toContain('"!" does not negate a matcher');
    expect(found[0]?.text).toContain(`Remove the matcher, and end the hook with exit code 0 if the tool is ${matcher.slice(1)}.`);
  });

  test.each<[Name, string]>([
    ['llxprt', 'write_file *'],
    ['llxprt', '^[^ ,]+$'],
    ['llxprt', '[ab, ]?write_file'],
    ['llxprt', '^(write_file|replace)$'],
    ['llxprt', '(^|_)file$'],
    ['llxprt', 'write(, x)?_file'],
    ['llxprt', '^w.{1,3}te_file$'],
    ['llxprt', '^write_file\\$?$'],
    ['gemini-cli', '(?i:^write_file$)|^my_tool$'],
    ['claude-code', 'Edit, Write'],
    ['claude-code', 'Edit | Write ,'],
    ['eca', '^eca__(write|edit)_file$'],
  ])('%s: %s is not one of them', (name, matcher) => expect(remarks(name, matcher)).toEqual([]));

  test('a character that the agent has in the name of a tool is not a mistake', () => {
    expect(remarks('llxprt', '^my tool$')).toMatchObject([{ code: 'unmatched_matcher' }]);
    expect(remarks('llxprt', '^my tool$', { toolNames: ['my tool'] })).toEqual([]);
  });
});

test.each<[Name, string, string]>([
  ['llxprt', 'run_shell_command(git push)', 'Write "matcher": "^run_shell_command$", and compare its arguments inside the hook.'],
  ['llxprt', 'Bash(git push:*)', 'Write "matcher": "^run_shell_command$", and compare its arguments inside the hook.'],
  ['gemini-cli', 'run_shell_command(git)', 'Write "matcher": "^run_shell_command$", and compare its arguments inside the hook.'],
  ['claude-code', 'Bash(git push:*)', 'Write "matcher": "Bash" next to "hooks", and "if": "Bash(git push:*)" in the hook.'],
  ['eca', 'Bash(git push)', 'Write "matcher": "eca__shell_command", and compare its arguments inside the hook.'],
])('%s: %s is a permission rule, and the remedy is: %s', (name, matcher, remedy) => {
  const found = remarks(name, matcher);
  expect(found).toMatchObject([{ code: 'unmatched_matcher', severity: 'warning' }]);
  expect(found[0]?.text).toContain('looks like a permission rule');
  expect(found[0]?.text).toContain(remedy);
});
