import { type Candidate, FinishReason, type GenerateContentParameters, GenerateContentResponse, type Part } from '@google/genai';
import type { LLMResponse } from '@tenterhook/protocol';
import { genAiTranslator } from '../../../src/translators/genai/translator.js';
import { frozen } from '../freeze.js';

const translator = genAiTranslator<GenerateContentParameters, GenerateContentResponse>();
const textOnly = { replacesCandidates: false };
const replaced = { replacesCandidates: true };

const thought: Part = { text: 'hm', thought: true };
const call: Part = { functionCall: { id: 'c1', name: 'read', args: { path: 'a' } }, thoughtSignature: 's' };
const ratings = [{ category: 'c', probability: 'LOW', blocked: false, severityScore: 0.1 }] as never;

/** Of the SDK's own class, as the SDK makes it. */
function responseOf(...candidates: Candidate[]): GenerateContentResponse {
  const response = Object.assign(new GenerateContentResponse(), {
    responseId: 'r1',
    modelVersion: 'm-1',
    candidates,
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 9, thoughtsTokenCount: 4 },
  });
  return frozen(response);
}

const first: Candidate = {
  content: { role: 'model', parts: [thought, { text: 'reading' }, call] },
  finishReason: FinishReason.STOP,
  safetyRatings: ratings,
  tokenCount: 2,
};
const response = responseOf(first);

const candidate = (parts: unknown[], fields: object = {}) => ({ content: { role: 'model', parts }, ...fields });
const from = (changed: object, change = replaced, original = response) =>
  translator.fromHookResponse(frozen(changed) as LLMResponse, original, change);
const synthetic = (changed: object) => translator.fromHookResponse(frozen(changed) as LLMResponse, undefined, replaced);

test('what hooks see: texts, safety ratings without `blocked`, the three counts', () => {
  expect(translator.toHookResponse(response)).toEqual({
    text: 'reading',
    candidates: [candidate(['reading'], { finishReason: 'STOP', index: 0, safetyRatings: [{ category: 'c', probability: 'LOW' }] })],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 9 },
  });
  expect(translator.toHookResponse(responseOf({ content: { parts: [call] } }))).toMatchObject({
    candidates: [candidate([], { index: 0 })],
  });
  expect(translator.toHookResponse(new GenerateContentResponse())).toEqual({ candidates: [] });
});

test.each(Object.values(FinishReason))('finish reason %s is one of five, and stays what it was', (finishReason) => {
  const original = responseOf({ content: { role: 'model', parts: [{ text: 'hi' }] }, finishReason });
  const shown = translator.toHookResponse(original);
  const seen = shown.candidates?.[0]?.finishReason;
  if (finishReason === FinishReason.FINISH_REASON_UNSPECIFIED) expect(seen).toBeUndefined();
  else expect(['STOP', 'MAX_TOKENS', 'SAFETY', 'RECITATION', 'OTHER']).toContain(seen);
  for (const change of [textOnly, replaced]) expect(from(shown, change, original)).toBe(original);
});

test('what no hook changed is the very same object', () => {
  expect(from(translator.toHookResponse(response), textOnly)).toBe(response);
});

test("a text alone keeps thoughts, calls, ids and usage, and the response stays one of the SDK's class", () => {
  const written = from({ ...translator.toHookResponse(response), text: 'x' }, textOnly);
  expect(written).toBeInstanceOf(GenerateContentResponse);
  expect(written.functionCalls).toEqual([call.functionCall]);
  expect({ ...written }).toEqual({
    ...response,
    candidates: [{ ...first, content: { role: 'model', parts: [thought, { text: 'x' }, call] } }],
  });
  expect(from({ text: '' }, textOnly).candidates?.[0]?.content?.parts).toEqual([thought, call]);
  expect(from({ text: 'x' }, textOnly, responseOf({ content: { parts: [thought, { text: 'a' }, { text: 'b' }] } })).text).toBe('x');
});

