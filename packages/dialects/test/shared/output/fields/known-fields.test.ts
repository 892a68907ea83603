import type { HookEventName } from '@tenterhook/protocol';
import { fieldTable } from '../../../../src/llxprt/answers.js';
import { knownFields as read } from '../../../../src/shared/output/fields/known-fields.js';
import { codesOf } from '../../../printed.js';

const knownFields = (printed: Readonly<Record<string, unknown>>, eventName: HookEventName) => read(printed, eventName, fieldTable);

interface Case {
  readonly eventName?: HookEventName;
  readonly printed: Record<string, unknown>;
  readonly output: Record<string, unknown>;
  readonly warnings?: readonly string[];
}

const cases: Record<string, Case> = {
  'unknown fields pass through': {
    printed: { color: 'red', hookSpecificOutput: { note: [1] } },
    output: { color: 'red', hookSpecificOutput: { note: [1] } },
  },
  'null says nothing': {
    printed: { decision: null, reason: null, hookSpecificOutput: { tool_input: null } },
    output: { hookSpecificOutput: {} },
  },
  'a decision in capitals is dropped': { printed: { decision: 'DENY', reason: 'r' }, output: { reason: 'r' }, warnings: ['wrong_type'] },
  'a decision that is a boolean is dropped': { printed: { decision: true }, output: {}, warnings: ['wrong_type'] },
  'continue as a text is dropped': { printed: { continue: 'false' }, output: {}, warnings: ['wrong_type'] },
  'a reason that is a number is dropped, and the deny stays': {
    printed: { decision: 'deny', reason: 5 },
    output: { decision: 'deny' },
    warnings: ['wrong_type'],
  },
  'suppressOutput as a text is dropped': { printed: { suppressOutput: 'yes' }, output: {}, warnings: ['wrong_type'] },
  'hookSpecificOutput as a text is dropped': { printed: { hookSpecificOutput: 'x' }, output: {}, warnings: ['wrong_type'] },
  'hookSpecificOutput as a list is dropped': { printed: { hookSpecificOutput: [1] }, output: {}, warnings: ['wrong_type'] },
  'each wrong field has its warning': {
    printed: { decision: 1, reason: 1, continue: 1 },
    output: {},
    warnings: ['wrong_type', 'wrong_type', 'wrong_type'],
  },
  'a tool_input that is a list is dropped': {
    printed: { hookSpecificOutput: { tool_input: [1] } },
    output: { hookSpecificOutput: {} },
    warnings: ['wrong_type'],
  },
  'a permissionDecision that is not a word of ours is dropped': {
    printed: { hookSpecificOutput: { permissionDecision: 'never' } },
    output: { hookSpecificOutput: {} },
    warnings: ['wrong_type'],
  },
  'names of functions that are numbers are dropped': {
    eventName: 'BeforeToolSelection',
    printed: { hookSpecificOutput: { toolConfig: { allowedFunctionNames: [5] } } },
    output: { hookSpecificOutput: {} },
    warnings: ['wrong_type'],
  },
  'the functionCallingConfig of the API is dropped, and the fields next to it count': {
    eventName: 'BeforeToolSelection',
    printed: { hookSpecificOutput: { toolConfig: { mode: 'ANY', functionCallingConfig: { mode: 'NONE' } } } },
    output: { hookSpecificOutput: { toolConfig: { mode: 'ANY' } } },
    warnings: ['no_effect'],
  },
  'a toolConfig with nothing else is dropped': {
    eventName: 'BeforeToolSelection',
    printed: { hookSpecificOutput: { toolConfig: { function_calling_config: { mode: 'ANY' } } } },
    output: { hookSpecificOutput: {} },
    warnings: ['no_effect'],
  },
  'a list of names in another spelling is reported': {
    eventName: 'BeforeToolSelection',
    printed: { hookSpecificOutput: { toolConfig: { mode: 'ANY', allowed_function_names: ['a'] } } },
    output: { hookSpecificOutput: { toolConfig: { mode: 'ANY', allowed_function_names: ['a'] } } },
    warnings: ['other_spelling'],
  },
  'a mode of another API is dropped': {
    eventName: 'BeforeToolSelection',
    printed: { hookSpecificOutput: { toolConfig: { mode: 'none' } } },
    output: { hookSpecificOutput: {} },
    warnings: ['wrong_type'],
  },
  'a field of another event has no effect': {
    eventName: 'AfterTool',
    printed: { hookSpecificOutput: { tool_input: { a: 1 }, additionalContext: 'c' } },
    output: { hookSpecificOutput: { additionalContext: 'c' } },
    warnings: ['no_effect'],
  },
  'a wrong event name is said, and kept': {
    printed: { decision: 'deny', hookSpecificOutput: { hookEventName: 'PreToolUse' } },
    output: { decision: 'deny', hookSpecificOutput: { hookEventName: 'PreToolUse' } },
    warnings: ['wrong_event'],
  },
  'the right event name is not worth a word': {
    printed: { hookSpecificOutput: { hookEventName: 'BeforeTool' } },
    output: { hookSpecificOutput: { hookEventName: 'BeforeTool' } },
  },
  'a known field in other letters passes, and the right name is said': {
    printed: { Decision: 'deny', stop_reason: 's', hookSpecificOutput: { PermissionDecision: 'deny', toolInput: { a: 1 } } },
    output: { Decision: 'deny', stop_reason: 's', hookSpecificOutput: { PermissionDecision: 'deny', toolInput: { a: 1 } } },
    warnings: ['other_spelling', 'other_spelling', 'other_spelling', 'other_spelling'],
  },
  'hookSpecificOutput in other letters is one such field, whatever is in it': {
    printed: { hook_specific_output: { permissionDecision: 'deny' } },
    output: { hook_specific_output: { permissionDecision: 'deny' } },
    warnings: ['other_spelling'],
  },
  'names that are merely similar pass': { printed: { decisions: [], revision: 1 }, output: { decisions: [], revision: 1 } },
  'model data in the older shape is converted before it is checked': {
    eventName: 'BeforeModel',
    printed: { hookSpecificOutput: { llm_request: { contents: [{ role: 'user', parts: ['hi'] }] } } },
    output: { hookSpecificOutput: { llm_request: { messages: [{ role: 'user', content: 'hi' }] } } },
  },
};

