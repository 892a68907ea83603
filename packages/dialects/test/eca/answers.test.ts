import { codesOf } from '../printed.js';
import { decoded } from './eca-rig.js';

const says = (value: unknown) => ({ stdout: JSON.stringify(value) });

test('silence is not an opinion', () => {
  expect(decoded({})).toEqual({ warnings: [] });
});

test('every field arrives under its canonical name', () => {
  const answer = {
    approval: 'ask',
    additionalContext: 'c',
    updatedInput: { a: 1 },
    continue: false,
    stopReason: 's',
    suppressOutput: true,
  };
  expect(decoded(says(answer))).toEqual({
    output: {
      decision: 'ask',
      reason: 'c',
      continue: false,
      stopReason: 's',
      suppressOutput: true,
      hookSpecificOutput: { additionalContext: 'c', tool_input: { a: 1 } },
    },
    warnings: [],
  });
  expect(decoded(says({ replacedPrompt: 'q' }), 'preRequest')).toEqual({
    output: { hookSpecificOutput: { replacedPrompt: 'q' } },
    warnings: [],
  });
});

test('beside a deny the context is the reason, and no context', () => {
  expect(decoded(says({ approval: 'deny', additionalContext: 'no rm', stopReason: 's' })).output).toEqual({
    decision: 'deny',
    reason: 'no rm',
    stopReason: 's',
  });
  expect(decoded(says({ approval: 'deny', stopReason: 's' })).output).toEqual({ decision: 'deny', stopReason: 's' });
  expect(decoded(says({ approval: 'deny' })).output).toEqual({ decision: 'deny' });
});

test.each([
  ['approval', 'DENY', 'preToolCall'],
  ['approval', 'block', 'preToolCall'],
  ['approval', true, 'preToolCall'],
  ['continue', 'false', 'preToolCall'],
  ['continue', 0, 'chatEnd'],
  ['suppressOutput', 'yes', 'preToolCall'],
  ['additionalContext', ['c'], 'preToolCall'],
  ['updatedInput', 'text', 'preToolCall'],
  ['updatedInput', [1], 'preToolCall'],
  ['replacedPrompt', 7, 'preRequest'],
] as const)('%s: %j of a %s hook is dropped, and its siblings count', (field, value, type) => {
  const { output, warnings } = decoded(says({ [field]: value, stopReason: 'kept' }), type);
  expect(output).toEqual({ stopReason: 'kept' });
  expect(warnings).toEqual([{ code: 'wrong_type', message: expect.stringContaining(field) }]);
});

test.each([
  ['additionalContext', 'c', 'postRequest'],
  ['additionalContext', 'c', 'sessionStart'],
  ['replacedPrompt', 'q', 'preToolCall'],
  ['updatedInput', {}, 'chatStart'],
  ['updatedInput', {}, 'postToolCall'],
  ['approval', 'allow', 'preRequest'],
  ['approval', 'deny', 'postToolCall'],
] as const)('%s: %j has no effect on %s, and that is said', (field, value, type) => {
  const { output, warnings } = decoded(says({ [field]: value }), type);
  expect(output).toEqual({});
  expect(warnings).toEqual([{ code: 'no_effect', message: `${field} has no effect on ${type}; it was dropped.` }]);
});

test.each([
  ['deny', 'deny_counted'],
  ['ask', 'ask_counted'],
])('approval: %s of a preRequest hook counts although ECA would not read it, and that is said', (approval, code) => {
  const { output, warnings } = decoded(says({ approval, additionalContext: 'c' }), 'preRequest');
  expect(output).toMatchObject({ decision: approval });
  expect(codesOf(warnings)).toEqual([code]);
});

test.each(['postRequest', 'subagentPostRequest'] as const)('followUp of a %s hook is a deny with the next prompt', (type) => {
  expect(decoded(says({ followUp: 'y' }), type)).toEqual({ output: { decision: 'deny', reason: 'y' }, warnings: [] });
});

test.each([
  ['postRequest', ' ', 'no_effect'],
  ['postRequest', 7, 'wrong_type'],
  ['preRequest', 'y', 'no_effect'],
  ['preToolCall', 'y', 'no_effect'],
] as const)('followUp of a %s hook that is %j decides nothing', (type, followUp, code) => {
  const { output, warnings } = decoded(says({ followUp }), type);
  expect(output).toEqual({});
  expect(codesOf(warnings)).toEqual([code]);
});

