import type { Decoded, HookEventName } from '@tenterhook/protocol';
import { codesOf, type Printed } from '../printed.js';
import { decoded } from './gemini-rig.js';

const says = (value: unknown) => JSON.stringify(value);
const deny = says({ decision: 'deny', reason: 'no' });
const denied = { decision: 'deny', reason: 'no' } as const;
const specific = (hookSpecificOutput: unknown) => says({ hookSpecificOutput });

/**
 * For each exit: what the hook printed, the decoded output, and the codes of the warnings. The list of codes includes the code of a
 * failure.
 */
const exits: Record<string, [Printed, output: Decoded['output'] | 'failed', codes?: readonly string[]]> = {
  'exit 0, an object': [{ stdout: deny }, denied],
  'exit 0, text': [{ stdout: 'hello\n' }, { systemMessage: 'hello' }],
  'exit 0, a log line and an object': [{ stdout: `log\n${deny}` }, denied, ['mixed_output']],
  'exit 0, an allow among text': [
    { stdout: `log\n${says({ decision: 'allow' })}` },
    { systemMessage: 'log\n{"decision":"allow"}' },
    ['mixed_output'],
  ],
  'exit 0, an allow on stderr': [{ stderr: says({ decision: 'allow' }) }, undefined, ['mixed_output']],
  'exit 1, an allow on stderr': [{ exitCode: 1, stderr: says({ decision: 'allow' }) }, 'failed', ['mixed_output']],
  'exit 0, JSON on stderr': [{ stderr: deny }, denied],
  'exit 0, text on stderr': [{ stderr: 'log' }, undefined],
  'exit 0, an object among text on stderr': [{ stderr: `log\n${deny}` }, denied, ['mixed_output']],
  'exit 0, lines of a log in JSON': [{ stdout: '{"level":30}\n{"level":40}' }, { systemMessage: expect.any(String) as never }],
  'exit 3, lines of a log in JSON': [
    { exitCode: 3, stderr: '{"level":30}\n{"level":40}' },
    { decision: 'deny', reason: expect.stringContaining('40') as never },
  ],
  'exit 0, JSON on stderr beside stdout': [{ stdout: '{}', stderr: deny }, {}],
  'exit 0, a list': [{ stdout: '[1,2]' }, undefined, ['not_an_object']],
  'exit 0, a text that holds an object': [{ stdout: says(deny) }, denied, ['double_encoded']],
  'exit 1, text': [{ exitCode: 1, stdout: 'text' }, 'failed'],
  'exit 1, an object': [{ exitCode: 1, stdout: deny }, denied, ['exit_code']],
  'exit 1, an object on stderr': [{ exitCode: 1, stderr: deny }, denied, ['exit_code']],
  'exit 1, an allow': [{ exitCode: 1, stdout: says({ decision: 'allow', reason: 'r' }) }, { reason: 'r' }, ['exit_code']],
  'exit 1, nothing': [{ exitCode: 1 }, 'failed'],
  'exit 2, stderr': [{ exitCode: 2, stderr: 'no' }, denied],
  'exit 2, nothing': [{ exitCode: 2 }, { decision: 'deny', reason: expect.stringContaining('"guard"') as never }],
  'exit 2, {}': [{ exitCode: 2, stdout: '{}', stderr: 'no' }, denied],
  'exit 2, an allow': [{ exitCode: 2, stdout: says({ decision: 'allow' }), stderr: 'no' }, denied, ['decision_ignored']],
  'exit 2, text on both': [{ exitCode: 2, stdout: 'log', stderr: 'no' }, denied],
  'exit 3, text': [{ exitCode: 3, stdout: 'no' }, denied],
  'exit 3, text on stderr': [{ exitCode: 3, stderr: 'no' }, denied],
  'exit 3, text on both': [{ exitCode: 3, stdout: 'no', stderr: 'log' }, denied],
  'exit 3, an object': [{ exitCode: 3, stdout: says({}) }, {}, ['exit_code']],
  'exit 3, nothing': [{ exitCode: 3 }, 'failed'],
  'exit 126, text': [{ exitCode: 126, stderr: 'no' }, denied, ['not_executable']],
  'exit 127, text': [{ exitCode: 127, stderr: 'no' }, denied, ['missing_command']],
  'exit 127, nothing': [{ exitCode: 127 }, 'failed'],
};