test('a text for a response without any goes before the calls, or into a candidate of its own', () => {
  const silent = responseOf({ content: { role: 'model', parts: [thought, call] } });
  expect(from({ text: 'x' }, textOnly, silent).candidates?.[0]?.content?.parts).toEqual([thought, { text: 'x' }, call]);
  expect(from({ text: 'x' }, textOnly, responseOf()).text).toBe('x');
  expect(from({ text: 'x' }, textOnly, responseOf({})).text).toBe('x');
});

test('returned candidates replace: calls and thoughts that did not come back are gone', () => {
  const written = from({ candidates: [candidate(['x'], { finishReason: 'SAFETY' })] });
  expect({ ...written }).toEqual({
    ...response,
    candidates: [{ ...first, finishReason: 'SAFETY', content: { role: 'model', parts: [{ text: 'x' }] } }],
  });
  expect(written.functionCalls).toBeUndefined();
  expect(from({ candidates: [] }).candidates).toEqual([]);
});

test('a returned call is the one of the model where it says the same, signature included, and a new one otherwise', () => {
  const original = responseOf({ content: { role: 'model', parts: [{ text: 'reading' }, call] } });
  const returned = (args: object) => ({ candidates: [candidate(['reading', { functionCall: { name: 'read', args } }])] });
  expect(from(returned({ path: 'a' }), replaced, original)).toBe(original);
  expect(from(returned({ path: 'b' }), replaced, original).functionCalls).toEqual([{ name: 'read', args: { path: 'b' } }]);
});

test('candidates are distinguished by their index', () => {
  const [zero, one] = [
    { ...first, index: 0 },
    { content: { role: 'model', parts: [{ text: 'second' }] }, index: 1, tokenCount: 5 },
  ];
  const written = from({ candidates: [candidate(['x'], { index: 1 }), candidate(['y'], { index: 7 })] }, replaced, responseOf(zero, one));
  expect(written.candidates).toEqual([
    { ...one, content: { role: 'model', parts: [{ text: 'x' }] } },
    { content: { role: 'model', parts: [{ text: 'y' }] }, finishReason: 'STOP', index: 7 },
  ]);
});

test('safety ratings that a hook changed are taken over', () => {
  const safetyRatings = [{ category: 'c', probability: 'HIGH' }];
  expect(from({ candidates: [candidate(['x'], { safetyRatings })] }).candidates?.[0]?.safetyRatings).toEqual(safetyRatings);
});

test('a plain copy of a response does not go on saying what was', () => {
  const plain = frozen({ ...response, text: 'reading', functionCalls: [call.functionCall] }) as never;
  expect(from({ text: 'x' }, textOnly, plain)).toMatchObject({ text: 'x', functionCalls: [call.functionCall] });
  expect(from({ candidates: [candidate(['x'])] }, replaced, plain)).not.toHaveProperty('functionCalls');
});

test('a response without a model call has the getters that callers read', () => {
  const one = synthetic({ text: 'hi' });
  expect({ ...one }).toEqual({ candidates: [{ content: { role: 'model', parts: [{ text: 'hi' }] }, finishReason: 'STOP', index: 0 }] });
  expect(one.text).toBe('hi');
  expect(one.functionCalls).toBeUndefined();
  const calling = synthetic({
    candidates: [candidate([{ functionCall: { name: 'read', args: {} } }])],
    usageMetadata: { totalTokenCount: 4 },
  });
  expect(calling.text).toBeUndefined();
  expect(calling.functionCalls).toEqual([{ name: 'read', args: {} }]);
  expect(calling.usageMetadata).toEqual({ totalTokenCount: 4 });
  expect({ ...synthetic({}) }).toEqual({ candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP', index: 0 }] });
});

test('odd answers do not throw', () => {
  const parts = [null, 3, {}, { text: 4 }, { functionCall: { name: 4 } }, { functionCall: { name: 'f' } }, ''];
  for (const candidates of [null, 'x', [null, 3, {}, { content: null }, { content: { parts: 'x' } }, candidate(parts)]] as never[]) {
    for (const original of [response, {} as never]) expect(() => from({ candidates }, replaced, original)).not.toThrow();
    expect(() => synthetic({ candidates })).not.toThrow();
  }
});
