import { MessageBus } from '@tenterhook/bus';
import type { errorCodes, HookExecutionResponse } from '@tenterhook/protocol';
import type { RequestAnswer } from '../../src/service/answers.js';
import { type AnsweringSystem, HookService } from '../../src/service/hook-service.js';

const result = {
  success: true,
  verdict: { kind: 'none' as const, stop: false, by: [], stoppedBy: [] },
  changes: [],
  allOutputs: [],
  outcomes: [],
  errors: [],
  totalDuration: 0,
};

/** A bus with a service, and a system that answers as the test says. */
function service(answer: AnsweringSystem['answer'] = async () => ({ success: true, output: result }), maxInFlight?: number) {
  const bus = new MessageBus();
  const asked: { eventName: string; input: unknown }[] = [];
  const responses: HookExecutionResponse[] = [];
  let disposed = () => {};
  const system: AnsweringSystem = {
    answer: (eventName, input, control) => {
      asked.push({ eventName, input });
      return answer(eventName, input, control);
    },
    onDispose: (callback) => {
      disposed = callback;
    },
  };
  bus.subscribe('HOOK_EXECUTION_RESPONSE', (message) => responses.push(message.payload));
  const hookService = new HookService({ bus, system, ...(maxInFlight === undefined ? {} : { maxInFlight }) });
  return { bus, asked, responses, hookService, disposed: () => disposed() };
}

/** Publishes a payload as it might come from anywhere, and gives the one response to it. */
async function ask(payload: unknown) {
  const { bus, asked, responses } = service();
  bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload } as never);
  await new Promise(setImmediate);
  expect(responses).toHaveLength(1);
  await bus.close();
  expect(responses).toHaveLength(1);
  return { response: responses[0] as HookExecutionResponse, asked };
}

test("a good request is the system's, and its answer goes back under the id of the request", async () => {
  const { response, asked } = await ask({ correlationId: 'c1', eventName: 'BeforeTool', input: { tool_name: 't' } });
  expect(response).toEqual({ correlationId: 'c1', success: true, output: result });
  expect(asked).toEqual([{ eventName: 'BeforeTool', input: { tool_name: 't' } }]);
});

test('a request without an id gets one', async () => {
  expect((await ask({ eventName: 'BeforeTool', input: {} })).response).toMatchObject({
    success: true,
    correlationId: expect.stringMatching(/./),
  });
});

interface Malformed {
  readonly payload: unknown;
  readonly code: keyof typeof errorCodes;
  readonly says: string;
  readonly details?: Record<string, unknown>;
}

const issue = (path: string) => ({ issues: [{ path, message: expect.any(String) }] });
const malformed: Record<string, Malformed> = {
  'no payload': { payload: undefined, code: 'invalid_request', says: 'payload' },
  'a payload that is null': { payload: null, code: 'invalid_request', says: 'null' },
  'a payload that is a text': { payload: 'BeforeTool', code: 'invalid_request', says: 'payload' },
  'a payload that is a list': { payload: [], code: 'invalid_request', says: 'payload' },
  'no event name': {
    payload: { correlationId: 'c', input: {} },
    code: 'invalid_request',
    says: 'eventName must be a string, and is missing',
    details: issue('eventName'),
  },
  'an event name that is a number': {
    payload: { correlationId: 'c', eventName: 5, input: {} },
    code: 'invalid_request',
    says: 'a number',
    details: issue('eventName'),
  },
  'no input': {
    payload: { correlationId: 'c', eventName: 'BeforeTool' },
    code: 'invalid_request',
    says: 'input must be an object, and is missing',
    details: issue('input'),
  },
  'an input that is null': {
    payload: { correlationId: 'c', eventName: 'BeforeTool', input: null },
    code: 'invalid_request',
    says: 'null',
    details: issue('input'),
  },
  'an input that is a list': {
    payload: { correlationId: 'c', eventName: 'BeforeTool', input: [] },
    code: 'invalid_request',
    says: 'an array',
    details: issue('input'),
  },
  'an input that is a text': {
    payload: { correlationId: 'c', eventName: 'BeforeTool', input: '{}' },
    code: 'invalid_request',
    says: 'a string',
    details: issue('input'),
  },
  'an event name that is nearly one': {
    payload: { correlationId: 'c', eventName: 'BeforeTools', input: {} },
    code: 'unsupported_event',
    says: 'Did you mean "BeforeTool"?',
    details: { eventName: 'BeforeTools', nearest: 'BeforeTool' },
  },
  'an event name of another agent': {
    payload: { correlationId: 'c', eventName: 'UserPromptSubmit', input: {} },
    code: 'unsupported_event',
    says: 'The events are BeforeTool,',
    details: { eventName: 'UserPromptSubmit' },
  },
  'an event name of Object.prototype': {
    payload: { correlationId: 'c', eventName: 'constructor', input: {} },
    code: 'unsupported_event',
    says: 'constructor',
  },
};

