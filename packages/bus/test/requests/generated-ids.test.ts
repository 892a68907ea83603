import { MessageBus } from '../../src/message-bus.js';

test('a generated id is never one that a subscriber has foreseen and used', async () => {
  const bus = new MessageBus();
  const inputs = new Map<string, unknown[]>();
  const answers: (() => void)[] = [];
  bus.respond(
    'HOOK_EXECUTION_REQUEST',
    () => new Promise((resolve) => answers.push(() => resolve({ success: true, output: {} as never }))),
    {
      maxInFlight: 10,
    },
  );
  bus.subscribe('HOOK_EXECUTION_REQUEST', ({ payload: { correlationId, input } }) => {
    const id = String(correlationId);
    inputs.set(id, [...(inputs.get(id) ?? []), input]);
  });
  const request = (of: string) => ({ eventName: 'BeforeTool' as const, input: { tool_name: of, tool_input: {} } });
  const first = bus.request('HOOK_EXECUTION_REQUEST', request('first'));
  const [count, ...suffix] = String([...inputs.keys()][0]).split('-');
  for (const more of [1, 2]) {
    const correlationId = [Number(count) + more, ...suffix].join('-');
    bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: { correlationId, ...request('foreseen') } });
  }
  const last = bus.request('HOOK_EXECUTION_REQUEST', request('last'));
  expect([...inputs.values()]).toEqual(['first', 'foreseen', 'foreseen', 'last'].map((of) => [expect.objectContaining({ tool_name: of })]));
  for (const answer of answers) answer();
  expect([(await first).success, (await last).success]).toEqual([true, true]);
  await bus.close();
});
