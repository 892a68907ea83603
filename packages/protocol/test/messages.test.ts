import { messagesJsonSchema } from '../src/json-schema.js';
import { channelPayloadSchemas, exchanges, isRequestChannel } from '../src/messages.js';

const response = channelPayloadSchemas.HOOK_EXECUTION_RESPONSE;

test('a request may come without a correlation id, and with no empty one', () => {
  const request = channelPayloadSchemas.HOOK_EXECUTION_REQUEST;
  expect(request.safeParse({ eventName: 'BeforeTool', input: {} }).success).toBe(true);
  expect(request.safeParse({ correlationId: '', eventName: 'BeforeTool', input: {} }).success).toBe(false);
  expect(request.safeParse({ eventName: 'BeforeTool', input: [] }).success).toBe(false);
});

test('an error of a response has one of the documented codes', () => {
  const failed = { correlationId: 'c', success: false, error: { code: 'timeout', message: 'm', details: { outcomes: [] } } };
  expect(response.parse(failed)).toEqual(failed);
  expect(response.safeParse({ ...failed, error: { code: 'oops', message: 'm' } }).success).toBe(false);
});

test('progress messages never carry what a hook printed', () => {
  const outcome = {
    hookId: 'h',
    eventName: 'BeforeTool',
    source: 'user',
    dialect: 'llxprt',
    status: 'succeeded',
    durationMs: 1,
    warnings: [],
  };
  const message = { kind: 'hook-finished', correlationId: 'c', eventName: 'BeforeTool', elapsedMs: 1, hookId: 'h' };
  const parsed = channelPayloadSchemas.HOOK_EXECUTION_PROGRESS.parse({
    ...message,
    outcome: { ...outcome, stdout: 'secret', stderr: 'secret', output: {} },
  });
  expect(parsed).toEqual({ ...message, outcome });
});

test('what is asked and what answers are channels', () => {
  const channels = Object.keys(channelPayloadSchemas);
  for (const [channel, exchange] of Object.entries(exchanges))
    expect(channels).toEqual(expect.arrayContaining([channel, ...Object.values(exchange)]));
  expect(isRequestChannel('HOOK_EXECUTION_REQUEST')).toBe(true);
  expect(isRequestChannel('HOOK_EXECUTION_RESPONSE')).toBe(false);
  expect(isRequestChannel('toString')).toBe(false);
});

test('the JSON Schema has every channel', () => {
  const variants = (messagesJsonSchema()['anyOf'] ?? messagesJsonSchema()['oneOf']) as { properties: { type: { const: string } } }[];
  expect(variants.map((variant) => variant.properties.type.const)).toEqual(Object.keys(channelPayloadSchemas));
});