test.each(['preToolCall', 'postRequest', 'subagentStart', 'postCompact'] as const)('systemMessage of a %s hook is for the user', (type) => {
  const output = { hookSpecificOutput: { userMessage: 'm' } };
  expect(decoded(says({ systemMessage: 'm' }), type)).toEqual({ output, warnings: [] });
});

test.each(['sessionStart', 'sessionEnd', 'chatEnd'] as const)(
  'systemMessage of a %s hook has no effect, because there is no chat',
  (type) => {
    const { output, warnings } = decoded(says({ systemMessage: 'm' }), type);
    expect(output).toEqual({});
    expect(codesOf(warnings)).toEqual(['no_effect']);
  },
);

test('null says nothing, and is not a mistake', () => {
  expect(decoded(says({ approval: null, continue: null, updatedInput: null }))).toEqual({ output: {}, warnings: [] });
});

test("other agents' fields are not obeyed, and are said; unknown fields pass through", () => {
  const { output, warnings } = decoded(says({ decision: 'deny', permissionDecision: 'deny', reason: 'r', hookSpecificOutput: {}, own: 1 }));
  expect(output).toEqual({ own: 1, permissionDecision: 'deny' });
  expect(codesOf(warnings)).toEqual(['reserved_field', 'reserved_field', 'reserved_field', 'other_spelling']);
  expect(codesOf(decoded(says({ Approval: 'deny', updated_input: {} })).warnings)).toEqual(['other_spelling', 'other_spelling']);
});

test('text is context where there is any, and is reported as lost otherwise', () => {
  expect(decoded({ stdout: 'plain\n' })).toEqual({ output: { hookSpecificOutput: { additionalContext: 'plain' } }, warnings: [] });
  expect(decoded({ stdout: 'plain' }, 'postRequest')).toEqual({
    warnings: [{ code: 'no_effect', message: expect.stringContaining('postRequest') }],
  });
});

test.each<[stdout: string, codes: readonly string[]]>([
  ['[1]', []],
  ['42', []],
  ['false', []],
  ['[{"approval":"deny"}]', ['not_an_object']],
  ['{bad', ['invalid_json']],
  ['{"approval":"deny"', ['invalid_json']],
])('%s is a text, with the warnings %j', (stdout, codes) => {
  const { output, warnings } = decoded({ stdout });
  expect(output).toEqual({ hookSpecificOutput: { additionalContext: stdout } });
  expect(codesOf(warnings)).toEqual(codes);
});

test.each([
  { decision: 'block' },
  { permission: 'deny' },
  { Approval: 'deny' },
  { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } },
])('%j decides in the words of others, which has no effect and is said', (printed) => {
  const { output, warnings } = decoded(says(printed));
  expect(output?.decision).toBeUndefined();
  expect(codesOf(warnings)).toContain('other_spelling');
  expect(codesOf(decoded({ stdout: `log\n${JSON.stringify(printed)}` }).warnings)).toContain('decision_in_text');
});

test.each([
  { updatedInput: { path: '/x', permission: 'ask' } },
  { additionalContext: 'fine', details: { decision: 'ask' } },
  { approval: 'deny', decision: 'block' },
])('%j is an answer of ECA, whatever its arguments are called', (printed) => {
  expect(codesOf(decoded(says(printed)).warnings)).not.toContain('other_spelling');
});

test.each([
  { approval: 'allow', decision: 'block' },
  { approval: null, decision: 'block' },
])('%j says two things, which is said', (printed) => {
  expect(codesOf(decoded(says(printed)).warnings)).toContain('other_spelling');
});

test.each(['[{"permissionDecision":"deny"}]', '[{"decision":"block"}]', '"deny"'])('%s is a text that may have been a deny', (stdout) => {
  expect(codesOf(decoded({ stdout }).warnings)).toEqual(['not_an_object']);
});

test('an object that is not an answer at all is not context, which is said', () => {
  expect(decoded(says({ name: 'pkg' }))).toMatchObject({ output: { name: 'pkg' }, warnings: [{ code: 'no_effect' }] });
});

test('a deny between log lines is a deny, and an allow is not an opinion', () => {
  const denied = decoded({ stdout: 'checking\n{"approval":"deny","additionalContext":"no"}\ndone' });
  expect(denied).toMatchObject({ output: { decision: 'deny', reason: 'no' }, warnings: [{ code: 'mixed_output' }] });
  expect(decoded({ stdout: 'checking\n{"approval":"allow"}' }).output).not.toHaveProperty('decision');
  expect(decoded({ stdout: 'x\n{"approval":"ask"}\n{"approval":"deny"}\n{"approval":"allow","continue":false}' }).output).toMatchObject({
    decision: 'deny',
    continue: false,
  });
});

