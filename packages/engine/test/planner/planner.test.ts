import { type Dialect, eventEntry, type HookDefinition, type HookEvent, hookEventNames } from '@tenterhook/protocol';
import { HookPlanner } from '../../src/planner/planner.js';
import type { HookSet } from '../../src/registry/registry.js';
import { eventOf, fakeDialect, hookOf } from '../engine-rig.js';

/** A dialect that counts how often it is asked. It reads the tool's name, and of the event what `reads` does. */
function counting(reads: (event: HookEvent) => unknown = () => {}, name = 'fake') {
  const dialect = fakeDialect();
  let asked = 0;
  return {
    dialect: fakeDialect({
      name,
      select: (hook, event) => {
        asked += 1;
        reads(event);
        return dialect.select(hook, event);
      },
    }),
    asked: () => asked,
  };
}
const tool = (tool_name: string, tool_input = {}) => eventOf('BeforeTool', { tool_name, tool_input });
const onServer = (tool_name: string, mcp_context: unknown) => eventOf('BeforeTool', { tool_name, tool_input: {}, mcp_context });
const hooks = [hookOf('a', { matcher: 'write' })];
const readServer = ({ input }: HookEvent) => (input['mcp_context'] as { server_name?: unknown } | undefined)?.server_name;

/** A set whose BeforeTool hooks are these. */
function setOf(dialects: readonly Dialect[], own: readonly HookDefinition[] = hooks): HookSet {
  const none = Object.fromEntries(hookEventNames.map((eventName) => [eventName, []]));
  return { dialects, hooks: { ...none, BeforeTool: own } as never, off: none as never, diagnostics: [] };
}

test('one subject is planned once, whatever else the event holds', () => {
  const { dialect, asked } = counting();
  const [planner, set] = [new HookPlanner(), setOf([dialect])];
  const plan = planner.plan(set, tool('write_file', { a: 1 }));
  expect(planner.plan(set, tool('write_file', { a: 2 }))).toBe(plan);
  expect(planner.plan(set, onServer('write_file', { server_name: 's' }))).toBe(plan);
  expect(asked()).toBe(1);
});

test('another subject, another event with the same subject, and another set have plans of their own', () => {
  const { dialect } = counting();
  const [planner, set] = [new HookPlanner(), setOf([dialect])];
  expect(planner.plan(set, tool('write_file')).stages).toHaveLength(1);
  expect(planner.plan(set, tool('read_file')).stages).toEqual([]);
  expect(planner.plan(set, { ...tool('write_file'), eventName: 'AfterTool' }).order).toEqual([]);
  expect(planner.plan(setOf([dialect], []), tool('write_file')).order).toEqual([]);
});

const readsMore: Record<string, (event: HookEvent) => unknown> = {
  'the arguments': ({ input }) => input['tool_input'],
  'the session': ({ input }) => input.session_id,
  'the names of the fields': ({ input }) => Object.keys(input),
  'whether there is a field': ({ input }) => 'tool_input' in input,
  'whether there is a field of its own': ({ input }) => Object.hasOwn(input, 'tool_input'),
  'all of it, as JSON': ({ input }) => JSON.stringify(input),
  'all of it, by a copy': ({ input }) => ({ ...input }),
  'the project': ({ projectDir }) => projectDir,
  'more of the MCP context': ({ input }) => (input['mcp_context'] as { resource?: unknown } | undefined)?.resource,
};

test.each(Object.entries(readsMore))('a dialect that reads %s is asked each time', (_, reads) => {
  const { dialect, asked } = counting(reads);
  const [planner, set] = [new HookPlanner(), setOf([dialect])];
  const event = onServer('write_file', { server_name: 's', resource: 'r' });
  // Once while its reads are recorded, and once for the plan.
  const plan = planner.plan(set, event);
  expect(asked()).toBe(2);
  expect(planner.plan(set, event)).not.toBe(plan);
  expect(asked()).toBe(3);
  expect(planner.plan(set, onServer('read_file', { server_name: 's' })).stages).toEqual([]);
});

test('what a dialect reads may depend on the subject, and only that subject is asked about each time', () => {
  const { dialect, asked } = counting(({ input }) => input['tool_name'] === 'write_file' && input['tool_input']);
  const [planner, set] = [new HookPlanner(), setOf([dialect])];
  for (const name of ['write_file', 'read_file', 'read_file', 'write_file', 'read_file']) planner.plan(set, tool(name));
  expect(asked()).toBe(4);
});

