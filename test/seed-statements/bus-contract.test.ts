import type { BusMessage, HookExecutionRequest, HookExecutionResponse } from '@tenterhook/protocol';
import { says, settingsOf, withHooks } from '../support/fire-hooks.js';
import { eventFields, transcriptPath } from './fired-events.js';

const payload: HookExecutionRequest = { correlationId: 'c-1', eventName: 'BeforeTool', input: eventFields.BeforeTool };

/** What a service answers to one message on the request channel, and how often; the hook denies and keeps what it read. */
async function exchange(request: Record<string, unknown>): Promise<{ responses: HookExecutionResponse[]; read: string | undefined }> {
  const settings = settingsOf('BeforeTool', [`cat > seen.json; ${says({ decision: 'deny', reason: 'no' })}`]);
  return withHooks({ settings, transcriptPath }, async ({ hooks, read }) => {
    const responses: HookExecutionResponse[] = [];
    const answered = new Promise<void>((resolve) => {
      hooks.bus.subscribe('HOOK_EXECUTION_RESPONSE', (message) => {
        responses.push(message.payload);
        resolve();
      });
    });
    hooks.bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: request } as BusMessage as never);
    await answered;
    return { responses, read: read('seen.json') };
  });
}

let carriedOut: Awaited<ReturnType<typeof exchange>>;
let refused: Awaited<ReturnType<typeof exchange>>;
beforeAll(async () => {
  [carriedOut, refused] = await Promise.all([exchange(payload), exchange({ ...payload, eventName: 'BeforeLunch' })]);
});

describe('a request', () => {
  test('HOOK_EXECUTION_REQUEST: on its channel runs the hooks', () => {
    expect(JSON.parse(carriedOut.read ?? '{}')).toMatchObject({ hook_event_name: 'BeforeTool' });
    expect(refused.read).toBeUndefined();
  });

  test('correlationId: has an id, which the answer repeats', async () => {
    const { responses } = await exchange({ ...payload, correlationId: 'another id' });
    expect(responses.map((response) => response.correlationId)).toEqual(['another id']);
  });

  test('eventName: names the event, and what is no event is refused', () => {
    expect(carriedOut.responses[0]?.output?.outcomes[0]?.eventName).toBe('BeforeTool');
    expect(refused.responses[0]?.error?.code).toBe('unsupported_event');
  });

  test('input: holds the fields of the event, which the hook reads', async () => {
    expect(JSON.parse(carriedOut.read ?? '{}')).toMatchObject(eventFields.BeforeTool);
    const { responses } = await exchange({ correlationId: 'c-3', eventName: 'BeforeTool' });
    expect(responses[0]?.error?.code).toBe('invalid_request');
  });
});

describe('an answer', () => {
  test('HOOK_EXECUTION_RESPONSE: goes out on its channel, one for each request', () => {
    expect(carriedOut.responses).toHaveLength(1);
    expect(refused.responses).toHaveLength(1);
  });

  test('correlationId: has the id of its request', () => {
    expect([carriedOut, refused].map(({ responses }) => responses[0]?.correlationId)).toEqual(['c-1', 'c-1']);
  });

  test('success: says whether the request was carried out, whatever the hooks decided', () => {
    expect([carriedOut, refused].map(({ responses }) => responses[0]?.success)).toEqual([true, false]);
  });

  test('output: is the aggregated result where it was', () => {
    expect(carriedOut.responses[0]?.output).toMatchObject({
      finalOutput: { decision: 'deny', reason: 'no' },
      allOutputs: [{ decision: 'deny', reason: 'no' }],
      errors: [],
      totalDuration: expect.any(Number),
    });
    expect(refused.responses[0]).not.toHaveProperty('output');
  });

  test('error: is there where it was not, and only there', () => {
    expect(carriedOut.responses[0]).not.toHaveProperty('error');
    expect(refused.responses[0]).toHaveProperty('error');
  });

  test.each<[code: string, sentence: string, request: Record<string, unknown>]>([
    ['unsupported_event', 'an event that is none', { ...payload, eventName: 'BeforeLunch' }],
    ['validation_failed', 'a field of the wrong type', { ...payload, input: { ...payload.input, tool_input: 'x' } }],
    ['invalid_request', 'an id that is no text', { ...payload, correlationId: 7 }],
  ])('is a stable code: %s for %s', async (code, _sentence, request) => {
    const { responses, read } = await exchange(request);
    expect(responses.map((response) => response.error?.code)).toEqual([code]);
    expect(read).toBeUndefined();
  });

  test('message: says what was wrong', () => {
    expect(refused.responses[0]?.error?.message).toContain('BeforeLunch');
  });
});
