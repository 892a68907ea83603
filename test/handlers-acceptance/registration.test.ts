import { Hook, HookEngine, HookEventType } from '@tenterhook/handlers';
import { remembering, toolUse, ways } from './both-ways.js';

const hook = { id: 'guard', event_type: 'pre_tool_use' } as const;
const blocks = (reason?: string) => ({ handle: () => ({ action: 'Block' as const, ...(reason === undefined ? {} : { reason }) }) });

describe.each(ways)('%s', (_, fire) => {
  test('a3s 1: without hooks the event goes on as it is', async () => {
    expect(await fire(new HookEngine(), toolUse())).toEqual({ action: 'Continue', warnings: [] });
  });

  test('a3s 1: a hook without a handler means Continue', async () => {
    const engine = new HookEngine();
    engine.register(hook);
    const result = await fire(engine, toolUse());
    expect(result.action).toBe('Continue');
    expect(result).not.toHaveProperty('modified');
  });

  test('a3s 1: a handler without a hook never runs', async () => {
    const engine = new HookEngine();
    const handler = remembering({ action: 'Block' });
    engine.register_handler('guard', handler);
    expect((await fire(engine, toolUse())).action).toBe('Continue');
    expect(handler.seen).toEqual([]);
  });

  test.each([
    ['Dangerous', 'Dangerous'],
    [undefined, 'Blocked'],
    ['', 'Blocked'],
  ])('a3s 2: a block with the reason %j has the reason "%s"', async (given, reason) => {
    const engine = new HookEngine();
    engine.register(hook);
    engine.register_handler('guard', blocks(given));
    expect(await fire(engine, toolUse())).toMatchObject({ action: 'Block', reason });
  });

  test('a3s 5: a hook of one type is not asked about another', async () => {
    const engine = new HookEngine();
    const handler = remembering({ action: 'Block' });
    engine.register(hook);
    engine.register_handler('guard', handler);
    const result = { success: true, output: 'ok', duration_ms: 1 };
    const after = { event_type: 'post_tool_use', payload: { session_id: 's1', tool: 'Bash', args: {}, result } } as const;
    expect((await fire(engine, after)).action).toBe('Continue');
    expect(handler.seen).toEqual([]);
  });

  test('a3s 8: the handler of a hook that was unregistered does not serve the next hook of that id', async () => {
    const engine = new HookEngine();
    engine.register(hook);
    engine.register_handler('guard', blocks());
    engine.unregister('guard');
    engine.register(hook);
    expect((await fire(engine, toolUse())).action).toBe('Continue');
  });

  test('a3s 9: of an id that is registered twice the second definition counts', async () => {
    const engine = new HookEngine();
    engine.register_handler('guard', blocks());
    engine.register({ ...hook, matcher: { tool: 'Read' } });
    expect((await fire(engine, toolUse())).action).toBe('Continue');
    engine.register({ ...hook, matcher: { tool: 'Bash' } });
    expect(engine.hook_count()).toBe(1);
    expect((await fire(engine, toolUse())).action).toBe('Block');
  });
});

test('a3s 6: each key of a config defaults on its own', () => {
  const { config } = Hook.new('h', HookEventType.PreToolUse).with_config({ priority: 1 });
  expect(config).toEqual({ priority: 1, timeout_ms: 30_000, async_execution: false, max_retries: 0, onError: 'continue' });
  const engine = new HookEngine();
  engine.register({ ...hook, config: { timeout_ms: 5 } });
  expect(engine.get_hook('guard')?.config).toEqual({ ...config, priority: 100, timeout_ms: 5 });
});

test('a3s 7: a hook is registered, found, and given back once', () => {
  const engine = new HookEngine();
  engine.register(hook);
  expect(engine.hook_count()).toBe(1);
  expect(engine.get_hook('guard')).toMatchObject(hook);
  const given = engine.unregister('guard');
  expect(given).toMatchObject(hook);
  expect([engine.hook_count(), engine.get_hook('guard'), engine.unregister('guard')]).toEqual([0, null, null]);
});

test('a3s 9: an id that is registered again keeps its place', () => {
  const engine = new HookEngine();
  for (const id of ['a', 'b', 'a']) engine.register({ ...hook, id });
  expect(engine.all_hooks().map(({ id }) => id)).toEqual(['a', 'b']);
});
