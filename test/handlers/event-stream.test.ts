import { type HandlerEvent, HookEngine, type HookEventType } from '@tenterhook/handlers';
import { withHooks } from '../support/fire-hooks.js';
import { until } from '../support/until.js';
import { fireByAgent, toolUse as toolUseWith } from './both-ways.js';
import { deferredHandler, engineWith, signalled } from './engine-scene.js';

const toolUse = (tool: string): HandlerEvent<'pre_tool_use'> => ({
  event_type: 'pre_tool_use',
  payload: { session_id: 's1', tool, args: { list: [1] }, working_directory: '/', recent_tools: [] },
});
const toolOf = ({ payload }: HandlerEvent) => ('tool' in payload ? payload.tool : undefined);

/** Resolves when the observer has received an event with this tool. */
function toldOf(engine: HookEngine, tool: string): Promise<HandlerEvent> {
  return new Promise((resolve) => {
    const subscription = engine.events$.subscribe((event) => {
      if (toolOf(event) !== tool) return;
      subscription.unsubscribe();
      resolve(event);
    });
  });
}

describe('an observer of an engine that is part of a system', () => {
  test('sees the canonical events that handlers have a name for, also those that no hook is for', async () => {
    const engine = new HookEngine();
    await withHooks({ settings: {}, handlers: [engine] }, async ({ hooks, handler }) => {
      const seen: HookEventType[] = [];
      const ended = signalled();
      engine.events$.subscribe(({ event_type }) => {
        seen.push(event_type);
        if (event_type === 'session_end') ended.give();
      });
      await handler.fireSessionStartEvent('startup');
      await handler.fireBeforeAgentEvent('a prompt');
      await handler.fireBeforeModelEvent({});
      await handler.fireAfterModelEvent({}, {});
      await handler.fireBeforeToolEvent('Bash', {});
      await handler.fireAfterToolEvent('Bash', {}, {});
      await handler.fireSessionEndEvent('exit');
      await ended.given;
      expect(seen).toEqual(['session_start', 'generate_start', 'generate_end', 'pre_tool_use', 'post_tool_use', 'session_end']);
      expect((['BeforeTool', 'BeforeAgent', 'Notification'] as const).map(hooks.has)).toEqual([true, false, false]);
    });
  });

  test('costs nothing before it is there, and nothing when it has gone', async () => {
    const engine = new HookEngine();
    await withHooks({ settings: {}, handlers: [engine] }, async ({ hooks, handler }) => {
      const idle = handler.fireBeforeToolEvent('Bash', {});
      expect(handler.fireBeforeToolEvent('Read', {})).toBe(idle);
      expect(hooks.has('BeforeTool')).toBe(false);

      const subscription = engine.events$.subscribe(() => {});
      expect(hooks.has('BeforeTool')).toBe(true);
      const watched = handler.fireBeforeToolEvent('Bash', {});
      expect(watched).not.toBe(idle);
      expect(await watched).toMatchObject({ success: true, outcomes: [], verdict: { kind: 'none' } });

      subscription.unsubscribe();
      expect(hooks.has('BeforeTool')).toBe(false);
      expect(handler.fireBeforeToolEvent('Bash', {})).toBe(idle);
    });
  });

  test('receives an event before its handlers have answered, and holds none of them up', async () => {
    const { handle, goOn } = deferredHandler();
    const engine = engineWith({ slow: ['pre_tool_use', handle] });
    await withHooks({ settings: {}, handlers: [engine] }, async ({ handler }) => {
      const reported = toldOf(engine, 'Bash');
      const fired = handler.fireBeforeToolEvent('Bash', {});
      await reported;
      goOn();
      expect((await fired).success).toBe(true);
    });
  });

  test('an invalid event is not one', async () => {
    const engine = new HookEngine();
    await withHooks({ settings: {}, handlers: [engine] }, async ({ handler }) => {
      const seen: unknown[] = [];
      engine.events$.subscribe((event) => seen.push(event));
      const reported = toldOf(engine, 'last');
      const { errors } = await handler.fire('BeforeTool', { tool_name: 7 });
      expect(errors[0]?.code).toBe('validation_failed');
      await handler.fireBeforeToolEvent('last', {});
      await reported;
      expect(seen).toHaveLength(1);
    });
  });
});

test('an observer gets an object of its own', async () => {
  const engine = new HookEngine();
  const event = toolUse('Bash');
  const reported = toldOf(engine, 'Bash');
  await engine.fire(event);
  event.payload.args['list'].push(2);
  event.payload.tool = 'changed';
  const seen = await reported;
  expect(seen).toEqual(toolUse('Bash'));
});

