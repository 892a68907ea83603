import type { BeforeModelHookOutput } from '@tenterhook/protocol';
import { fireEvent, outcomeAt, says, settingsOf, warningCodes, withHooks } from '../support/fire-hooks.js';

const specific = (hookSpecificOutput: Record<string, unknown>) => says({ hookSpecificOutput });
const request = { model: 'm-1', messages: [{ role: 'user', content: 'hello' }], config: { maxOutputTokens: 800 } };
const fireModel = (hooks: string[]) => fireEvent('BeforeModel', { llm_request: request }, hooks);

test('35. config is merged key by key, and of one key the last hook in plan order counts', async () => {
  const config = (values: Record<string, unknown>) => specific({ llm_request: { config: values } });
  const result = await fireModel([config({ temperature: 0 }), config({ temperature: 1 }), config({ topP: 0.5 })]);
  expect(result.finalOutput?.hookSpecificOutput?.['llm_request']).toEqual({
    ...request,
    config: { maxOutputTokens: 800, temperature: 1, topP: 0.5 },
  });
  expect(result.outcomes.map(warningCodes)).toEqual([[], ['rewrite_conflict'], []]);
});

test('36. an llm_response alone is a response in place of the call, and no deny', async () => {
  const result = await fireModel([specific({ llm_response: { text: 'cached' } })]);
  expect((result.finalOutput as BeforeModelHookOutput).getSyntheticResponse()).toEqual({ text: 'cached' });
  expect(result.verdict.kind).toBe('none');
});

test('36. a deny without an llm_response has none', async () => {
  const result = await fireModel([says({ decision: 'deny', reason: 'no' })]);
  expect((result.finalOutput as BeforeModelHookOutput).getSyntheticResponse()).toBeUndefined();
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
});

test('37. contents with text parts are read as messages, and the rest of the request stays', async () => {
  const contents = [{ role: 'user', parts: [{ text: 'hello ' }, { text: 'there' }] }];
  const result = await fireModel([specific({ llm_request: { contents } })]);
  expect(outcomeAt(result, 0).warnings).toEqual([]);
  expect(result.finalOutput?.hookSpecificOutput?.['llm_request']).toEqual({
    ...request,
    messages: [{ role: 'user', content: 'hello there' }],
  });
});

test('38. BeforeToolSelection unites the names of all hooks', async () => {
  const names = (...allowedFunctionNames: string[]) => specific({ toolConfig: { allowedFunctionNames } });
  const result = await fireEvent('BeforeToolSelection', { llm_request: request }, [names('b', 'a'), names('c')]);
  expect(result.finalOutput?.hookSpecificOutput?.['toolConfig']).toMatchObject({ allowedFunctionNames: ['a', 'b', 'c'] });
});

test('38. BeforeToolSelection: one NONE wins and empties the list', async () => {
  const hooks = [specific({ toolConfig: { mode: 'NONE' } }), specific({ toolConfig: { mode: 'ANY', allowedFunctionNames: ['a'] } })];
  const result = await fireEvent('BeforeToolSelection', { llm_request: request }, hooks);
  expect(result.finalOutput?.hookSpecificOutput?.['toolConfig']).toEqual({ mode: 'NONE', allowedFunctionNames: [] });
});

test('39. an AfterTool block is a deny with its reason, and leaves the result of the tool as it is', async () => {
  const input = { tool_name: 'write_file', tool_input: {}, tool_response: { llmContent: 'done' } };
  const result = await fireEvent('AfterTool', input, [says({ decision: 'block', reason: 'r' })]);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'r' });
  expect(result.changes).toEqual([]);
  expect(result.finalOutput?.hookSpecificOutput).toBeUndefined();
});

test('39. an AfterAgent deny is a deny, and hooks are told that one is active', async () => {
  const hook = `grep -q '"stop_hook_active":true' || ${says({ decision: 'deny', reason: 'go on' })}`;
  await withHooks({ settings: settingsOf('AfterAgent', [hook]) }, async ({ handler }) => {
    expect((await handler.fireAfterAgentEvent('p', 'r')).verdict).toMatchObject({ kind: 'deny', reason: 'go on' });
    expect((await handler.fireAfterAgentEvent('p', 'r', true)).verdict.kind).toBe('none');
  });
});
