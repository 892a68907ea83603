import { eventEntry, type HookDefinition, type HookEvent, type HookEventName, skipReasons } from '@tenterhook/protocol';
import type { DialectCase, DialectEvent, DialectScene } from './dialect-case.js';
import { hasMatcher, hooksOf, matchersOf, sampleEvent, sampleFields, sampleHook } from './samples.js';
import { shown } from './violations.js';

const numbers = [0, 1, 2, 3, 4, 5, 6];

/** Separators that programs write between the names of a server and a tool, or between the parts of a key. */
const separators = ['__', '|', '/', ':', '.', '-', ',', ' ', '%', '"', '\\', '\n', '\0', '\u2028'];

const tools = [
  'write_file',
  'read_file',
  'search',
  'run_shell_command',
  'mcp__a__b',
  'eca__write_file',
  'a',
  'b',
  'c',
  '',
  'WRITE_FILE',
  'naïve🦀',
];

export const selectingCases: readonly DialectCase[] = [
  {
    title: 'layOut() returns every hook once, in the order of the settings, the same each time',
    run: (scene) => {
      for (const event of scene.events) {
        const all = hooksOf(
          scene,
          numbers.map((number) => sampleHook(event, number)),
        );
        const order = requireLayOut(scene, event.dialectEvent, all);
        const given = all.map(({ id }) => id);
        scene.violations.require(String(order) === String(given), `layOut() of hooks of ${event.dialectEvent}`, order, shown(given));
        // Any of the hooks may be left out by its matcher, so all subsets are tried.
        for (let chosen = 0; chosen < 2 ** all.length - 1; chosen += 1) {
          const some = all.filter((_, index) => (chosen >> index) % 2 === 1);
          const expected = order.filter((id) => some.some((hook) => hook.id === id));
          const came = requireLayOut(scene, event.dialectEvent, some);
          const done = `layOut() of some hooks of ${event.dialectEvent}, ${shown(some.map(({ id }) => id))}`;
          scene.violations.require(String(came) === String(expected), done, came, `the order of all of them, ${shown(expected)}`);
        }
      }
    },
  },
  {
    title: 'select() is pure and returns a reason',
    run: (scene) => {
      for (const event of scene.events) {
        const hooks = matchedHooks(scene, event);
        const all = eventsToMatch(event.eventName);
        // Trying all fields with all matchers would take minutes, so about 60 of them are tried.
        const fields = all.filter((_, index) => index % Math.ceil(all.length / 60) === 0);
        for (const hook of hooks) {
          for (const input of fields) requireSelection(scene, hook, input);
          const rounds = [0, 1].map(() => fields.map((input) => selectionOf(scene, hook, input)));
          const index = fields.findIndex((_, place) => rounds[0]?.[place] !== rounds[1]?.[place]);
          const done = `select() of ${hook.id} for ${briefly(fields[index])}, before other events and after them`;
          scene.violations.require(index < 0, done, `${rounds[0]?.[index]} and ${rounds[1]?.[index]}`, 'one answer');
        }
      }
    },
  },
  {
    title: 'the matchers of the suite match some tools and not others',
    run: (scene) => {
      const matchers = matchersOf(scene.options);
      for (const event of scene.events.filter(({ eventName }) => hasMatcher(eventName) && matchers.length > 0)) {
        const hooks = matchedHooks(scene, event);
        const select = (hook: HookDefinition, input: HookEvent) =>
          scene.violations.attempt('select()', () => scene.dialect.select(hook, input).run);
        const runs = eventsToMatch(event.eventName).flatMap((input) => hooks.map((hook) => select(hook, input)?.value));
        if (runs.includes(true) && runs.includes(false)) continue;
        const came = `${runs.filter((run) => run).length} of ${runs.length} selections run`;
        const remedy = 'settings() must write the matcher, and options.matchers must be in the language of the dialect';
        scene.violations.add(`select() of matchers on ${event.dialectEvent}`, came, `some that run and some that do not: ${remedy}`);
      }
    },
  },
];