test('a file that is printed as context is text, whatever objects it contains', () => {
  const stdout = 'The settings:\n{"level":"info","decision":"deny"}\n{}';
  expect(decoded({ stdout })).toMatchObject({ output: { hookSpecificOutput: { additionalContext: stdout } } });
});

test('a rewrite comes back under the keys of the host', () => {
  const fields = { tool_name: 'write_file', tool_input: { file_path: '/srv/a', content: 'x' } };
  const back = (updatedInput: object) => decoded(says({ updatedInput }), 'preToolCall', fields).output?.hookSpecificOutput?.['tool_input'];
  expect(back({ path: '/srv/b' })).toEqual({ file_path: '/srv/b' });
  expect(back({ file_path: '/srv/b' })).toEqual({ file_path: '/srv/b' });
  expect(back({ path: '/srv/b', file_path: '/srv/c' })).toEqual({ file_path: '/srv/b' });
  const twice = { tool_name: 'read_file', tool_input: { absolute_path: '/x', file_path: '/x' } };
  const { output } = decoded(says({ updatedInput: { path: '/y' } }), 'preToolCall', twice);
  expect(output?.hookSpecificOutput?.['tool_input']).toEqual({ absolute_path: '/y', file_path: '/y' });
  const named = { tool_name: 'run_shell_command', tool_input: { command: 'a', path: 'b' } };
  const shell = decoded(says({ updatedInput: { command: 'c', path: 'd' } }), 'preToolCall', named).output?.hookSpecificOutput;
  expect(shell?.['tool_input']).toEqual({ command: 'c', path: 'd' });
});

describe('exit code 2', () => {
  test.each([
    [{ stdout: '{"additionalContext":"b"}', stderr: 'a' }, 'b'],
    [{ stdout: '{"stopReason":"s"}', stderr: 'a' }, 's'],
    [{ stdout: 'o', stderr: 'a' }, 'a'],
    [{ stdout: 'o' }, 'o'],
    [{}, 'Hook "guard" blocked BeforeTool with exit code 2 and gave no reason.'],
  ])('of %j denies because: %s', (printed, reason) => {
    const { output } = decoded({ exitCode: 2, ...printed });
    expect(output).toMatchObject({ decision: 'deny', reason });
    expect(output).not.toHaveProperty('hookSpecificOutput');
  });

  test('denies although stdout allows, and its rewrite is not applied', () => {
    const { output, warnings } = decoded({ exitCode: 2, stdout: '{"approval":"allow","updatedInput":{"a":1}}', stderr: 'no' });
    expect(output).toEqual({ decision: 'deny', reason: 'no' });
    expect(codesOf(warnings)).toEqual(['decision_ignored', 'rewrite_ignored']);
  });

  test.each([
    ['preRequest', 'deny'],
    ['postToolCall', 'deny'],
    ['sessionStart', undefined],
    ['sessionEnd', undefined],
    ['chatStart', undefined],
    ['chatEnd', undefined],
    ['postRequest', 'deny'],
    ['subagentPostRequest', 'deny'],
    ['preCompact', 'deny'],
    ['subagentStart', undefined],
    ['postCompact', undefined],
  ] as const)('of a %s hook means %s', (type, decision) => {
    const { output, warnings, failure } = decoded({ exitCode: 2, stderr: 'no' }, type);
    expect({ decision: output?.decision, failure }).toEqual({ decision, failure: undefined });
    expect(codesOf(warnings)).toEqual(decision === undefined ? ['no_effect'] : []);
  });
});

test.each([1, 3, 126, 127, 130, 255])('exit code %i is a failure, and what was printed is not obeyed', (exitCode) => {
  const { output, failure, warnings } = decoded({ exitCode, stdout: '{"approval":"deny"}', stderr: 'oops' });
  expect(output).toBeUndefined();
  expect(failure?.message).toContain('oops');
  expect(codesOf(warnings)).toEqual(['decision_ignored']);
});

test('an answer that was cut off is a failure', () => {
  expect(decoded({ stdout: '{"approval":"al', stdoutTruncated: true }).failure).toMatchObject({ code: 'output_truncated' });
  expect(decoded({ stdout: '{"approval":"al', stdoutTruncated: true, exitCode: 2 }).output).toMatchObject({ decision: 'deny' });
});
