import { MessageBus } from '../../src/index.js';
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
