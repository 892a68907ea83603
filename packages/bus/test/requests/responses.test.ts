import { BeforeToolHookOutput, type HookOutcome } from '@tenterhook/protocol';
import { MessageBus } from '../../src/index.js';
import { createFailedResult, readOutcomes, restoreResult } from '../../src/requests/responses.js';
import { request } from '../watch.js';

class Output {
  readonly list = [{ a: 1 }];

  get first() {
    return this.list[0];
  }
}

test('responses are frozen all the way down, and class instances keep their class', async () => {
  const bus = new MessageBus();
  bus.respond('HOOK_EXECUTION_REQUEST', async () => ({ success: true, output: { finalOutput: new Output() } as never }));
  const seen: unknown[] = [];
  bus.subscribe('HOOK_EXECUTION_RESPONSE', (message) => seen.push(message, message.payload));
  const { output } = (await bus.request('HOOK_EXECUTION_REQUEST', request)) as unknown as { output: { finalOutput: Output } };
  expect(output.finalOutput).toBeInstanceOf(Output);
  const all = [...seen, output, output.finalOutput, output.finalOutput.list, output.finalOutput.first];
  expect(all.map((value) => Object.isFrozen(value))).toEqual(all.map(() => true));
});

test('errors of responses are frozen too, and what anybody publishes as a response', async () => {
  const bus = new MessageBus();
  const { error } = await bus.request('HOOK_EXECUTION_REQUEST', request);
  expect(Object.isFrozen(error)).toBe(true);
  const payload = { correlationId: 'a', success: true, output: { nested: {} } };
  bus.publish({ type: 'HOOK_HANDLER_RESULT', payload });
  expect(Object.isFrozen(payload.output.nested)).toBe(true);
});

test('requests are not frozen', async () => {
  const bus = new MessageBus();
  const payload = { ...request, correlationId: 'a' };
  bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload });
  expect(Object.isFrozen(payload)).toBe(false);
});

const error = { code: 'timeout' as const, message: 'late' };
const outcome: HookOutcome = {
  hookId: 'h',
  eventName: 'BeforeTool',
  source: 'user',
  dialect: 'fake',
  status: 'cancelled',
  durationMs: 0,
  warnings: [],
};

test('a failed request has its code and, where nothing else is known, no opinion', () => {
  expect(createFailedResult({ ...error, details: { outcomes: [outcome] } }, 7)).toEqual({
    success: false,
    verdict: { kind: 'none', stop: false, by: [], stoppedBy: [] },
    changes: [],
    allOutputs: [],
    outcomes: [],
    errors: [error],
    totalDuration: 7,
  });
});

test('what the caller knows of the outcomes so far is in the result', () => {
  const known = { verdict: { kind: 'deny' as const, stop: false, by: ['h'], stoppedBy: [] }, outcomes: [outcome] };
  expect(createFailedResult(error, 7, known)).toMatchObject(known);
});

test('outcomes are read only where every one is an outcome', () => {
  expect(readOutcomes({ details: { outcomes: [outcome] } })).toEqual([outcome]);
  for (const outcomes of [[outcome, { hookId: 5 }], 'x', undefined]) expect(readOutcomes({ details: { outcomes } })).toBeUndefined();
  expect(readOutcomes({})).toBeUndefined();
});

test('a plain output gets its class back; an instance and a result without output stay the same object', () => {
  const plain = { ...createFailedResult(error, 7), finalOutput: { decision: 'deny' as const } };
  const restored = restoreResult('BeforeTool', plain as never);
  expect(restored.finalOutput).toBeInstanceOf(BeforeToolHookOutput);
  expect(restoreResult('BeforeTool', restored)).toBe(restored);
  const without = createFailedResult(error, 7);
  expect(restoreResult('BeforeTool', without)).toBe(without);
});
