import { HookEngine, type HookHandler, type HookResult } from '@tenterhook/handlers';
import { fireByAgent, remembering, toolUse, ways } from './both-ways.js';

type Handle = HookHandler['handle'];

/** Handlers of E, each with its id, its priority and what it does. */
function engineOf(...handlers: [id: string, priority: number, handler: { handle: Handle }][]): HookEngine {
  const engine = new HookEngine();
  for (const [id, priority, handler] of handlers) {
    engine.register({ id, event_type: 'pre_tool_use', config: { priority } });
    engine.register_handler(id, handler);
  }
  return engine;
}
const modifies = (modified: object) => remembering({ action: 'Continue', modified });
const withoutWarnings = ({ warnings: _, ...result }: HookResult) => result;

describe.each(ways)('%s', (way, fire) => {
  test('a3s 3: a block ends the chain', async () => {
    const b = remembering();
    const result = await fire(engineOf(['a', 5, remembering({ action: 'Block', reason: 'no' })], ['b', 10, b]), toolUse());
    expect(result).toMatchObject({ action: 'Block', reason: 'no' });
    expect(b.seen).toEqual([]);
  });

  test('a3s 4: the lower priority runs first, negative ones too; equal ones in the order of registration', async () => {
    const calls: string[] = [];
    const call = (id: string): { handle: Handle } => ({ handle: () => void calls.push(id) });
    await fire(engineOf(['a', 10, call('a')], ['b', 5, call('b')], ['c', -1, call('c')]), toolUse());
    expect(calls.splice(0)).toEqual(['c', 'b', 'a']);
    await fire(engineOf(['z', 100, call('z')], ['y', 100, call('y')], ['x', 99.5, call('x')]), toolUse());
    expect(calls).toEqual(['x', 'z', 'y']);
  });

  test('a3s 21: what one handler modified is what the next one sees, and the result', async () => {
    const b = remembering({ action: 'Continue' });
    const result = await fire(engineOf(['a', 1, modifies({ x: 1 })], ['b', 2, b]), toolUse());
    expect(withoutWarnings(result)).toEqual({ action: 'Continue', modified: { x: 1 } });
    expect(b.seen).toMatchObject([{ args: { x: 1 }, tool: 'Bash' }]);
    expect(b.seen[0].args).toEqual({ x: 1 });
  });

  test('a3s 22: the arguments are replaced and not merged', async () => {
    const result = await fire(engineOf(['a', 1, modifies({ x: 1 })], ['b', 2, modifies({ y: 2 })]), toolUse());
    expect(withoutWarnings(result)).toEqual({ action: 'Continue', modified: { y: 2 } });
  });

  test('a3s 23: after a block nothing is modified', async () => {
    const result = await fire(engineOf(['a', 1, modifies({ x: 1 })], ['b', 2, remembering({ action: 'Block' })]), toolUse());
    expect(withoutWarnings(result)).toEqual({ action: 'Block', reason: 'Blocked' });
  });

  test('a3s 24: a skip ends the chain, and what was modified before it stays', async () => {
    const c = remembering({ action: 'Block' });
    const engine = engineOf(['a', 1, modifies({ x: 1 })], ['b', 2, remembering({ action: 'Skip' })], ['c', 3, c]);
    expect(withoutWarnings(await fire(engine, toolUse()))).toEqual({ action: 'Continue', modified: { x: 1 } });
    expect(c.seen).toEqual([]);
    if (way !== 'engine.fire') {
      const { outcomes } = await fireByAgent(engine, toolUse());
      expect(outcomes.map(({ name, status, skipReason }) => [name, status, skipReason])).toEqual([
        ['a', 'succeeded', undefined],
        ['b', 'succeeded', undefined],
        ['c', 'skipped', 'chain-ended'],
      ]);
    }
  });

  test('a3s 35: a handler that unregisters another one does so for the next event', async () => {
    const b = remembering({ action: 'Continue', modified: { ran: true } });
    const engine: HookEngine = engineOf(['a', 1, { handle: () => void engine.unregister('b') }], ['b', 2, b]);
    expect(withoutWarnings(await fire(engine, toolUse()))).toEqual({ action: 'Continue', modified: { ran: true } });
    expect(withoutWarnings(await fire(engine, toolUse()))).toEqual({ action: 'Continue' });
    expect(b.seen).toHaveLength(1);
  });

  test('a3s 35: neither does taking away the handler alone, or putting another in its place, change an event in flight', async () => {
    const b = remembering({ action: 'Block', reason: 'the first' });
    const change = () => {
      engine.unregister_handler('b');
      engine.register_handler('b', remembering({ action: 'Block', reason: 'the second' }));
    };
    const engine: HookEngine = engineOf(['a', 1, { handle: change }], ['b', 2, b]);
    expect(await fire(engine, toolUse())).toMatchObject({ reason: 'the first' });
    expect(await fire(engine, toolUse())).toMatchObject({ reason: 'the second' });
  });
});
