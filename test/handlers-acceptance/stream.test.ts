import { HookEngine, type HookEvent } from '@tenterhook/handlers';
import { fireByAgent, toolUse } from './both-ways.js';

test.each<[string, (engine: HookEngine) => Promise<unknown>]>([
  ['engine.fire', (engine) => engine.fire(toolUse())],
  ['an agent', (engine) => fireByAgent(engine, toolUse())],
])('a3s 34: an observer gets an event that no hook is for, once (%s)', async (_, fire) => {
  const engine = new HookEngine();
  engine.register({ id: 'h', event_type: 'pre_tool_use', matcher: { tool: 'Read' } });
  const seen: HookEvent[] = [];
  const first = new Promise<void>((resolve) => {
    engine.events$.subscribe((event) => {
      seen.push(event);
      resolve();
    });
  });
  await fire(engine);
  await first;
  const last = new Promise<HookEvent>((resolve) => engine.events$.subscribe(resolve));
  await engine.fire(toolUse({ tool: 'last' }));
  await last;
  expect(seen.map(({ event_type, payload }) => [event_type, 'tool' in payload && payload.tool])).toEqual([
    ['pre_tool_use', 'Bash'],
    ['pre_tool_use', 'last'],
  ]);
  expect(seen[0]).toEqual(toolUse());
});

test('a3s 34: an observer that is given no time loses the oldest events, and fire never waits for it', async () => {
  const engine = new HookEngine();
  const seen: string[] = [];
  let tell = () => {};
  const lastSeen = new Promise<void>((resolve) => {
    tell = resolve;
  });
  engine.events$.subscribe(({ payload }) => {
    seen.push(payload.session_id);
    if (payload.session_id === '9999') tell();
  });
  // Nothing but promises: the observer is told in turns of the loop, and there is none until the last event is fired.
  for (let each = 0; each < 10_000; each += 1) await engine.fire(toolUse({ session_id: String(each) }));
  expect(seen).toEqual([]);
  expect(engine.droppedEvents).toBeGreaterThan(0);
  await lastSeen;
  expect(seen).toEqual(Array.from({ length: 1024 }, (_, index) => String(10_000 - 1024 + index)));
  expect(engine.droppedEvents).toBe(10_000 - 1024);
});
