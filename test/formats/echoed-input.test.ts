import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory } from '../support/fire-hooks.js';
import { formatNamed } from '../support/formats.js';
import { runCli } from '../support/run-cli.js';

const cwd = freshDirectory('echoed');
afterAll(() => rmSync(cwd, { recursive: true }));

type Format = (event: string, command: string) => object;
const grouped: Format = (event, command) => ({ hooks: { [event]: [{ hooks: [{ type: 'command', command }] }] } });
const formats: Readonly<Record<string, Format>> = {
  llxprt: (event, command) => ({ tools: { enableHooks: true }, ...grouped(event, command) }),
  'claude-code': grouped,
  'gemini-cli': grouped,
  eca: (type, shell) => ({ hooks: { own: { type, runOnError: type === 'postToolCall', actions: [{ type: 'shell', shell }] } } }),
};

interface Answered {
  readonly verdict: string;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly output?: Readonly<Record<string, unknown>>;
}

/** Fires an event with one hook, and returns what was read of its answer. */
async function answerOf(dialect: string, event: string, stdin: object, command: string): Promise<Answered> {
  const file = join(cwd, `${dialect}.json`);
  writeFileSync(file, JSON.stringify(formats[dialect]?.(event, command)));
  const args = ['fire', event, '--dialect', dialect, '--settings', file, '--cwd', cwd, '--json', '--input', '-'];
  const { stdout } = await runCli(args, { cwd, stdin: JSON.stringify(stdin) });
  const { verdict, outcomes } = JSON.parse(stdout).output;
  expect(outcomes).toMatchObject([{ status: expect.stringMatching(/succeeded|blocked/) }]);
  return { verdict: verdict.kind, ...outcomes[0] };
}

describe.each(Object.keys(formats))('%s', (dialect) => {
  const inputs = formatNamed(dialect).captured(cwd);
  const [first] = inputs;
  // In ECA's format, `approval` is a field of stdin and of answers, and its value is an answer.
  const isAnswer = (stdin: object) => dialect === 'eca' && 'approval' in stdin;

  test.each(inputs.map((input) => [input.event, JSON.stringify(input.stdin['tool_name'] ?? ''), input] as const))(
    '%s %s: a hook that passes its input on says nothing, and nothing is said of it',
    async (event, _tool, { stdin }) => {
      const { verdict, warnings, output = {} } = await answerOf(dialect, event, stdin, 'cat');
      expect(warnings).toEqual([]);
      if (isAnswer(stdin)) return;
      expect(verdict).toBe('none');
      // Only a field that can be an answer is left.
      expect(Object.keys(output).filter((field) => field !== 'reason')).toEqual([]);
    },
  );

  test.each([
    ['with its keys in another order', 'jq -S .'],
    ['in another layout', 'jq --tab .'],
    ['in part', `jq '{ session_id, hook_event_name, tool_name, chat_id, hook_type } | with_entries(select(.value != null))'`],
    ['written by another language', 'python3 -c "import json, sys; print(json.dumps(json.load(sys.stdin), ensure_ascii=True))"'],
  ])('the same input %s', async (_, command) => {
    const { event, stdin } = inputs.find(({ stdin: given }) => !isAnswer(given)) ?? first ?? { event: '', stdin: {} };
    expect(await answerOf(dialect, event, stdin, command)).toMatchObject({ verdict: 'none', warnings: [] });
  });
});

test.each([
  ['claude-code', 'PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls', description: 'List' } }, '.tool_input'],
  ['claude-code', 'PostToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_response: { stdout: 'a' } }, '.tool_response'],
  ['gemini-cli', 'BeforeTool', { tool_name: 'read_file', tool_input: { file_path: '/a', limit: 3 } }, '.tool_input'],
  ['llxprt', 'AfterTool', { tool_name: 'read_file', tool_input: {}, tool_response: { llmContent: 'a' } }, '.tool_response'],
])('%s %s: a hook that prints one object of its input, as loggers do', async (dialect, event, stdin, filter) => {
  expect(await answerOf(dialect, event, stdin, `jq -c '${filter}'`)).toMatchObject({ verdict: 'none', warnings: [] });
});

test.each(['claude-code', 'gemini-cli'])('%s: a context that a hook prints for another agent too', async (dialect) => {
  const specific = { hookEventName: 'SessionStart', additionalContext: 'Use tabs.' };
  const printed = (text: string) => `echo '${JSON.stringify({ additional_context: text, hookSpecificOutput: specific })}'`;
  const stdin = { source: 'startup' };
  const { warnings, output } = await answerOf(dialect, 'SessionStart', stdin, printed('Use tabs.'));
  expect({ warnings, output }).toMatchObject({ warnings: [], output: { hookSpecificOutput: { additionalContext: 'Use tabs.' } } });
  const other = await answerOf(dialect, 'SessionStart', stdin, printed('Use spaces.'));
  expect(other.warnings).toMatchObject([{ code: 'reserved_field', message: expect.stringContaining('additional_context') }]);
});

test('an argument that a hook has changed and printed outside of an answer is named', async () => {
  const { warnings } = await printing('.tool_input + { extra: 1 }');
  expect(warnings).toMatchObject([{ message: expect.stringMatching(/^"extra": unknown in this format/) }]);
});

const call = { tool_name: 'Bash', tool_input: { command: 'make clean' }, tool_use_id: 'toolu_9' };
const printing = (program: string) => answerOf('claude-code', 'PreToolUse', call, `jq -c '${program}'`);

test.each([
  ['a changed argument', '.tool_input.command = "make"', '"tool_input"'],
  ['a changed name', '.tool_name = "Read"', '"tool_name"'],
  ['a further field', '. + { permission: "x" }', '"permission"'],
])('%s is not an echo, and its warning names nothing else', async (_, program, named) => {
  const { verdict, warnings } = await printing(program);
  expect(verdict).toBe('none');
  expect(warnings).toMatchObject([{ code: 'reserved_field', message: expect.stringMatching(`^${named}: unknown in this format`) }]);
});

test('an answer among repeated fields counts', async () => {
  const denied = await printing('. + { decision: "block", reason: "Not now." }');
  expect(denied).toMatchObject({ verdict: 'deny', warnings: [], output: { reason: 'Not now.' } });
  const rewrite = { hookEventName: 'PreToolUse', updatedInput: { command: 'make' } };
  const rewritten = await printing(`. + { hookSpecificOutput: ${JSON.stringify(rewrite)} }`);
  expect(rewritten).toMatchObject({ warnings: [], output: { hookSpecificOutput: { updatedInput: { command: 'make' } } } });
});

test('an answer with the value of the input is an answer', async () => {
  const asked = { tool_name: 'shell_command', server: 'eca', tool_input: { command: 'ls' }, approval: 'ask' };
  const { verdict } = await answerOf('eca', 'preToolCall', asked, `echo '{"approval":"ask"}'`);
  expect(verdict).toBe('ask');
});
