import { MessageBus } from '@tenterhook/bus';
import { fireTool, inPlace, toolHooks } from '../hooks-rig.js';

test('onProgress and onResult follow a real hook, until they are removed', async () => {
  await inPlace(async ({ create }) => {
    const hooks = await create({ settings: toolHooks({ name: 'guard', command: 'exit 2' }) });
    const seen: string[] = [];
    const stops = [
      hooks.onProgress(({ kind }) => seen.push(kind)),
      hooks.onResult(({ success, output }) => seen.push(`${success} ${output?.verdict.kind}`)),
    ];
    await fireTool(hooks);
    expect(seen).toEqual(['planned', 'hook-started', 'hook-finished', 'true deny']);
    for (const stop of [...stops, ...stops]) stop();
    await fireTool(hooks);
    expect(seen).toHaveLength(4);
  });
});

test('an event that no hook runs for is reported, too, while there is a listener', async () => {
  await inPlace(async ({ create }) => {
    const hooks = await create({ settings: { hooks: { BeforeTool: [{ matcher: 'edit', hooks: [{ command: 'true' }] }] } } });
    const skips: unknown[] = [];
    hooks.onResult(({ output }) => skips.push(output?.outcomes[0]?.skipReason));
    await fireTool(hooks);
    expect(skips).toEqual(['matcher']);
  });
});

test('they end with dispose, after the events in flight, also on a bus that goes on; a listener that throws has no effect', async () => {
  await inPlace(async ({ create }) => {
    const bus = new MessageBus();
    const hooks = await create({ bus, settings: toolHooks('sleep 60') });
    const codes: unknown[] = [];
    hooks.onResult(({ error }) => codes.push(error?.code));
    const started = new Promise<void>((resolve) => {
      hooks.onProgress(({ kind }) => {
        if (kind === 'hook-started') resolve();
        throw new Error('a mistake in an extension');
      });
    });
    const fired = fireTool(hooks);
    await started;
    await hooks.dispose();
    expect((await fired).errors[0]?.code).toBe('disposed');
    expect(codes).toEqual(['disposed']);
    expect([bus.listenerCount('HOOK_EXECUTION_PROGRESS'), bus.listenerCount('HOOK_EXECUTION_RESPONSE')]).toEqual([0, 0]);
    await bus.close();
  });
});

test('a listener that is not a function is a TypeError', async () => {
  await inPlace(async ({ create }) => {
    const hooks = await create({ settings: {} });
    expect(() => hooks.onProgress({} as never)).toThrow(TypeError);
    expect(() => hooks.onResult(undefined as never)).toThrow(TypeError);
  });
});

test('events$ that is read for the first time while dispose waits for a hook has the last event, and completes', async () => {
  await inPlace(async ({ create }) => {
    const bus = new MessageBus();
    const hooks = await create({ bus, settings: toolHooks('sleep 60') });
    const started = new Promise<void>((resolve) => {
      hooks.onProgress(({ kind }) => kind === 'hook-started' && resolve());
    });
    const fired = fireTool(hooks);
    await started;
    const disposed = hooks.dispose();
    const seen: unknown[] = [];
    const completed = new Promise<void>((resolve) => {
      hooks.events$.subscribe({ next: ({ response }) => seen.push(response?.error?.code), complete: resolve });
    });
    await Promise.all([fired, disposed, completed]);
    expect(seen).toEqual(['disposed']);
    await bus.close();
  });
});