test.each(Object.entries(exits))('%s', (_, [printed, output, codes = []]) => {
  const found = decoded(printed);
  if (output === 'failed') expect(found).toMatchObject({ failure: { code: expect.any(String) } });
  else expect(found.output).toEqual(output);
  expect(codesOf(found.warnings)).toEqual(codes);
});

const fields: [HookEventName, specific: Record<string, unknown>][] = [
  ['BeforeTool', { tool_input: { b: 2 }, additionalContext: 'c' }],
  ['AfterTool', { additionalContext: 'c' }],
  ['BeforeAgent', { additionalContext: 'c' }],
  ['AfterAgent', { clearContext: true }],
  ['BeforeModel', { llm_request: { model: 'm' }, llm_response: { text: 't' } }],
  ['AfterModel', { llm_response: { text: 't' } }],
  ['BeforeToolSelection', { toolConfig: { mode: 'ANY', allowedFunctionNames: ['a'] } }],
  ['SessionStart', { additionalContext: 'c' }],
];

test.each(fields)('%s reads %j', (eventName, value) => {
  expect(decoded({ stdout: specific({ hookEventName: eventName, ...value }) }, eventName)).toEqual({
    output: { hookSpecificOutput: { hookEventName: eventName, ...value } },
    warnings: [],
  });
});

test.each<[HookEventName, Record<string, unknown>, string[]]>([
  ['SessionEnd', { additionalContext: 'c' }, ['no_effect']],
  ['PreCompress', { additionalContext: 'c' }, ['no_effect']],
  ['BeforeAgent', { tool_input: {} }, ['no_effect']],
  ['BeforeTool', { tool_input: [] }, ['wrong_type']],
  ['AfterAgent', { clearContext: 'yes' }, ['wrong_type']],
  ['AfterTool', { tailToolCallRequest: 'x' }, ['wrong_type']],
  ['BeforeTool', { updatedInput: {} }, ['reserved_field']],
  ['BeforeTool', { mood: 'bad' }, ['reserved_field']],
  ['BeforeTool', { toolInput: {} }, ['other_spelling']],
  ['BeforeTool', { decision: 'deny' }, ['no_effect', 'other_spelling']],
])('on %s %j is dropped, and that is said', (eventName, value, codes) => {
  const { output, warnings } = decoded({ stdout: specific(value) }, eventName);
  expect(output).toEqual({ hookSpecificOutput: {} });
  expect(codesOf(warnings)).toEqual(codes);
});

test('an unknown field next to hookSpecificOutput is dropped once, and reported once', () => {
  const { output, warnings } = decoded({ stdout: says({ color: 'red', Decision: 'deny', tool_input: {}, reason: 'r' }) });
  expect(output).toEqual({ reason: 'r' });
  expect(codesOf(warnings)).toEqual(['other_spelling', 'reserved_field', 'no_effect']);
});

test.each([{ approval: 'deny' }, { permission: 'ask' }, { decision: 'allow', approval: 'deny' }])(
  'the words of another agent in %j decide nothing, and that is said',
  (printed) => {
    const { output, warnings } = decoded({ stdout: says(printed) });
    expect(output).toEqual({});
    expect(codesOf(warnings)).toEqual(['reserved_field', 'other_spelling']);
  },
);

test('another event in the envelope is said, and what it holds counts', () => {
  const { output, warnings } = decoded({ stdout: says({ decision: 'deny', hookSpecificOutput: { hookEventName: 'AfterTool' } }) });
  expect(output?.decision).toBe('deny');
  expect(codesOf(warnings)).toEqual(['wrong_event']);
});

test.each<[object, Decoded['output'], string[]]>([
  [
    { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'p' } },
    { decision: 'deny', reason: 'p' },
    ['deny_counted'],
  ],
  [
    { decision: 'allow', reason: 'r', hookSpecificOutput: { permissionDecision: 'ask' } },
    { decision: 'ask', reason: 'r' },
    ['ask_counted'],
  ],
  [
    { decision: 'deny', reason: 'r', hookSpecificOutput: { permissionDecision: 'ask', permissionDecisionReason: 'p' } },
    { decision: 'deny', reason: 'r' },
    ['ask_counted'],
  ],
  [{ hookSpecificOutput: { permissionDecision: 'allow' } }, {}, ['reserved_field']],
])('a permissionDecision in %j objects, and allows nothing', (printed, expected, codes) => {
  const { output, warnings } = decoded({ stdout: says(printed) });
  expect(output).toEqual({ ...expected, hookSpecificOutput: {} });
  expect(codesOf(warnings)).toEqual(codes);
});

