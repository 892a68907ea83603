import { otel } from '@tenterhook/otel';
import { durationBuckets, instruments } from '@tenterhook/otel/internal';
import { createHooks, type Hooks } from 'tenterhook';
import { HookEngine } from 'tenterhook/handlers';
import { commands, toolCall, withSdk } from './rig.js';

function engineWith(ids: readonly string[]): HookEngine {
  const engine = new HookEngine();
  for (const id of ids) {
    engine.register({ id, event_type: 'pre_tool_use' });
    engine.registerHandler(id, { handle: () => undefined });
  }
  return engine;
}

async function withHooks(run: (hooks: Hooks) => Promise<void>): Promise<void> {
  const hooks = await createHooks({ settings: {}, handlers: [engineWith(['b'])], tracing: otel() });
  try {
    await run(hooks);
  } finally {
    await hooks.dispose();
  }
}

test('21. of 1000 names of hooks and 10000 names of tools, metrics have at most 201 each, and the sums are right', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `hook-${index}`);
  await withSdk({ settings: {}, handlers: [engineWith(names)], otel: { toolSpans: true } }, async (hooks, sdk) => {
    const agent = hooks.agent();
    for (let number = 0; number < 10; number += 1) {
      await agent.tool({ name: `tool-${number}`, input: {}, execute: () => ({ llmContent: 'done' }) });
    }
    const points = await sdk.points('tenterhook.hook.duration');
    const values = new Set(points.map(({ attributes }) => attributes['tenterhook.hook.name']));
    expect([values.size, values.has('_other')]).toEqual([201, true]);
    const sum = points.reduce((total, { value }) => total + (value as { count: number }).count, 0);
    expect(sum).toBe(10_000);
    const tracing = otel({ toolSpans: true });
    for (let number = 0; number < 9990; number += 1) {
      tracing.tool?.({ name: `other-${number}`, callId: undefined })?.ended({ verdict: undefined, failure: undefined });
    }
    const tools = await sdk.points('gen_ai.execute_tool.duration');
    expect(tools).toHaveLength(201);
    expect(tools.reduce((total, { value }) => total + (value as { count: number }).count, 0)).toBe(10_000);
  });
});

test('21. with hookNames: false, metrics have no names of hooks', async () => {
  await withSdk({ settings: {}, handlers: [engineWith(['a'])], otel: { hookNames: false } }, async (hooks, sdk) => {
    await hooks.fire('BeforeTool', toolCall);
    const [point] = await sdk.points('tenterhook.hook.duration');
    expect(Object.keys(point?.attributes ?? {}).sort()).toEqual([
      'tenterhook.event.name',
      'tenterhook.hook.dialect',
      'tenterhook.hook.kind',
      'tenterhook.hook.status',
    ]);
  });
});

test('22. durations are in seconds, with the advised buckets, and equal those of the outcomes', async () => {
  const settings = commands({ guard: 'read -r -t 0.02 _ < /dev/zero; exit 0' });
  await withSdk({ settings }, async (hooks, sdk) => {
    const { outcomes } = await hooks.fire('BeforeTool', toolCall);
    const [point] = await sdk.points(instruments.hookDuration.name);
    expect(point?.value).toMatchObject({ sum: (outcomes[0]?.durationMs ?? 0) / 1000, buckets: { boundaries: durationBuckets } });
    expect((await sdk.metric(instruments.hookDuration.name))?.descriptor.unit).toBe('s');
    expect((await sdk.metric(instruments.eventDuration.name))?.descriptor.unit).toBe('s');
  });
});

test('the numbers of hooks that run and that wait are zero when all have ended', async () => {
  const options = { settings: commands({ a: 'exit 0', b: 'exit 0', c: 'exit 0' }), limits: { concurrency: 1 } };
  await withSdk(options, async (hooks, sdk) => {
    await hooks.fire('BeforeTool', toolCall);
    for (const { name } of [instruments.running, instruments.queued]) {
      expect((await sdk.points(name)).map(({ value }) => value)).toEqual([0]);
    }
    // Two hooks waited, and the span of the event tells when that began.
    const event = sdk.spans().find(({ name }) => name.startsWith('fire_hooks'));
    expect(event?.events.filter(({ name }) => name === 'hook.queued').length).toBeGreaterThanOrEqual(1);
  });
});

test('decisions and rewrites are counted', async () => {
  const settings = commands({ denies: 'echo no >&2; exit 2', allows: `echo '{"decision":"allow"}'` });
  await withSdk({ settings }, async (hooks, sdk) => {
    await hooks.fire('BeforeTool', toolCall);
    const points = await sdk.points(instruments.decisions.name);
    expect(points.map(({ attributes, value }) => [attributes['tenterhook.hook.decision'], value]).sort()).toEqual([
      ['allow', 1],
      ['deny', 1],
    ]);
  });
});

test('two hook systems of a process have one number of running hooks', async () => {
  await withSdk({ settings: {}, handlers: [engineWith(['a'])] }, async (hooks, sdk) => {
    await withHooks(async (other) => {
      await Promise.all([hooks.fire('BeforeTool', toolCall), other.fire('BeforeTool', toolCall)]);
      expect((await sdk.points(instruments.running.name)).map(({ value }) => value)).toEqual([0]);
      expect((await sdk.points(instruments.hookDuration.name)).length).toBe(2);
    });
  });
});

test('the names of unknown events are one value', async () => {
  await withSdk({ settings: commands({ guard: 'exit 0' }) }, async (hooks, sdk) => {
    for (const name of ['Nope-1', 'Nope-2']) await hooks.getEventHandler().fire(name, {});
    const points = await sdk.points(instruments.eventDuration.name);
    expect(points.map(({ attributes }) => attributes['tenterhook.event.name'])).toEqual(['_other']);
    expect(new Set(sdk.spans().map(({ name }) => name))).toEqual(new Set(['fire_hooks']));
  });
});
