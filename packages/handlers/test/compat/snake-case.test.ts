import { type HandlerEvent, Hook, HookEngine, HookEventType, HookMatcher, HookResponse } from '../../src/index.js';

const event = (tool: string): HandlerEvent => ({
  event_type: 'pre_tool_use',
  payload: { session_id: 's', tool, args: {}, working_directory: '/', recent_tools: [] },
});

test('the event types have the names that travel', () => {
  expect(HookEventType).toEqual({
    PreToolUse: 'pre_tool_use',
    PostToolUse: 'post_tool_use',
    GenerateStart: 'generate_start',
    GenerateEnd: 'generate_end',
    SessionStart: 'session_start',
    SessionEnd: 'session_end',
  });
  expect(Object.isFrozen(HookEventType)).toBe(true);
});

test('every method with underscores has its twin without', () => {
  expect(HookMatcher.new().withTool('a').withPath('b').withCommand('c').withSession('d')).toEqual(
    HookMatcher.new().with_tool('a').with_path('b').with_command('c').with_session('d'),
  );
  expect(HookMatcher.tool('a')).toEqual(new HookMatcher({ tool: 'a' }));
  expect(HookMatcher.path('a')).toEqual(new HookMatcher({ path_pattern: 'a' }));
  expect(HookMatcher.command('a')).toEqual(new HookMatcher({ command_pattern: 'a' }));
  expect(HookMatcher.session('a')).toEqual(new HookMatcher({ session_id: 'a' }));
  const hook = Hook.new('h', 'pre_tool_use');
  expect(hook.withMatcher({ tool: 'a' }).withConfig({ priority: 1 })).toEqual(
    hook.with_matcher({ tool: 'a' }).with_config({ priority: 1 }),
  );
  expect(HookResponse.continueWith({ x: 1 })).toEqual(HookResponse.continue_with({ x: 1 }));
});

test('those of the engine do the same', async () => {
  const engine = HookEngine.new();
  engine.register(Hook.new('h', 'pre_tool_use'));
  engine.registerHandler('h', { handle: () => HookResponse.block('no') });
  expect((await engine.fire(event('Bash'))).action).toBe('Block');
  expect([engine.allHooks(), engine.getHook('h'), engine.hookCount()]).toEqual([engine.all_hooks(), engine.get_hook('h'), 1]);
  engine.unregisterHandler('h');
  expect((await engine.fire(event('Bash'))).action).toBe('Continue');
  expect([engine.get_hook('none'), engine.getHook('none'), engine.unregister_handler('none')]).toEqual([null, null, undefined]);
});

test('a builder gives a new object, so that one can be the base of several', () => {
  const base = HookMatcher.tool('Bash');
  const rm = base.with_command('rm');
  expect([{ ...base }, { ...rm }]).toEqual([{ tool: 'Bash' }, { tool: 'Bash', command_pattern: 'rm' }]);
  const hook = Hook.new('h', 'pre_tool_use').with_config({ priority: 1 });
  const later = hook.with_config({ max_retries: 2 });
  expect([hook.config.max_retries, later.config.max_retries, later.config.priority]).toEqual([0, 2, 1]);
  expect(Object.isFrozen(hook) && Object.isFrozen(hook.config)).toBe(true);
});

test('what is registered is not changed by who registered it', () => {
  const engine = new HookEngine();
  const fields = { id: 'h', event_type: 'pre_tool_use' as const, matcher: { tool: 'Bash' }, config: { priority: 1 } };
  engine.register(fields);
  fields.matcher.tool = 'Read';
  fields.config.priority = 9;
  engine.all_hooks().pop();
  expect(engine.all_hooks()).toMatchObject([{ matcher: { tool: 'Bash' }, config: { priority: 1 } }]);
});