test.each<[object, Decoded['output'], string[]]>([
  [
    { hookSpecificOutput: { permissionDecision: 'deny', message: 'm' } },
    { decision: 'deny', reason: 'm', hookSpecificOutput: {} },
    ['reserved_field', 'deny_counted'],
  ],
  [
    { message: 'm', hookSpecificOutput: { permissionDecision: 'deny' } },
    { decision: 'deny', reason: 'm', hookSpecificOutput: {} },
    ['reserved_field', 'deny_counted'],
  ],
  [{ decision: 'deny', message: 'm' }, { decision: 'deny', reason: 'm' }, ['reserved_field']],
  [{ decision: 'ask', message: 'm' }, { decision: 'ask', reason: 'm' }, ['reserved_field']],
  [{ decision: 'deny', reason: 'r', message: 'm' }, { decision: 'deny', reason: 'r' }, ['reserved_field']],
  [{ decision: 'allow', message: 'm' }, {}, ['reserved_field']],
  [{ continue: false, message: 'm' }, { continue: false }, ['reserved_field']],
  [{ decision: 'deny', message: 7 }, { decision: 'deny' }, ['reserved_field']],
])('a message beside an objection without a reason is its reason: %j', (printed, expected, codes) => {
  const { output, warnings } = decoded({ stdout: says(printed) });
  expect(output).toEqual(expected);
  expect(codesOf(warnings).toSorted()).toEqual(codes.toSorted());
  const isTaken = expected?.reason === 'm';
  expect(warnings?.find(({ code }) => code === 'reserved_field')?.message).toContain(isTaken ? 'used as the reason' : 'was dropped');
});

test.each<[HookEventName, string[]]>([
  ['BeforeTool', []],
  ['BeforeAgent', ['ask_counted']],
  ['AfterTool', ['ask_counted']],
])('an ask on %s counts (decision 66)', (eventName, codes) => {
  const { output, warnings } = decoded({ stdout: says({ decision: 'ask' }) }, eventName);
  expect(output).toEqual({ decision: 'ask' });
  expect(codesOf(warnings)).toEqual(codes);
});

test.each<[string, Printed]>([
  ['an object', { stdout: deny }],
  ['exit 2', { exitCode: 2, stderr: 'no' }],
  ['exit 3 with text', { exitCode: 3, stdout: 'no' }],
])('an AfterTool deny by %s takes the result away (decision 63)', (_, printed) => {
  expect(decoded(printed, 'AfterTool').output).toEqual({ ...denied, hookSpecificOutput: { updatedToolOutput: 'no' } });
});

test('an AfterTool deny without a reason says who took the result away', () => {
  const reason = 'Hook "guard" hid this result without a reason.';
  expect(decoded({ stdout: says({ decision: 'block' }) }, 'AfterTool').output).toEqual({
    decision: 'block',
    reason,
    hookSpecificOutput: { updatedToolOutput: reason },
  });
});

test('an AfterModel deny leaves nothing of the answer (decision 67)', () => {
  const printed = says({ ...denied, hookSpecificOutput: { llm_response: { text: 'another' } } });
  expect(decoded({ stdout: printed }, 'AfterModel').output).toEqual({
    ...denied,
    hookSpecificOutput: { llm_response: { text: '', candidates: [] } },
  });
});

test('a tail call is handed on, with a word about it', () => {
  const tailToolCallRequest = { name: 'read_file', args: { file_path: 'a' } };
  const { output, warnings } = decoded({ stdout: specific({ tailToolCallRequest }) }, 'AfterTool');
  expect(output).toEqual({ hookSpecificOutput: { tailToolCallRequest } });
  expect(codesOf(warnings)).toEqual(['no_effect']);
});

test('clearContext: false says nothing', () => {
  expect(decoded({ stdout: specific({ clearContext: false }) }, 'AfterAgent')).toEqual({
    output: { hookSpecificOutput: {} },
    warnings: [],
  });
});
