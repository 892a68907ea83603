import { type AggregatedHookResult, createHookOutput, type HookOutput } from '@tenterhook/protocol';
import { contextOf, messagesOf } from '../../src/client/hook-messages.js';

function resultOf(output: HookOutput | undefined, fields: Partial<AggregatedHookResult> = {}): AggregatedHookResult {
  return {
    success: true,
    ...(output === undefined ? {} : { finalOutput: createHookOutput('BeforeTool', output) }),
    verdict: { kind: 'none', stop: false, by: [], stoppedBy: [] },
    changes: [],
    allOutputs: [],
    outcomes: [],
    errors: [],
    totalDuration: 0,
    ...fields,
  };
}

test('nothing was said by nobody', () => {
  expect(messagesOf([])).toEqual({ systemMessages: [], userMessages: [], suppressOutput: false });
  expect(messagesOf([undefined, resultOf(undefined), resultOf({})])).toEqual(messagesOf([]));
  expect(contextOf([undefined, resultOf(undefined), resultOf({})])).toEqual([]);
});

test('an entry an event, each text to those it is meant for (decision 65)', () => {
  const results = [
    resultOf({ systemMessage: 's1', hookSpecificOutput: { userMessage: 'u1', additionalContext: 'c1' } }),
    resultOf({ reason: 'r', stopReason: 'sr', systemMessage: '', hookSpecificOutput: { userMessage: 7, additionalContext: '' } }),
    resultOf({ systemMessage: 's2\ns3', suppressOutput: true, hookSpecificOutput: { additionalContext: 'c2' } }),
  ];
  expect(messagesOf(results)).toEqual({ systemMessages: ['s1', 's2\ns3'], userMessages: ['u1'], suppressOutput: true });
  expect(contextOf(results)).toEqual(['<hook_context>\nc1\n</hook_context>', '<hook_context>\nc2\n</hook_context>']);
});

test('context that is white space alone, or no text, is none', () => {
  const contexts = [' \n', '\t', 7, null].map((additionalContext) => resultOf({ hookSpecificOutput: { additionalContext } }));
  expect(contextOf(contexts)).toEqual([]);
});

test('that hooks could not be asked is told to the user alone, unless he ended it himself', () => {
  const failed = resultOf(undefined, { success: false, errors: [{ code: 'overloaded', message: 'Too much.' }] });
  expect(messagesOf([failed])).toMatchObject({
    systemMessages: [],
    userMessages: [expect.stringMatching(/overloaded.*Too much\./)],
  });
  expect(messagesOf([failed], new AbortController().signal).userMessages).toHaveLength(1);
  expect(messagesOf([failed], AbortSignal.abort()).userMessages).toEqual([]);
});

test('what went wrong inside a hook stays in the result', () => {
  const unhealthy = resultOf({}, { success: false, errors: [{ code: 'exit_code', message: 'm', hookId: 'h' }] });
  expect(messagesOf([unhealthy]).userMessages).toEqual([]);
});