test('two observers see every event each, and one that unsubscribes sees no more', async () => {
  const engine = new HookEngine();
  const seen: string[][] = [[], []];
  const subscriptions = seen.map((list) =>
    engine.events$.subscribe((event) => {
      list.push(toolOf(event) ?? '');
    }),
  );
  const first = toldOf(engine, 'first');
  await engine.fire(toolUse('first'));
  await first;
  await until('both were notified', () => seen.every((list) => list.length === 1));
  // An event that was fired but not yet passed on is not passed to an observer that has unsubscribed.
  await engine.fire(toolUse('second'));
  subscriptions[0]?.unsubscribe();
  const second = toldOf(engine, 'third');
  await engine.fire(toolUse('third'));
  await second;
  await until('the other one was notified', () => seen[1]?.length === 3);
  expect(seen).toEqual([['first'], ['first', 'second', 'third']]);
  expect(engine.droppedEvents).toBe(0);
});

test('an observer that comes late sees nothing of what was before, and what it missed is not counted', async () => {
  const engine = new HookEngine();
  for (let each = 0; each < 3000; each += 1) await engine.fire(toolUse('early'));
  const seen: string[] = [];
  engine.events$.subscribe((event) => seen.push(toolOf(event) ?? ''));
  const reported = toldOf(engine, 'late');
  await engine.fire(toolUse('late'));
  await reported;
  expect([seen, engine.droppedEvents]).toEqual([['late'], 0]);
});

test('what is dropped is counted for each observer', async () => {
  const engine = new HookEngine();
  const last = signalled();
  engine.events$.subscribe(() => {});
  engine.events$.subscribe((event) => {
    if (toolOf(event) === 'last') last.give();
  });
  for (let each = 0; each < 2999; each += 1) await engine.fire(toolUse('Bash'));
  await engine.fire(toolUse('last'));
  await last.given;
  expect(engine.droppedEvents).toBe(2 * (3000 - 1024));
});

test('an observer may fire, register and unsubscribe while it is notified', async () => {
  const engine = new HookEngine();
  const tools: (string | undefined)[] = [];
  const done = signalled();
  const subscription = engine.events$.subscribe((event) => {
    tools.push(toolOf(event));
    if (tools.length === 1) {
      engine.register({ id: 'h', event_type: 'pre_tool_use' });
      void engine.fire(toolUse('inner'));
    } else {
      subscription.unsubscribe();
      void engine.fire(toolUse('unseen')).then(() => done.give());
    }
  });
  await engine.fire(toolUse('outer'));
  await done.given;
  expect(tools).toEqual(['outer', 'inner']);
  expect(engine.hook_count()).toBe(1);
});

describe('stream', () => {
  test.each<[string, (engine: HookEngine) => Promise<unknown>]>([
    ['engine.fire', (engine) => engine.fire(toolUseWith())],
    ['an agent', (engine) => fireByAgent(engine, toolUseWith())],
  ])('a3s 34: an observer gets an event that no hook is for, once (%s)', async (_, fire) => {
    const engine = new HookEngine();
    engine.register({ id: 'h', event_type: 'pre_tool_use', matcher: { tool: 'Read' } });
    const seen: HandlerEvent[] = [];
    const first = new Promise<void>((resolve) => {
      engine.events$.subscribe((event) => {
        seen.push(event);
        resolve();
      });
    });
    await fire(engine);
    await first;
    const last = new Promise<HandlerEvent>((resolve) => engine.events$.subscribe(resolve));
    await engine.fire(toolUseWith({ tool: 'last' }));
    await last;
    expect(seen.map(({ event_type, payload }) => [event_type, 'tool' in payload && payload.tool])).toEqual([
      ['pre_tool_use', 'Bash'],
      ['pre_tool_use', 'last'],
    ]);
    expect(seen[0]).toEqual(toolUseWith());
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
    // Only promises are awaited here: observers are notified in turns of the event loop, and there is none until the last event was fired.
    for (let each = 0; each < 10_000; each += 1) await engine.fire(toolUseWith({ session_id: String(each) }));
    expect(seen).toEqual([]);
    expect(engine.droppedEvents).toBeGreaterThan(0);
    await lastSeen;
    expect(seen).toEqual(Array.from({ length: 1024 }, (_, index) => String(10_000 - 1024 + index)));
    expect(engine.droppedEvents).toBe(10_000 - 1024);
  });
});