test('the same of the server: the arguments are read for the tools of one server only', () => {
  const { dialect, asked } = counting((event) => readServer(event) === 'files' && event.input['tool_input']);
  const [planner, set] = [new HookPlanner(), setOf([dialect])];
  const on = (server_name: string) => planner.plan(set, onServer('write_file', { server_name }));
  const plan = on('other');
  expect(on('files')).not.toBe(on('files'));
  expect(on('other')).toBe(plan);
  expect(asked()).toBe(1 + 2 + 1);
});

test('a plan is that of the event itself, whatever the event looks like while reads are recorded', () => {
  const frozen = eventOf('BeforeTool', Object.freeze({ tool_name: 'x', tool_input: {}, mcp_context: Object.freeze({ server_name: 's' }) }));
  const byIdentity = fakeDialect({
    select: (_hook, { input }) =>
      input === frozen.input
        ? { run: true, reason: 'the same' }
        : { run: false, skipReason: 'condition', reason: String(Object.keys(input)) },
  });
  const [planner, set] = [new HookPlanner(), setOf([byIdentity])];
  expect(planner.plan(set, frozen).stages).toHaveLength(1);

  const byServer = fakeDialect({ select: (_hook, event) => ({ run: true, reason: `on ${String(readServer(event))}` }) });
  Object.freeze(frozen.input);
  expect(new HookPlanner().plan(setOf([byServer]), frozen).stages).toHaveLength(1);
});

test('a dialect without hooks of the event does not affect the cache', () => {
  const { dialect, asked } = counting();
  const other = counting((event) => event.input['tool_input'], 'other');
  const [planner, set] = [new HookPlanner(), setOf([dialect, other.dialect])];
  planner.plan(set, tool('write_file'));
  planner.plan(set, tool('write_file'));
  expect([asked(), other.asked()]).toEqual([1, 0]);
});

test('nor has one whose hooks are all known not to run', () => {
  const { dialect, asked } = counting();
  const other = counting((event) => event.input['tool_input'], 'other');
  const skip = { skipReason: 'disabled', reason: 'off' } as const;
  const own = [...hooks, hookOf('off', { dialect: 'other', skip })];
  const [planner, set] = [new HookPlanner(), setOf([dialect, other.dialect], own)];
  expect(planner.plan(set, tool('write_file')).skipped).toMatchObject([{ hook: { id: 'off' } }]);
  planner.plan(set, tool('write_file'));
  expect([asked(), other.asked()]).toEqual([1, 0]);
});

test('one dialect that reads more is enough that nothing is remembered', () => {
  const { dialect } = counting();
  const other = counting((event) => event.input['tool_input'], 'other');
  const [planner, set] = [new HookPlanner(), setOf([dialect, other.dialect], [...hooks, hookOf('b', { dialect: 'other' })])];
  expect(planner.plan(set, tool('write_file'))).not.toBe(planner.plan(set, tool('write_file')));
});

test('without a hook that may run no dialect is called', () => {
  const { dialect, asked } = counting();
  const skip = { skipReason: 'disabled', reason: 'off' } as const;
  const [planner, set] = [new HookPlanner(), setOf([dialect], [hookOf('off', { skip })])];
  expect(planner.plan(set, tool('write_file'))).toBe(planner.plan(set, tool('write_file')));
  expect(asked()).toBe(0);
});

test('dialects that read different things of an event have one plan for each combination', () => {
  const { dialect, asked } = counting();
  const byServer = counting(readServer, 'second');
  const own = [...hooks, hookOf('b', { dialect: 'second' })];
  const [planner, set] = [new HookPlanner(), setOf([dialect, byServer.dialect], own)];
  const on = (tool_name: string, server_name: string) => onServer(tool_name, { server_name });
  const plan = planner.plan(set, on('write_file', 's'));
  expect(planner.plan(set, on('write_file', 's'))).toBe(plan);
  for (const other of [on('write_file', 't'), on('write', 's'), on('write_files', ''), on('10:write_file', '1:s'), tool('write_file')]) {
    expect(planner.plan(set, other)).not.toBe(plan);
  }
  expect(asked()).toBe(6);
});