test.each(Object.entries(malformed))('%s has one response, with a code and a message', async (_, { payload, code, says, details }) => {
  const { response, asked } = await ask(payload);
  expect(response).toMatchObject({
    success: false,
    error: { code, message: expect.stringContaining(says), ...(details === undefined ? {} : { details }) },
  });
  expect(response.correlationId).toMatch(/./);
  expect(response).not.toHaveProperty('output');
  expect(asked).toEqual([]);
});

test.each([5, '', null, {}, ['c']])(
  'the correlation id %j is refused under a generated one, and is in the details (field failure 79)',
  async (correlationId) => {
    const { response, asked } = await ask({ correlationId, eventName: 'BeforeTool', input: {} });
    expect(response).toMatchObject({ success: false, error: { code: 'invalid_request', details: { correlationId } } });
    expect(response.correlationId).not.toEqual(correlationId);
    expect(asked).toEqual([]);
  },
);

test('an id that is in flight is refused, and the first request goes on', async () => {
  let finish: (answer: RequestAnswer) => void = () => {};
  const { bus, responses } = service(
    () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
  );
  const payload = { correlationId: 'c', eventName: 'BeforeTool', input: {} };
  bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload });
  bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload });
  await new Promise(setImmediate);
  expect(responses).toMatchObject([{ success: false, error: { code: 'invalid_request' } }]);
  finish({ success: true, output: result });
  await new Promise(setImmediate);
  expect(responses.slice(1)).toEqual([{ correlationId: 'c', success: true, output: result }]);
  await bus.close();
});

test('a system that rejects is an internal error, as plain JSON', async () => {
  const { bus } = service(async () => {
    throw new Error('oops');
  });
  const response = await bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: { tool_name: 'ls', tool_input: {} } });
  expect(response).toMatchObject({ success: false, error: { code: 'internal_error', message: expect.stringContaining('oops') } });
  expect(JSON.parse(JSON.stringify(response))).toEqual(response);
  await bus.close();
});

test('one more than may be in flight is overloaded at once', async () => {
  const { bus } = service(() => new Promise(() => {}), 2);
  const request = () => bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: { tool_name: 'ls', tool_input: {} } });
  const waiting = [request(), request()];
  expect((await request()).error?.code).toBe('overloaded');
  await bus.close();
  for (const response of await Promise.all(waiting)) expect(response.error?.code).toBe('disposed');
});

test('the signal of a request aborts when it is cancelled', async () => {
  const { bus } = service(
    (_eventName, _input, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ success: false, error: { code: 'cancelled', message: String(signal.reason) } }));
      }),
  );
  const response = bus.request('HOOK_EXECUTION_REQUEST', {
    correlationId: 'c',
    eventName: 'BeforeTool',
    input: { tool_name: 'ls', tool_input: {} },
  });
  bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'c', reason: 'the user pressed Esc' } });
  expect((await response).error).toMatchObject({ code: 'cancelled', message: 'the user pressed Esc' });
  await bus.close();
});

test.each(['the service is disposed', 'the system is disposed'])('when %s, there is no responder, also the second time', async (who) => {
  const { bus, hookService, disposed } = service();
  for (const _ of [1, 2]) {
    if (who.startsWith('the service')) hookService.dispose();
    else disposed();
  }
  const response = await bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: { tool_name: 'ls', tool_input: {} } });
  expect(response.error?.code).toBe('no_responders');
  await bus.close();
});
