import { parseMessage } from '../src/index.js';

test.each<[string, unknown]>([
  ['a request', { type: 'HOOK_EXECUTION_REQUEST', payload: { correlationId: 'a', eventName: 'BeforeTool', input: {} } }],
  ['a malformed request, which the bus answers', { type: 'HOOK_EXECUTION_REQUEST', payload: { correlationId: 5 } }],
  ['a request without payload', { type: 'HOOK_HANDLER_CALL', payload: undefined }],
  ['a response', { type: 'HOOK_EXECUTION_RESPONSE', payload: { correlationId: 'a', success: true } }],
  ['a field that a newer peer knows', { type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'a', since: 1 } }],
])('%s is a message', (_, value) => {
  expect(parseMessage(value)).toEqual(value);
});

const unknownCode = { correlationId: 'a', success: false, error: { code: 'x', message: '' } };

test.each<[string, unknown, string]>([
  ['no object', 'hello', 'a message must be an object, and is "hello"'],
  ['null', null, 'a message must be an object, and is null'],
  ['a list', [], 'a message must be an object, and is an array'],
  ['no type', {}, 'is undefined'],
  ['an unknown type', { type: 'HOOK', payload: {} }, 'is "HOOK"'],
  ['a name every object has', { type: 'constructor', payload: {} }, 'is "constructor"'],
  [
    'a response without id',
    { type: 'HOOK_EXECUTION_RESPONSE', payload: { success: true } },
    'HOOK_EXECUTION_RESPONSE: payload.correlationId: ',
  ],
  ['a cancel of a number', { type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 5 } }, 'payload.correlationId: '],
  ['progress without payload', { type: 'HOOK_EXECUTION_PROGRESS' }, 'HOOK_EXECUTION_PROGRESS: payload: '],
  ['an unknown error code', { type: 'HOOK_EXECUTION_RESPONSE', payload: unknownCode }, 'payload.error.code: '],
])('%s is a problem', (_, value, problem) => {
  expect(parseMessage(value)).toEqual({ problem: expect.stringContaining(problem) });
});

test('what is beside type and payload is left behind', () => {
  const message = { type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'a' } };
  expect(parseMessage({ ...message, trace: 'x' })).toEqual(message);
});

test('a response that is nested too deeply is a problem', () => {
  const depth = 200_000;
  const details = JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
  const payload = { correlationId: 'a', success: false, error: { code: 'timeout', message: '', details } };
  expect(parseMessage({ type: 'HOOK_EXECUTION_RESPONSE', payload })).toEqual({
    problem: 'HOOK_EXECUTION_RESPONSE: it is nested too deeply',
  });
});

test('a response is frozen, like one of this process', () => {
  const payload = { correlationId: 'a', success: false, error: { code: 'timeout', message: '' } };
  expect(parseMessage({ type: 'HOOK_EXECUTION_RESPONSE', payload })).toEqual({ type: 'HOOK_EXECUTION_RESPONSE', payload });
  expect([payload, payload.error].map((part) => Object.isFrozen(part))).toEqual([true, true]);
});