function requireLayOut({ dialect, violations }: DialectScene, spelling: string, hooks: readonly HookDefinition[]): string[] {
  const given = hooks.map(({ id }) => id);
  const done = `layOut() of ${hooks.length} hooks of ${spelling}, ${shown(given)}`;
  const stages =
    violations.pure(done, () => dialect.layOut(Object.freeze([...hooks])).map((stage) => stage.hooks.map(({ id }) => id)))?.value ?? [];
  const order = stages.flat();
  violations.require(String([...order].sort()) === String([...given].sort()), done, stages, 'each of them in one stage');
  violations.require(!stages.some((stage) => stage.length === 0), done, stages, 'no stage without a hook');
  return order;
}

/** Returns a hook without a matcher. For an event with a field to match, it also returns a hook with each matcher. */
function matchedHooks(scene: DialectScene, event: DialectEvent): readonly HookDefinition[] {
  const matchers = hasMatcher(event.eventName) ? matchersOf(scene.options) : [];
  return hooksOf(scene, [sampleHook(event, 0), ...matchers.map((matcher, index) => sampleHook(event, index + 1, { matcher }))]);
}

function requireSelection({ dialect, violations }: DialectScene, hook: HookDefinition, event: HookEvent): void {
  const done = `select() of ${shown(hook.matcher ?? 'a hook without a matcher')} for ${briefly(event)}`;
  const selection = violations.pure(done, () => dialect.select(hook, event))?.value;
  if (selection === undefined) return;
  const isReason = typeof selection.reason === 'string' && selection.reason !== '';
  const isRight = isReason && (selection.run === true || (selection.run === false && Object.hasOwn(skipReasons, selection.skipReason)));
  const expected = 'run: true or false, a reason in words, and with run: false a skipReason that is a key of skipReasons';
  violations.require(isRight, done, selection, expected);
}

/** Returns the parts of a selection that must be equal. The reason is left out, because it is a text for people. */
function selectionOf({ dialect }: DialectScene, hook: HookDefinition, event: HookEvent): string {
  try {
    return JSON.stringify(dialect.select(hook, event));
  } catch (error) {
    return String(error);
  }
}

function briefly(event: HookEvent | undefined): string {
  const { session_id: _id, transcript_path: _path, cwd: _cwd, hook_event_name: name, timestamp: _time, ...fields } = event?.input ?? {};
  return `${String(name)} ${shown(fields)}`;
}

/** Returns events that differ in everything that may decide a selection: tool, server, input and response of the tool. */
export function eventsToMatch(eventName: HookEventName): HookEvent[] {
  const fields = sampleFields(eventName);
  const variants = [fields, ...variantsOf(eventName, fields)];
  if (!hasMatcher(eventName)) return variants.map((each) => sampleEvent(eventName, each));
  const parts = separators.flatMap((separator) => [`a${separator}b`, `b${separator}c`]);
  const names = [...tools, ...parts];
  const servers = [undefined, '', 'eca', 'a', 'b', 'a__', ...separators.map((separator) => `a${separator}b`)];
  return names.flatMap((tool_name) =>
    servers.flatMap((server) => {
      const mcp = server === undefined ? {} : { mcp_context: { server_name: server } };
      return variants.map((each) => sampleEvent(eventName, { ...each, tool_name, ...mcp }));
    }),
  );
}

function variantsOf(eventName: HookEventName, fields: Record<string, unknown>): Record<string, unknown>[] {
  switch (eventName) {
    case 'BeforeTool':
      return [
        { ...fields, tool_input: {} },
        { ...fields, tool_input: { command: 'rm -rf /' }, approval: 'deny' },
      ];
    case 'AfterTool':
      return [
        { ...fields, tool_response: { llmContent: '', error: { message: 'no such file' } } },
        { ...fields, tool_response: {}, tool_input: { command: 'rm -rf /' } },
      ];
    case 'SessionStart':
      return ['resume', 'clear', 'compress', 'fork'].map((source) => ({ ...fields, source }));
    case 'SessionEnd':
      return ['clear', 'resume', 'logout', 'prompt_input_exit', 'other'].map((reason) => ({ ...fields, reason }));
    case 'PreCompress':
    case 'PostCompress':
      return [{ ...fields, trigger: 'auto' }];
    default: {
      const { matcherField } = eventEntry(eventName);
      return [sampleFields(eventName, 'another text'), ...(matcherField === undefined ? [] : [{ ...fields, [matcherField]: 'b' }])];
    }
  }
}
