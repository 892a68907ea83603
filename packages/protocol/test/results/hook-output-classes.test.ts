import { hookEventNames } from '../../src/events/event-catalogue.js';
import type { HookOutput } from '../../src/results/hook-output.js';
import {
  AfterModelHookOutput,
  BeforeModelHookOutput,
  BeforeToolHookOutput,
  BeforeToolSelectionHookOutput,
  createHookOutput,
  DefaultHookOutput,
} from '../../src/results/hook-output-classes.js';

const blocking: Record<string, [HookOutput, boolean]> = {
  'deny blocks': [{ decision: 'deny' }, true],
  'block blocks': [{ decision: 'block' }, true],
  'ask does not block by itself': [{ decision: 'ask' }, false],
  'allow does not block': [{ decision: 'allow' }, false],
  'no decision does not block': [{}, false],
  'a stop is not a block': [{ continue: false }, false],
};

test.each(Object.entries(blocking))('%s', (_, [data, expected]) => {
  expect(new DefaultHookOutput(data).isBlockingDecision()).toBe(expected);
});

test('only continue: false stops', () => {
  expect(new DefaultHookOutput({ continue: false }).shouldStopExecution()).toBe(true);
  expect(new DefaultHookOutput({ continue: true }).shouldStopExecution()).toBe(false);
  expect(new DefaultHookOutput().shouldStopExecution()).toBe(false);
});

const reasons: Record<string, [HookOutput, string]> = {
  'the stop reason when it stops': [{ continue: false, stopReason: 's', reason: 'r' }, 's'],
  'the reason when it stops without a stop reason': [{ continue: false, reason: 'r' }, 'r'],
  'the reason when it does not stop, whatever the stop reason': [{ stopReason: 's', reason: 'r' }, 'r'],
  'an empty text without a reason': [{ stopReason: 's' }, ''],
};

test.each(Object.entries(reasons))('the effective reason is %s', (_, [data, expected]) => {
  expect(new DefaultHookOutput(data).getEffectiveReason()).toBe(expected);
});

test('the blocking error carries the reason, and only where it blocks', () => {
  expect(new DefaultHookOutput({ decision: 'deny', reason: 'no' }).getBlockingError()).toEqual({ blocked: true, reason: 'no' });
  expect(new DefaultHookOutput({ decision: 'ask', reason: 'sure?' }).getBlockingError()).toEqual({ blocked: false, reason: '' });
});

test('additional context is a text or nothing', () => {
  expect(new DefaultHookOutput({ hookSpecificOutput: { additionalContext: 'c' } }).getAdditionalContext()).toBe('c');
  expect(new DefaultHookOutput({ hookSpecificOutput: { additionalContext: 5 } }).getAdditionalContext()).toBeUndefined();
  expect(new DefaultHookOutput().getAdditionalContext()).toBeUndefined();
});

test('an instance is its own plain form: its fields are own, enumerable and those that were given', () => {
  const data = { decision: 'deny', reason: 'no', custom: { deep: [1] }, hookSpecificOutput: { tool_input: { a: 1 } } } as const;
  const output = createHookOutput('BeforeTool', data);
  expect(Object.keys(output)).toEqual(Object.keys(data));
  expect(JSON.parse(JSON.stringify(output))).toEqual(data);
  expect({ ...output }).toEqual(data);
  expect(Object.keys(new DefaultHookOutput())).toEqual([]);
  expect(Object.keys(new DefaultHookOutput({ reason: undefined } as unknown as HookOutput))).toEqual([]);
});

test('a printed __proto__ is a field and no prototype', () => {
  const output = new DefaultHookOutput(JSON.parse('{"__proto__":{"decision":"allow"}}'));
  expect(output.decision).toBeUndefined();
  expect(output).toBeInstanceOf(DefaultHookOutput);
});

test('each event has its class', () => {
  const classes = Object.fromEntries(hookEventNames.map((eventName) => [eventName, createHookOutput(eventName, {}).constructor]));
  expect(classes).toMatchObject({
    BeforeTool: BeforeToolHookOutput,
    PermissionRequest: BeforeToolHookOutput,
    BeforeModel: BeforeModelHookOutput,
    BeforeToolSelection: BeforeToolSelectionHookOutput,
    AfterModel: AfterModelHookOutput,
    AfterTool: DefaultHookOutput,
    HostEnd: DefaultHookOutput,
  });
});

test('BeforeTool: the modified input', () => {
  expect(new BeforeToolHookOutput({ hookSpecificOutput: { tool_input: { a: 1 } } }).getModifiedToolInput()).toEqual({ a: 1 });
  expect(new BeforeToolHookOutput().getModifiedToolInput()).toBeUndefined();
});

test('BeforeModel: the synthetic response, and the request with what was returned', () => {
  const output = new BeforeModelHookOutput({
    hookSpecificOutput: { llm_response: { text: 'x' }, llm_request: { model: 'm-2', config: { topP: 1 } } },
  });
  expect(output.getSyntheticResponse()).toEqual({ text: 'x' });
  const target = { model: 'm-1', messages: [], config: { temperature: 0 } };
  expect(output.applyLLMRequestModifications(target)).toEqual({ model: 'm-2', messages: [], config: { temperature: 0, topP: 1 } });
  expect(target).toEqual({ model: 'm-1', messages: [], config: { temperature: 0 } });
  expect(new BeforeModelHookOutput().applyLLMRequestModifications(target)).toBe(target);
  expect(new BeforeModelHookOutput().getSyntheticResponse()).toBeUndefined();
});

test('BeforeToolSelection: the tool config beside the tools', () => {
  const target = { toolConfig: { mode: 'AUTO' as const, allowedFunctionNames: ['a'] }, tools: ['a', 'b'] };
  const output = new BeforeToolSelectionHookOutput({ hookSpecificOutput: { toolConfig: { mode: 'NONE', allowedFunctionNames: [] } } });
  expect(output.applyToolConfigModifications(target)).toEqual({
    toolConfig: { mode: 'NONE', allowedFunctionNames: [] },
    tools: ['a', 'b'],
  });
  expect(new BeforeToolSelectionHookOutput().applyToolConfigModifications(target)).toBe(target);
});

test('AfterModel: the modified response', () => {
  expect(new AfterModelHookOutput({ hookSpecificOutput: { llm_response: { text: 'x' } } }).getModifiedResponse()).toEqual({ text: 'x' });
  expect(new AfterModelHookOutput().getModifiedResponse()).toBeUndefined();
});

test('getField reads what a hook printed, and nothing that objects inherit', () => {
  const printed = { theirs: 1, hookSpecificOutput: { theirs: { deep: 2 } } };
  const output = createHookOutput('BeforeTool', printed);
  expect(output.getField('theirs')).toBe(1);
  expect(output.getField('hookSpecificOutput', 'theirs', 'deep')).toBe(2);
  for (const path of [['other'], ['theirs', 'deep'], ['toString'], ['getField'], ['__proto__']] as [string][]) {
    expect(output.getField(...path)).toBeUndefined();
  }
});
