import { MessageBus } from '@tenterhook/bus';
import { Hook, HookEngine, HookMatcher, InvalidHookError, remoteHandlers } from '../../src/index.js';

const hook = { id: 'guard', event_type: 'pre_tool_use' };

function refusalOf(fields: unknown): InvalidHookError {
  const engine = new HookEngine();
  try {
    engine.register(fields as Hook);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidHookError);
    expect(error).toBeInstanceOf(TypeError);
    expect(engine.hook_count()).toBe(0);
    return error as InvalidHookError;
  }
  throw new Error(`registered: ${JSON.stringify(fields)}`);
}

test.each<[unknown, path: string, message: RegExp]>([
  [null, '', /must be an object/],
  ['guard', '', /must be an object.*"guard"/],
  [[], '', /must be an object/],
  [{}, 'id', /A hook .* id is missing/],
  [{ ...hook, id: '' }, 'id', /id is ""/],
  [{ ...hook, id: 7 }, 'id', /id is 7/],
  [{ id: 'guard' }, 'event_type', /"guard".*event_type is missing.*pre_tool_use/],
  [{ ...hook, event_type: 'pre_tool' }, 'event_type', /Did you mean "pre_tool_use"/],
  [{ ...hook, event_type: 'PreToolUse' }, 'event_type', /"PreToolUse".*pre_tool_use/],
  [{ ...hook, event_type: 'toString' }, 'event_type', /"toString"/],
  [{ ...hook, matcher: 'Bash' }, 'matcher', /matcher is "Bash".*tool, path_pattern/],
  [{ ...hook, matcher: [] }, 'matcher', /matcher is \[\]/],
  [{ ...hook, matcher: { tool: 7 } }, 'matcher.tool', /matcher.tool is 7/],
  [{ ...hook, matcher: { tool: '' } }, 'matcher.tool', /matcher.tool is ""/],
  [{ ...hook, matcher: { tool: ['Bash'] } }, 'matcher.tool', /matcher.tool is \["Bash"\]/],
  [{ ...hook, matcher: { command_pattern: '[' } }, 'matcher.command_pattern', /"guard".*\[/],
  [{ ...hook, matcher: { command_pattern: '(?=rm)' } }, 'matcher.command_pattern', /look/],
  [{ ...hook, matcher: { path_pattern: '[a-' } }, 'matcher.path_pattern', /not closed/],
  [{ ...hook, matcher: { path_pattern: '{a,b' } }, 'matcher.path_pattern', /not closed/],
  [{ ...hook, config: 5 }, 'config', /config is 5.*priority/],
  [{ ...hook, config: { priority: '1' } }, 'config.priority', /config.priority is "1"/],
  [{ ...hook, config: { timeout_ms: 0 } }, 'config.timeout_ms', /milliseconds from 1/],
  [{ ...hook, config: { timeout_ms: 2 ** 31 } }, 'config.timeout_ms', /milliseconds from 1/],
  [{ ...hook, config: { async_execution: 'yes' } }, 'config.async_execution', /true or false/],
  [{ ...hook, config: { max_retries: -1 } }, 'config.max_retries', /whole number/],
  [{ ...hook, config: { max_retries: 1.5 } }, 'config.max_retries', /whole number/],
  [{ ...hook, config: { onError: 'deny' } }, 'config.onError', /"continue" or "block"/],
  [{ ...hook, matchers: {} }, '', /no field "matchers". Did you mean "matcher"/],
  [{ ...hook, handler: {} }, '', /no field "handler"/],
  [{ ...hook, matcher: { tools: 'Bash' } }, 'matcher', /no matcher field "tools". Did you mean "tool"/],
  [{ ...hook, matcher: { path: '*.rs' } }, 'matcher', /no matcher field "path".*path_pattern/],
  [{ ...hook, matcher: { pathPattern: '*.rs' } }, 'matcher', /Did you mean "path_pattern"/],
  [{ ...hook, config: { maxRetries: 1 } }, 'config', /Did you mean "max_retries"/],
  [{ ...hook, config: { on_error: 'block' } }, 'config', /Did you mean "onError"/],
  [{ ...hook, config: { timeout: 5 } }, 'config', /Did you mean "timeout_ms"/],
  [JSON.parse('{"id":"guard","event_type":"pre_tool_use","matcher":{"__proto__":{"tool":"x"}}}'), 'matcher', /"__proto__"/],
  [JSON.parse('{"id":"guard","event_type":"pre_tool_use","config":{"constructor":1}}'), 'config', /"constructor"/],
])('%j is refused at %j', (fields, path, message) => {
  const refusal = refusalOf(fields);
  expect(refusal).toMatchObject({ code: 'invalid_hook', path, name: 'InvalidHookError' });
  expect(refusal.message).toMatch(message);
  expect(refusal.message.length).toBeLessThan(400);
});

const cyclic: Record<string, unknown> = {};
cyclic['self'] = cyclic;

test.each<[string, unknown, path: string, message: RegExp]>([
  ['a bigint', { ...hook, config: { priority: 5n } }, 'config.priority', /"guard".*config.priority is 5n; write a number/],
  ['an object that holds itself', { ...hook, matcher: { tool: cyclic } }, 'matcher.tool', /"guard".*matcher.tool is an object/],
  ['a RegExp', { ...hook, matcher: { command_pattern: /rm/i } }, 'matcher.command_pattern', /the RegExp \/rm\/i .as a string: "rm"/],
  ['a function', { ...hook, matcher: { tool: () => 'Bash' } }, 'matcher.tool', /matcher.tool is a function/],
  ['a symbol', { ...hook, config: { onError: Symbol('block') } }, 'config.onError', /Symbol\(block\).*"continue" or "block"/],
])('%s in a definition is refused by name', (_, fields, path, message) => {
  const refusal = refusalOf(fields);
  expect(refusal).toMatchObject({ code: 'invalid_hook', path, name: 'InvalidHookError' });
  expect(refusal.message).toMatch(message);
});

test.each([
  ['tool', () => HookMatcher.tool(undefined as never)],
  ['path_pattern', () => HookMatcher.path('')],
  ['command_pattern', () => HookMatcher.new().with_command(null as never)],
  ['session_id', () => HookMatcher.new().withSession(7 as never)],
])('a matcher is not made for a %s that is not a text: it would match everything', (field, make) => {
  expect(make).toThrow(expect.objectContaining({ code: 'invalid_hook', path: `matcher.${field}` }));
});

test.each([[{}], ['now'], [new AbortController()], [null]])('fire rejects the signal %p', async (signal) => {
  const payload = { session_id: 's', tool: 'Bash', args: {}, working_directory: '/', recent_tools: [] };
  const fired = new HookEngine().fire({ event_type: 'pre_tool_use', payload }, { signal: signal as never });
  await expect(fired).rejects.toThrow(TypeError);
  await expect(fired).rejects.toThrow(/AbortSignal/);
});

test('options in other letters are refused, with the nearest', async () => {
  expect(() => new HookEngine({ pathFeilds: ['file'] } as object)).toThrow(/"pathFeilds".*Did you mean "pathFields"/);
  expect(() => HookEngine.new({ shelltools: ['exec'] } as object)).toThrow(/Did you mean "shellTools"/);
  const bus = new MessageBus();
  expect(() => new HookEngine().connect(bus, { nmae: 'policy' } as object)).toThrow(/no option "nmae". Did you mean "name"/);
  expect(() => remoteHandlers(bus, { accept: () => true, acept: () => false } as never)).toThrow(/"acept".*Did you mean "accept"/);
  await bus.close();
});

test('what is written with the builders is refused likewise', () => {
  const built = Hook.new('guard', 'pre_tool_use');
  expect(refusalOf(built.with_matcher({ tools: 'Bash' } as object))).toMatchObject({ path: 'matcher' });
  expect(refusalOf(built.with_matcher(HookMatcher.command('(')))).toMatchObject({ path: 'matcher.command_pattern' });
  expect(refusalOf(built.with_config({ timeout: 5 } as object))).toMatchObject({ path: 'config' });
  const inherited = JSON.parse('{"__proto__": {"tool": "Bash"}}') as object;
  expect(refusalOf(built.with_matcher(inherited))).toMatchObject({ path: 'matcher' });
});

test('null is as good as absent', () => {
  const engine = new HookEngine();
  engine.register({ ...hook, matcher: null, config: null } as never);
  expect(engine.get_hook('guard')).toEqual(Hook.new('guard', 'pre_tool_use'));
  engine.register({ ...hook, matcher: { tool: null, session_id: 's1' }, config: { priority: null, max_retries: 2 } } as never);
  const defaults = { timeout_ms: 30_000, async_execution: false, onError: 'continue' };
  expect(engine.get_hook('guard')?.config).toEqual({ priority: 100, max_retries: 2, ...defaults });
  expect({ ...engine.get_hook('guard')?.matcher }).toEqual({ session_id: 's1' });
});

test('a refused definition leaves the one that was registered before', () => {
  const engine = new HookEngine();
  engine.register({ ...hook, matcher: { tool: 'Bash' } } as Hook);
  expect(() => engine.register({ ...hook, matcher: { command_pattern: '(' } } as Hook)).toThrow(InvalidHookError);
  expect({ ...engine.get_hook('guard')?.matcher }).toEqual({ tool: 'Bash' });
});

test.each([
  ['guard', null, 'handle'],
  ['guard', {}, 'handle'],
  ['guard', () => {}, 'handle'],
  ['', { handle: () => {} }, 'id'],
  [undefined, { handle: () => {} }, 'id'],
  [{}, { handle: () => {} }, 'id'],
])('a handler for %j that is %p is refused', (id, handler, path) => {
  const engine = new HookEngine();
  expect(() => engine.register_handler(id as string, handler as never)).toThrow(expect.objectContaining({ code: 'invalid_hook', path }));
});

test.each([
  [{ pathFields: 'file_path' }],
  [{ pathFields: ['edits[]file_path'] }],
  [{ pathFields: [''] }],
  [{ shellTools: [7] }],
  [{ shellTools: 'Bash' }],
])('the settings %j are refused', (options) => {
  expect(() => new HookEngine(options as never)).toThrow(TypeError);
});

test.each([
  [null],
  [{}],
  [{ event_type: 'pre_tool', payload: {} }],
  [{ event_type: 'pre_tool_use' }],
  [{ event_type: '__proto__', payload: {} }],
])('fire rejects %j, which is not an event', async (event) => {
  const fired = new HookEngine().fire(event as never);
  await expect(fired).rejects.toThrow(TypeError);
  await expect(fired).rejects.toThrow(/event_type, payload/);
});