test.each(Object.entries(cases))('%s (decision 7)', (_, { eventName = 'BeforeTool', printed, output, warnings = [] }) => {
  const read = knownFields(printed, eventName);
  expect(read.output).toEqual(output);
  expect(codesOf(read.warnings)).toEqual(warnings);
});

test.each(['updatedInput', 'updatedToolOutput', 'replacedPrompt', 'retryAfterMs', 'skipRemaining', 'userMessage'])(
  '%s is a field that only adapters set: printed, it is dropped',
  (field) => {
    const read = knownFields({ hookSpecificOutput: { [field]: 'x' } }, 'BeforeTool');
    expect(read.output).toEqual({ hookSpecificOutput: {} });
    expect(codesOf(read.warnings)).toEqual(['reserved_field']);
  },
);

test('names of Object.prototype are fields like others, and __proto__ never becomes a prototype', () => {
  const text = '{"__proto__":{"decision":"allow"},"toString":1,"hookSpecificOutput":{"__proto__":{"tool_input":{}},"constructor":2}}';
  const { output, warnings } = knownFields(JSON.parse(text), 'BeforeTool');
  expect(JSON.stringify(output)).toBe(text);
  expect(output.decision).toBeUndefined();
  expect(output.hookSpecificOutput?.['tool_input']).toBeUndefined();
  expect(warnings).toEqual([]);
});

test.each(['1e999', '-1e999', '[[1e999]]', '{"a":{"b":[0,1e999]}}'])(
  'a number that JSON.parse takes for infinite is not a number for other readers of JSON: %s is dropped with a warning',
  (number) => {
    const text = `{"decision":"deny","note":${number},"kept":1.5,"hookSpecificOutput":{"tool_input":{"a":${number}},"note":${number}}}`;
    const { output, warnings } = knownFields(JSON.parse(text), 'BeforeTool');
    expect(output).toEqual({ decision: 'deny', kept: 1.5, hookSpecificOutput: {} });
    expect(warnings.map(({ code, message }) => [code, message.split(' ')[0]])).toEqual([
      ['wrong_type', 'note'],
      ['wrong_type', 'hookSpecificOutput.tool_input'],
      ['wrong_type', 'hookSpecificOutput.note'],
    ]);
    expect(warnings[0]?.message).toContain('a number that is too large');
  },
);

test('a warning shows the value, on one line and bounded', () => {
  const { warnings } = knownFields({ decision: 'x'.repeat(1000) }, 'BeforeTool');
  expect(warnings[0]?.message).toMatch(/^decision has an invalid value: "x+…/);
  expect(warnings[0]?.message.length).toBeLessThan(200);
});

test('of unknown fields the first thousand pass, and known ones count wherever they stand', () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, index]));
  const printed = { ...many, decision: 'deny', hookSpecificOutput: { ...many, tool_input: { a: 1 } }, reason: 'no' };
  const { output, warnings } = knownFields(printed, 'BeforeTool');
  expect(output).toMatchObject({
    decision: 'deny',
    reason: 'no',
    k0: 0,
    k999: 999,
    hookSpecificOutput: { tool_input: { a: 1 }, k999: 999 },
  });
  expect(Object.keys(output)).toHaveLength(1003);
  expect(Object.keys(output.hookSpecificOutput ?? {})).toHaveLength(1001);
  expect(warnings).toEqual([
    { code: 'too_many_fields', message: expect.stringContaining('5000') },
    { code: 'too_many_fields', message: expect.stringContaining('hookSpecificOutput') },
  ]);
});

test('unknown fields that are dropped for another reason are counted, too, and known fields are not', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 300; level += 1) deep = [deep];
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`k${index}`, deep]));
  const { output, warnings } = knownFields({ ...many, last: 1, decision: 'deny' }, 'BeforeTool');
  expect(output).toEqual({ decision: 'deny' });
  expect(codesOf(warnings).filter((code) => code === 'too_many_fields')).toHaveLength(1);
});

test('a field in other letters is shown with the name that was meant', () => {
  const { warnings } = knownFields({ DECISION: 'deny', hookSpecificOutput: { ToolInput: {} } }, 'BeforeTool');
  expect(warnings.map((warning) => warning.message)).toEqual([
    expect.stringMatching(/"DECISION".*"decision"/),
    expect.stringMatching(/hookSpecificOutput.*"ToolInput".*"tool_input"/),
  ]);
});

test('256 levels are passed on, and 257 are not', () => {
  const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;
  const { output, warnings } = knownFields({ deep: nested(256), deeper: nested(257) }, 'BeforeTool');
  expect(Object.keys(output)).toEqual(['deep']);
  expect(codesOf(warnings)).toEqual(['too_deep']);
});
