import {
  channelPayloadSchemas,
  exchanges,
  isRequestChannel,
  messagesJsonSchema,
  routeOf,
  routingFieldOf,
} from '../../src/messages/channels.js';

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

test('what is asked and what answers are channels', () => {
  const channels = Object.keys(channelPayloadSchemas);
  for (const [channel, { response, progress, cancel }] of Object.entries(exchanges))
    expect(channels).toEqual(expect.arrayContaining([channel, response, progress, cancel]));
  expect(isRequestChannel('HOOK_EXECUTION_REQUEST')).toBe(true);
  expect(isRequestChannel('HOOK_EXECUTION_RESPONSE')).toBe(false);
  expect(isRequestChannel('toString')).toBe(false);
});

test('a routed channel names the field that says who is to answer, and the payloads of the channel have it', () => {
  expect(routingFieldOf('HOOK_HANDLER_CALL')).toBe('engineId');
  expect(Object.keys(channelPayloadSchemas.HOOK_HANDLER_CALL.shape)).toContain('engineId');
  expect(['HOOK_EXECUTION_REQUEST', 'HOOK_HANDLER_RESULT', 'toString'].map(routingFieldOf)).toEqual([undefined, undefined, undefined]);
});

test.each<[string, unknown, string | undefined]>([
  ['HOOK_HANDLER_CALL', { engineId: 'a' }, 'a'],
  ['HOOK_HANDLER_CALL', { engineId: '' }, ''],
  ['HOOK_HANDLER_CALL', { engineId: 5 }, ''],
  ['HOOK_HANDLER_CALL', {}, ''],
  ['HOOK_HANDLER_CALL', null, ''],
  ['HOOK_EXECUTION_REQUEST', { engineId: 'a' }, undefined],
  ['HOOK_HANDLER_ANNOUNCE', { engineId: 'a' }, undefined],
])('the route of %s with the payload %j is %j', (type, payload, route) => {
  expect(routeOf({ type, payload })).toBe(route);
});

test('an engine says with its hooks who it is and how its matchers read events, or asks who is there', () => {
  const announce = channelPayloadSchemas.HOOK_HANDLER_ANNOUNCE;
  const full = { engineId: 'e', name: 'guards', hooks: [{ id: 'h', anything: 1 }], pathFields: ['path'], shellTools: ['shell'] };
  expect(announce.parse(full)).toEqual(full);
  expect(announce.safeParse({ engineId: 'e', hooks: [], query: true }).success).toBe(true);
  expect(announce.safeParse({ engineId: 'e', hooks: [], name: 1 }).success).toBe(false);
});

test('the JSON Schema has every channel', () => {
  const variants = (messagesJsonSchema()['anyOf'] ?? messagesJsonSchema()['oneOf']) as { properties: { type: { const: string } } }[];
  expect(variants.map((variant) => variant.properties.type.const)).toEqual(Object.keys(channelPayloadSchemas));
});