test('two contexts have one plan only where server and tool are the same', () => {
  const { dialect, asked } = counting(readServer);
  const [planner, set] = [new HookPlanner(), setOf([dialect])];
  const contexts = [
    undefined,
    { server_name: '' },
    { server_name: 'a' },
    { server_name: 'a', tool_name: '' },
    { server_name: 'a', tool_name: 'b' },
    { server_name: 'a:b' },
    { server_name: 'a:b', tool_name: 'b' },
  ];
  const plans = contexts.map((context) => planner.plan(set, onServer('write_file', context)));
  expect(new Set(plans).size).toBe(contexts.length);
  expect(contexts.map((context) => planner.plan(set, onServer('write_file', context && { ...context, more: 1 })))).toEqual(plans);
  expect(asked()).toBe(contexts.length);
});

test.each([5, null, [], 'text', {}, { server_name: 1 }, { server_name: 'a', tool_name: 2 }])(
  'a context that is %j is not remembered by a dialect that reads it',
  (context) => {
    const { dialect } = counting(readServer);
    const [planner, set] = [new HookPlanner(), setOf([dialect])];
    expect(planner.plan(set, onServer('write_file', context))).not.toBe(planner.plan(set, onServer('write_file', context)));
  },
);

test('an event whose subject is missing is planned each time', () => {
  const { dialect, asked } = counting();
  const [planner, set] = [new HookPlanner(), setOf([dialect])];
  for (const name of [undefined, 5, 6]) planner.plan(set, tool(name as never));
  expect(asked()).toBe(3);
});

test('of an event without a subject there is one plan', () => {
  expect(eventEntry('BeforeAgent')).not.toHaveProperty('matcherField');
  const { dialect, asked } = counting();
  const set: HookSet = { ...setOf([dialect]), hooks: { BeforeAgent: hooks } as never };
  const planner = new HookPlanner();
  const plan = planner.plan(set, eventOf('BeforeAgent', { prompt: 'one' }));
  expect(planner.plan(set, eventOf('BeforeAgent', { prompt: 'two' }))).toBe(plan);
  expect(planner.planOfSubject(set, 'BeforeAgent', '', undefined)).toBe(plan);
  expect(asked()).toBe(1);
});

test('what is remembered is bounded: of 1025 subjects the oldest is planned again', () => {
  const { dialect, asked } = counting();
  const [planner, set] = [new HookPlanner(), setOf([dialect])];
  for (let index = 0; index < 1025; index += 1) planner.plan(set, tool(`tool-${index}`));
  planner.plan(set, tool('tool-1024'));
  expect(asked()).toBe(1025);
  planner.plan(set, tool('tool-0'));
  expect(asked()).toBe(1026);
});

test('so is what is remembered of servers', () => {
  const { dialect, asked } = counting(readServer);
  const [planner, set] = [new HookPlanner(), setOf([dialect])];
  const on = (index: number) => planner.plan(set, onServer('write_file', { server_name: `server-${index}` }));
  for (let index = 0; index < 1025; index += 1) on(index);
  on(1024);
  expect(asked()).toBe(1025);
  on(0);
  expect(asked()).toBe(1026);
});

describe('before there is an event', () => {
  test('the plan of a subject is that of its events', () => {
    const { dialect, asked } = counting(readServer);
    const [planner, set] = [new HookPlanner(), setOf([dialect])];
    const plan = planner.planOfSubject(set, 'BeforeTool', 'write_file', undefined);
    expect(planner.plan(set, tool('write_file'))).toBe(plan);
    const ofServer = planner.planOfSubject(set, 'BeforeTool', 'write_file', { server_name: 's' });
    expect(planner.plan(set, onServer('write_file', { server_name: 's' }))).toBe(ofServer);
    expect(ofServer).not.toBe(plan);
    expect(asked()).toBe(2);
  });

  test('there is no such plan if the dialect reads more, and it is not called a second time', () => {
    const { dialect, asked } = counting(({ input }) => (input['tool_input'] as { path: string }).path);
    const [planner, set] = [new HookPlanner(), setOf([dialect])];
    expect(planner.planOfSubject(set, 'BeforeTool', 'write_file', undefined)).toBeUndefined();
    expect(planner.planOfSubject(set, 'BeforeTool', 'write_file', undefined)).toBeUndefined();
    expect(asked()).toBe(1);
    expect(planner.plan(set, tool('read_file')).stages).toEqual([]);
  });

  test('nor of a subject that no event can have', () => {
    const { dialect, asked } = counting();
    const set: HookSet = { ...setOf([dialect]), hooks: { SessionStart: hooks } as never };
    expect(new HookPlanner().planOfSubject(set, 'SessionStart', 'sometimes', undefined)).toBeUndefined();
    expect(asked()).toBe(0);
  });
});
