import fc from 'fast-check';
import { MemoryTransport, MessageBus } from '../../src/index.js';
import { RequestTable } from '../../src/requests/request-table.js';
import { settled, watch } from '../watch.js';

test('ids are not repeated, within a table and between tables', () => {
  const tables = Array.from({ length: 100 }, () => RequestTable.on(new MemoryTransport()));
  const ids = tables.flatMap((table) => Array.from({ length: 100 }, () => table.nextId()));
  expect(new Set(ids).size).toBe(10_000);
});

const id = fc.constantFrom('a', 'b', 'c');
const anyId = fc.option(fc.oneof(id, id, fc.constant(''), fc.constant(7)), { nil: undefined });
const bus = fc.nat(1);
const operation = fc.oneof(
  fc.record({ kind: fc.constant('request' as const), id: anyId, bus }),
  fc.record({ kind: fc.constant('publish' as const), id: anyId, bus }),
  fc.record({ kind: fc.constant('malformed' as const), payload: fc.constantFrom(null, undefined, 'x', []), bus }),
  fc.record({ kind: fc.constant('cancel' as const), id, bus }),
  fc.record({ kind: fc.constant('answer' as const) }),
  fc.record({ kind: fc.constant('wait' as const) }),
);
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

/** Two buses on one transport, with responders that answer on command, or when they are cancelled. */
class Scene {
  readonly buses: readonly MessageBus[];
  readonly responses;
  readonly waiting: Promise<object>[] = [];
  asked = 0;
  readonly #answers: (() => void)[] = [];

  constructor(responders: number) {
    const transport = new MemoryTransport();
    this.buses = [new MessageBus({ transport }), new MessageBus({ transport })];
    this.responses = watch(this.buses[0] as MessageBus, 'HOOK_EXECUTION_RESPONSE');
    for (let count = 0; count < responders; count += 1) {
      this.buses[count % 2]?.respond('HOOK_EXECUTION_REQUEST', (_payload, { signal }) => {
        return new Promise((resolve) => {
          this.#answers.push(() => resolve({ success: true }));
          signal.addEventListener('abort', () => resolve({ success: false, error: { code: 'cancelled', message: 'stopped' } }));
        });
      });
    }
  }

  run(step: Operation): void {
    if (step.kind === 'answer') this.#answers.shift()?.();
    if (step.kind === 'answer' || step.kind === 'wait') return;
    const on = this.buses[step.bus] as MessageBus;
    if (step.kind === 'cancel') {
      on.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: step.id } });
      return;
    }
    this.asked += 1;
    const payload: unknown = step.kind === 'malformed' ? step.payload : { eventName: 'BeforeTool', input: {}, correlationId: step.id };
    if (step.kind === 'request') this.waiting.push(on.request('HOOK_EXECUTION_REQUEST', payload as never));
    else on.publish({ type: 'HOOK_EXECUTION_REQUEST', payload } as never);
  }

  /** All within one delivery: everything else is queued after it. */
  runWithinDelivery(steps: Operation[]): void {
    const [first] = this.buses as [MessageBus];
    const stop = first.subscribe('HOOK_HANDLER_ANNOUNCE', () => {
      for (const step of steps) this.run(step);
    });
    first.publish({ type: 'HOOK_HANDLER_ANNOUNCE', payload: { engineId: 'go', hooks: [] } });
    stop();
  }

  async end(): Promise<object[]> {
    await settled();
    for (const answer of this.#answers) answer();
    const received = await Promise.all(this.waiting);
    await settled();
    return received;
  }
}

test('whatever is requested, published, cancelled and repeated: one response each, and each waiter has one of its own', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 30 }), fc.nat(2), fc.boolean(), async (steps, responders, isReentrant) => {
      const scene = new Scene(responders);
      if (isReentrant) scene.runWithinDelivery(steps);
      else {
        for (const step of steps) {
          scene.run(step);
          if (step.kind === 'wait') await settled();
        }
      }
      const received = await scene.end();
      expect(scene.responses).toHaveLength(scene.asked);
      expect(new Set(received).size).toBe(received.length);
      for (const response of received) expect(scene.responses).toContain(response);
      await Promise.all(scene.buses.map((each) => each.close()));
      expect(scene.responses).toHaveLength(scene.asked);
    }),
    { numRuns: 300 },
  );
});

test('whenever the bus is closed: one response for each request until then', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 20 }), fc.nat(2), async (steps, responders) => {
      const scene = new Scene(responders);
      for (const step of steps) {
        scene.run(step);
        if (step.kind === 'wait') await settled();
      }
      // The bus that watches last: one that is closed sees nothing any more.
      await scene.buses[1]?.close();
      await scene.buses[0]?.close();
      await Promise.all(scene.waiting);
      await settled();
      expect(scene.responses).toHaveLength(scene.asked);
    }),
    { numRuns: 300 },
  );
});

test('requests are listed in the order in which they came, also after an older one was answered', async () => {
  const bus = new MessageBus();
  const answers: (() => void)[] = [];
  bus.respond('HOOK_EXECUTION_REQUEST', () => new Promise((resolve) => answers.push(() => resolve({ success: true }))));
  const settledIds: string[] = [];
  const request = (correlationId: string) =>
    bus
      .request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: { tool_name: 'sh', tool_input: {} }, correlationId })
      .then((response) => {
        settledIds.push(response.correlationId);
      });
  const first = request('1');
  const others = ['2', '3'].map(request);
  answers[0]?.();
  await first;
  // The id of a request that was answered is free again, and the new request is the youngest.
  others.push(request('1'), request('4'));
  await bus.close();
  await Promise.all(others);
  expect(settledIds).toEqual(['1', '2', '3', '1', '4']);
});

test('an id that is in use belongs to its request, whether that one is alone or not', async () => {
  const bus = new MessageBus();
  const answers: (() => void)[] = [];
  bus.respond('HOOK_EXECUTION_REQUEST', () => new Promise((resolve) => answers.push(() => resolve({ success: true }))));
  const ask = (correlationId: string) =>
    bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: { tool_name: 'sh', tool_input: {} }, correlationId });
  const [alone, other] = [ask('a'), ask('b')];
  const refused = await Promise.all([ask('a'), ask('b')]);
  expect(refused.map(({ error }) => error?.code)).toEqual(['invalid_request', 'invalid_request']);
  expect(refused.map(({ correlationId }) => ['a', 'b'].includes(correlationId))).toEqual([false, false]);
  for (const answer of answers) answer();
  expect(await Promise.all([alone, other])).toEqual([
    { correlationId: 'a', success: true },
    { correlationId: 'b', success: true },
  ]);
  await bus.close();
});
