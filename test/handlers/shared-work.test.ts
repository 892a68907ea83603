import { HookSystem } from '@tenterhook/engine';
import { type HandlerContext, HookEngine } from '@tenterhook/handlers';
import type { Exit, HookDefinition, HookExecutor, HookSource } from '@tenterhook/protocol';
import { deferredHandler, engineWith, signalled, withHandlers } from './engine-scene.js';

/** What is made once for several handlers or events must not mix them up. */

const never = () => new Promise<never>(() => {});

test('of two events in flight, a cancel ends one, and only its handlers see it', async () => {
  const contexts: HandlerContext[] = [];
  const both = signalled();
  const handle = (_event: unknown, context: HandlerContext) => {
    // The first handler reads its signal before the cancel, the second after it.
    if (contexts.length === 0) expect(context.signal.aborted).toBe(false);
    if (contexts.push(context) === 2) both.give();
    return contexts.length === 1 ? never() : both.given;
  };
  await withHandlers({ slow: ['pre_tool_use', handle] }, async ({ handler }) => {
    const control = new AbortController();
    const cancelled = handler.fireBeforeToolEvent('Bash', { a: 1 }, undefined, { signal: control.signal });
    const other = handler.fireBeforeToolEvent('Bash', { a: 2 });
    control.abort('Esc');
    expect((await cancelled).errors[0]).toMatchObject({ code: 'cancelled' });
    expect((await other).success).toBe(true);
    expect(contexts.map(({ signal }) => signal.reason)).toEqual(['cancelled', undefined]);
  });
});

test('each handler has its own deadline, also after one that answered and after one that did not', async () => {
  const config = (priority: number, timeout_ms: number) => ({ config: { priority, timeout_ms } });
  const handlers = {
    quick: ['pre_tool_use', async () => undefined, config(1, 20)],
    hangs: ['pre_tool_use', never, config(2, 20)],
    'hangs too': ['pre_tool_use', never, config(3, 20)],
    'hangs longer': ['pre_tool_use', never, config(4, 30)],
    last: ['pre_tool_use', async () => undefined, config(5, 30_000)],
  } as const;
  await withHandlers(handlers as never, async ({ handler }) => {
    const { outcomes } = await handler.fireBeforeToolEvent('Bash', {});
    expect(outcomes.map(({ status }) => status)).toEqual(['succeeded', 'timed-out', 'timed-out', 'timed-out', 'succeeded']);
  });
});

test('a subscriber of progress that comes during an event receives its remaining steps', async () => {
  const { handle, began, goOn } = deferredHandler();
  await withHandlers({ first: ['pre_tool_use', handle], second: ['pre_tool_use', undefined] }, async ({ hooks, handler }) => {
    const fired = handler.fireBeforeToolEvent('Bash', {});
    await began;
    const kinds: string[] = [];
    const stop = hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => void kinds.push(payload.kind));
    goOn();
    await fired;
    expect(kinds).toEqual(['hook-finished', 'hook-started', 'hook-finished']);
    stop();
    await handler.fireBeforeToolEvent('Bash', {});
    expect(kinds).toHaveLength(3);
  });
});

const run = async (...[, , , { onStart }]: Parameters<HookExecutor['run']>): Promise<Exit> => {
  onStart();
  onStart();
  return never();
};

test.each<[string, () => HookEngine]>([
  [
    'a method of its class',
    () =>
      new (class extends HookEngine {
        override run(...args: Parameters<HookExecutor['run']>): Promise<Exit> {
          return run(...args);
        }
      })(),
  ],
  [
    'a field of its class',
    () =>
      new (class extends HookEngine {
        override run = run;
      })(),
  ],
  ['a function that was assigned', () => Object.assign(new HookEngine(), { run })],
])('an engine with %s in place of run() is watched like any other executor', async (_, create) => {
  const engine = engineWith({ hangs: ['pre_tool_use', undefined, { config: { timeout_ms: 20 } }] }, create());
  await withHandlers(
    {},
    async ({ handler }) => {
      expect((await handler.fireBeforeToolEvent('Bash', {})).outcomes).toMatchObject([{ status: 'timed-out' }]);
    },
    { handlers: [engine] },
  );
});

/** An engine whose hooks a host has changed. */
function changedBy(change: (hook: HookDefinition) => Partial<HookDefinition>, engine: HookEngine): HookSource {
  return { changes$: engine.changes$, hooksFor: (name) => engine.hooksFor(name).map((hook) => ({ ...hook, ...change(hook) })) };
}

test('handlers that a host runs side by side each have their deadline', async () => {
  const engine = engineWith({
    hangs: ['pre_tool_use', never, { config: { timeout_ms: 20, onError: 'block' } }],
    answers: ['pre_tool_use', async () => undefined, { config: { timeout_ms: 30_000 } }],
  });
  const dialect = { ...engine.dialect, name: 'side-by-side', layOut: (hooks: readonly HookDefinition[]) => [{ hooks }] };
  const source = changedBy(() => ({ dialect: dialect.name }), engine);
  await using system = new HookSystem({ projectDir: '.', dialects: [dialect], sources: [source], executors: [engine] });
  const { verdict, outcomes } = await system.getEventHandler().fireBeforeToolEvent('Bash', {});
  expect(outcomes.map(({ status }) => status)).toEqual(['timed-out', 'succeeded']);
  expect(verdict.kind).toBe('deny');
});

test('a deadline that a host shortens in a hook counts', async () => {
  const { handle, goOn } = deferredHandler();
  const engine = engineWith({ hangs: ['pre_tool_use', handle, { config: { timeout_ms: 30_000 } }] });
  const source = changedBy(() => ({ timeoutMs: 20, longestMs: 20 }), engine);
  await using system = new HookSystem({ projectDir: '.', dialects: [engine.dialect], sources: [source], executors: [engine] });
  const { outcomes } = await system.getEventHandler().fireBeforeToolEvent('Bash', {});
  expect(outcomes).toMatchObject([{ status: 'timed-out' }]);
  goOn();
});
