/** Hooks that are functions: how they are registered, and which events they are for. */
const engine = 'packages/handlers/src/hook-engine.ts';
const registrations = 'packages/handlers/src/registrations.ts';
const matcher = 'packages/handlers/src/matching/compile-matcher.ts';
const globs = 'packages/patterns/src/path-glob.ts';
const names = 'packages/handlers/src/definition/hook-event-type.ts';

const eventTypes = ['PreToolUse', 'PostToolUse', 'GenerateStart', 'GenerateEnd', 'SessionStart', 'SessionEnd'];

/** A type of events that means another event of an agent. */
const meaning = (type, name, other, id) => ({
  file: names,
  search: `${type}: '${name}',`,
  replace: `${type}: '${other}',`,
  ids: [`002/event-types/${id}`],
});

/** A registered hook with one field of another value. */
const registeredWith = (field, value, ...ids) => ({
  file: registrations,
  search: 'const hook = readHook(fields);',
  replace: `const hook = readHook({ ...(fields as object), ${field}: ${value} });`,
  ids,
});

const registering = [
  {
    file: registrations,
    search: 'inOrder.filter(({ hook }) => hook.event_type === type)',
    replace: 'inOrder.filter(({ hook }) => hook.event_type !== type)',
    ids: eventTypes.map((type) => `002/event-types/${type}`),
  },
  {
    file: registrations,
    search: 'inOrder.filter(({ hook }) => hook.event_type === type)',
    replace: 'inOrder',
    ids: eventTypes.map((type) => `002/event-types/${type}`),
  },
  meaning('pre_tool_use', 'BeforeTool', 'AfterTool', 'PreToolUse'),
  meaning('post_tool_use', 'AfterTool', 'BeforeTool', 'PostToolUse'),
  meaning('generate_start', 'BeforeModel', 'AfterModel', 'GenerateStart'),
  meaning('generate_end', 'AfterModel', 'BeforeModel', 'GenerateEnd'),
  meaning('session_start', 'SessionStart', 'SessionEnd', 'SessionStart'),
  meaning('session_end', 'SessionEnd', 'SessionStart', 'SessionEnd'),
  registeredWith('id', "'other'", '002/Hook/id'),
  registeredWith('event_type', "'post_tool_use'", '002/Hook/event_type'),
  registeredWith('matcher', 'null', '002/Hook/matcher'),
  registeredWith('config', 'null', '002/Hook/config'),
  {
    file: registrations,
    search: 'a.hook.config.priority - b.hook.config.priority',
    replace: 'b.hook.config.priority - a.hook.config.priority',
    ids: ['002/HookConfig/priority'],
  },
  {
    file: registrations,
    search: 'a.hook.config.priority - b.hook.config.priority',
    replace: '(a.hook.config.priority % 100) - (b.hook.config.priority % 100)',
    ids: ['002/HookConfig/priority'],
  },
  {
    file: registrations,
    search: 'this.#hooks.delete(id);',
    replace: '',
    ids: ['002/HookEngine/unregister'],
  },
  {
    file: registrations,
    search: 'return known?.hook ?? null;',
    replace: 'return null;',
    ids: ['002/HookEngine/unregister'],
  },
  {
    file: registrations,
    search: 'this.#setHandler(id, handler as HookHandler);',
    replace: '',
    ids: ['002/HookEngine/register_handler'],
  },
  {
    file: registrations,
    search: 'if (this.#handlers.delete(id)) this.#setHandler(id, undefined);',
    replace: 'this.#handlers.delete(id);',
    ids: ['002/HookEngine/unregister_handler'],
  },
  {
    file: engine,
    search: 'constructor(options: HookEngineOptions = {}) {',
    replace: 'constructor(options: HookEngineOptions) {',
    ids: ['002/HookEngine/new'],
  },
  { file: engine, search: 'return new HookEngine(options);', replace: 'return undefined as never;', ids: ['002/HookEngine/new'] },
  { file: engine, search: 'this.#registrations.addHook(hook);', replace: '', ids: ['002/HookEngine/register'] },
  {
    file: engine,
    search: 'return this.#registrations.all.map(({ hook }) => hook);',
    replace: 'return this.#registrations.all.map(({ hook }) => hook).reverse();',
    ids: ['002/HookEngine/all_hooks'],
  },
  {
    file: engine,
    search: 'return this.#registrations.find(id)?.hook ?? null;',
    replace: 'return (this.#registrations.find(id) ?? this.#registrations.all[0])?.hook ?? null;',
    ids: ['002/HookEngine/get_hook'],
  },
  {
    file: engine,
    search: 'return this.#registrations.count;',
    replace: 'return this.#registrations.all.filter(({ handler }) => handler !== undefined).length;',
    ids: ['002/HookEngine/hook_count'],
  },
  {
    file: engine,
    search: 'dispatchEvent(event, this.#registrations.of(event.event_type), context)',
    replace: 'dispatchEvent(event, [], context)',
    ids: ['002/HookEngine/fire'],
  },
];

const matching = [
  { file: matcher, search: '(name === tool ? undefined', replace: '(name?.startsWith(tool) ? undefined', ids: ['002/HookMatcher/tool'] },
  {
    file: matcher,
    search: '(sessionId === session_id ? undefined',
    replace: '(sessionId !== session_id ? undefined',
    ids: ['002/HookMatcher/session_id'],
  },
  {
    file: matcher,
    search: "typeof text === 'string' && test(text)",
    replace: "typeof text === 'string'",
    ids: ['002/HookMatcher/command_pattern'],
  },
  { file: matcher, search: 'workingDirectory).some(test)', replace: 'workingDirectory).length > 0', ids: ['002/HookMatcher/path_pattern'] },
  { file: globs, search: "const INSIDE_SEGMENT = '[^/]*';", replace: "const INSIDE_SEGMENT = '.*';", ids: ['002/glob/star'] },
  {
    file: globs,
    search: "const EVERYTHING_BELOW = '(?:/[\\\\s\\\\S]*)?';",
    replace: "const EVERYTHING_BELOW = '(?:/[^/]*)?';",
    ids: ['002/glob/two-stars'],
  },
  {
    file: globs,
    search: "if (!compiled.ok || pattern.includes('/')) return compiled;",
    replace: "if (!compiled.ok || pattern !== '') return compiled;",
    ids: ['002/glob/ending'],
  },
];

export const inversionsOfHandlers = [...registering, ...matching];
