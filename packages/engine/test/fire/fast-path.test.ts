import { MessageBus } from '@tenterhook/bus';
import { type AggregatedHookResult, type Channel, type Dialect, eventEntry, hookEventNames } from '@tenterhook/protocol';
import { HookSystem } from '../../src/hook-system.js';
import { HookService } from '../../src/service/hook-service.js';
import type { HookSystemOptions } from '../../src/system-options.js';
import { answering, fakeDialect, hookOf, sourceOf } from '../engine-rig.js';

const systems: HookSystem[] = [];
afterEach(async () => {
  for (const system of systems.splice(0)) await system.dispose();
});

/** Counts how often it is asked whether a hook runs. */
function countingDialect(changes: Partial<Dialect> = {}) {
  const { select } = fakeDialect();
  let selections = 0;
  const dialect = fakeDialect({
    select: (hook, event) => {
      selections += 1;
      return select(hook, event);
    },
    ...changes,
  });
  return { dialect, selections: () => selections };
}

function systemOf(hooks = [hookOf('a', { matcher: 'write' })], options: Partial<HookSystemOptions> = {}) {
  const source = sourceOf(hooks);
  const system = new HookSystem({
    projectDir: '/srv/app',
    dialects: [countingDialect().dialect],
    sources: [source],
    executors: [answering({})],
    ...options,
  });
  systems.push(system);
  return { system, source, handler: system.getEventHandler() };
}

const unwatchedAnd = (system: HookSystem) => () => system.getEventHandler().fireBeforeToolEvent('read_file', { path: 'a' });

/** What happens to the same event while the bus is watched. */
async function overTheBus(system: HookSystem): Promise<AggregatedHookResult> {
  const unsubscribe = system.bus.subscribe('HOOK_EXECUTION_PROGRESS', () => {});
  const result = await unwatchedAnd(system)();
  unsubscribe();
  return result;
}

test('an event that no hook matches has one answer for all its calls, whatever else it holds', async () => {
  const { dialect, selections } = countingDialect();
  const { handler } = systemOf(undefined, { dialects: [dialect] });
  const answer = handler.fireBeforeToolEvent('read_file', { path: 'a' });
  expect(handler.fireBeforeToolEvent('read_file', { path: 'b' }, { server_name: 's' })).toBe(answer);
  expect(handler.fire('BeforeTool', { tool_name: 'read_file', tool_input: {} })).toBe(answer);
  expect(selections()).toBe(1);
  expect(await answer).toMatchObject({ success: true, verdict: { kind: 'none' }, outcomes: [{ hookId: 'a', skipReason: 'matcher' }] });
});

test('the answer is that of the bus, and frozen all the way down', async () => {
  const skip = { skipReason: 'invalid', reason: 'broken', warning: { code: 'invalid_timeout', message: 'm' } } as const;
  const { system } = systemOf([hookOf('a', { matcher: 'write' }), hookOf('b', { skip })]);
  const answer = await unwatchedAnd(system)();
  const carried = await overTheBus(system);
  expect(carried).toEqual(answer);
  expect(answer).toMatchObject({
    totalDuration: 0,
    errors: [],
    allOutputs: [],
    outcomes: [{}, { warnings: [{ code: 'invalid_timeout' }] }],
  });
  expect(answer).not.toHaveProperty('finalOutput');
  expect(unfrozenIn(answer)).toEqual([]);
});

test('what was first carried over the bus is answered with the very result', async () => {
  const { system } = systemOf();
  const carried = await overTheBus(system);
  expect(await unwatchedAnd(system)()).toBe(carried);
});

test('another subject and another event have answers of their own; one that matches runs its hook', async () => {
  const { handler } = systemOf([hookOf('a', { matcher: 'write' }), hookOf('after', { matcher: 'write', eventName: 'AfterTool' })]);
  const answer = handler.fireBeforeToolEvent('read_file', {});
  expect(handler.fireBeforeToolEvent('list_files', {})).not.toBe(answer);
  expect((await handler.fireAfterToolEvent('read_file', {}, {})).outcomes).toMatchObject([{ hookId: 'after' }]);
  expect((await handler.fireBeforeToolEvent('write_file', {})).outcomes).toMatchObject([{ status: 'succeeded' }]);
});

test.each<[string, Partial<HookSystemOptions>, object]>([
  ['untrusted', { isTrusted: () => false }, {}],
  ['disabled', {}, { skip: { skipReason: 'disabled', reason: 'off' } }],
  ['invalid', {}, { skip: { skipReason: 'invalid', reason: 'broken' } }],
])('hooks that are all %s are not asked about, whatever their dialect could say', async (skipReason, options, fields) => {
  const { handler } = systemOf([hookOf('a', fields)], { ...options, dialects: [fakeDialect()] });
  const answer = handler.fireBeforeToolEvent('write_file', {});
  expect(handler.fireBeforeToolEvent('anything', {})).toBe(answer);
  expect((await answer).outcomes).toMatchObject([{ status: 'skipped', skipReason }]);
});

test('an event without a subject is idle where its hooks all stay out', async () => {
  const skip = { skipReason: 'disabled', reason: 'off' } as const;
  const { handler } = systemOf([hookOf('a', { eventName: 'BeforeAgent', skip })]);
  expect(handler.fireBeforeAgentEvent('one')).toBe(handler.fire('BeforeAgent', { prompt: 'two' }));
});

test.each<Channel>(['HOOK_EXECUTION_REQUEST', 'HOOK_EXECUTION_PROGRESS', 'HOOK_EXECUTION_RESPONSE'])(
  'while there is a listener on %s every event with hooks travels over the bus',
  async (channel) => {
    const { system } = systemOf();
    const fire = unwatchedAnd(system);
    const answer = fire();
    let heard = 0;
    const unsubscribe = system.bus.subscribe(channel, () => {
      heard += 1;
    });
    expect(fire()).not.toBe(answer);
    await fire();
    expect(heard).toBe(2);
    unsubscribe();
    expect(fire()).toBe(answer);
    const subscription = system.bus.stream(channel).subscribe(() => {});
    expect(fire()).not.toBe(answer);
    subscription.unsubscribe();
    expect(fire()).toBe(answer);
  },
);

test('on a bus that was given, its services are not taken for watchers; another responder counts, and so does a missing one', async () => {
  const bus = new MessageBus();
  const { system } = systemOf(undefined, { bus });
  const fire = unwatchedAnd(system);
  expect((await fire()).errors[0]?.code).toBe('no_responders');
  const services = [new HookService({ bus, system }), new HookService({ bus, system })];
  const answer = fire();
  expect(fire()).toBe(answer);
  const stop = bus.respond('HOOK_EXECUTION_REQUEST', async () => ({ success: false, error: { code: 'timeout', message: 'm' } }));
  expect(fire()).not.toBe(answer);
  stop();
  services[0]?.dispose();
  services[0]?.dispose();
  expect(fire()).toBe(answer);
  services[1]?.dispose();
  expect((await fire()).errors[0]?.code).toBe('no_responders');
  await bus.close();
});

test('a service on another bus answers nothing on this one', async () => {
  const [bus, other] = [new MessageBus(), new MessageBus()];
  const { system } = systemOf(undefined, { bus });
  new HookService({ bus: other, system });
  expect((await unwatchedAnd(system)()).errors[0]?.code).toBe('no_responders');
  await Promise.all([bus.close(), other.close()]);
});

test('a swapped set has answers of its own', async () => {
  const { system, source } = systemOf();
  const fire = unwatchedAnd(system);
  const answer = fire();
  source.swap([hookOf('b', { matcher: 'write' })]);
  expect(fire()).not.toBe(answer);
  expect((await fire()).outcomes).toMatchObject([{ hookId: 'b', status: 'skipped' }]);
  source.swap([hookOf('b', { matcher: 'read' })]);
  expect((await fire()).outcomes).toMatchObject([{ hookId: 'b', status: 'succeeded' }]);
  source.swap([]);
  expect(system.has('BeforeTool')).toBe(false);
  expect((await fire()).outcomes).toEqual([]);
});

const normal: Record<string, Partial<Dialect>> = {
  'a dialect that reads the arguments': {
    select: (hook, event) => (event.input['tool_input'] === undefined ? { run: true, reason: 'none' } : fakeDialect().select(hook, event)),
  },
  'a dialect that throws without the arguments': {
    select: (hook, event) => {
      Object.keys(event.input['tool_input'] as object);
      return fakeDialect().select(hook, event);
    },
  },
  'a dialect that reads all of the event': {
    select: (hook, event) => fakeDialect().select(hook, { ...event, input: { ...event.input } }),
  },
  'a dialect that reads the project': {
    select: (hook, { projectDir, ...event }) => fakeDialect().select(hook, { ...event, projectDir }),
  },
  'a hook that is still in question': {
    select: () => ({ run: false, skipReason: 'condition', reason: 'it depends', reconsider: true }),
  },
};

test.each(Object.entries(normal))('%s: the event goes over the bus', async (_, changes) => {
  const { system } = systemOf(undefined, { dialects: [countingDialect(changes).dialect] });
  const fire = unwatchedAnd(system);
  const answer = fire();
  expect(fire()).not.toBe(answer);
  expect((await answer).outcomes.map((outcome) => outcome.status)).toEqual(['skipped']);
});

const notASubject: Record<string, [string, unknown]> = {
  'a source that there is not': ['SessionStart', { source: 'sometimes' }],
  'no source': ['SessionStart', {}],
  'a tool name that is not text': ['BeforeTool', { tool_name: 5, tool_input: {} }],
  'an invalid context of a tool': ['BeforeTool', { tool_name: 'read_file', tool_input: {}, mcp_context: null }],
};

test.each(Object.entries(notASubject))('%s is reported, and not answered as if nothing matched', async (_, [eventName, input]) => {
  const { handler } = systemOf([hookOf('a', { matcher: 'x' }), hookOf('b', { matcher: 'x', eventName: 'SessionStart' })]);
  for (const attempt of [1, 2]) {
    const result = await handler.fire(eventName, input as Record<string, unknown>);
    expect([attempt, result.success, result.errors[0]?.code]).toEqual([attempt, false, 'validation_failed']);
  }
});

test('an invalid input never throws', async () => {
  const { handler } = systemOf();
  const throwing = Object.defineProperty({}, 'tool_name', {
    enumerable: true,
    get: () => {
      throw new Error('oops');
    },
  });
  for (const input of [null, undefined, 5, 'x', throwing]) {
    expect((await handler.fire('BeforeTool', input as never)).success).toBe(false);
  }
});

test('there is nothing to cancel and no time that could run out: the answer is there', () => {
  const { handler } = systemOf();
  const answer = handler.fireBeforeToolEvent('read_file', {});
  for (const options of [{ signal: AbortSignal.abort() }, { timeoutMs: 0 }, { timeoutMs: Number.NaN }]) {
    expect(handler.fireBeforeToolEvent('read_file', {}, undefined, options)).toBe(answer);
    expect(handler.fireAfterAgentEvent('p', 'r', false, options)).toBe(handler.fireBeforeAgentEvent('p'));
  }
});

test('a system that is disposed answers nothing at once, with hooks and without', async () => {
  const { system, handler } = systemOf();
  const answers = [unwatchedAnd(system)(), handler.fireBeforeAgentEvent('p')];
  await system.dispose();
  const after = [unwatchedAnd(system)(), handler.fireBeforeAgentEvent('p')];
  expect((await Promise.all(answers)).map((result) => result.success)).toEqual([true, true]);
  expect((await Promise.all(after)).map((result) => result.errors[0]?.code)).toEqual(['disposed', 'disposed']);
});

test('dialects that read different things of an event are kept apart', async () => {
  const { select } = fakeDialect();
  const byServer = fakeDialect({
    name: 'second',
    select: (hook, event) => {
      const { server_name: server } = (event.input['mcp_context'] ?? {}) as { server_name?: string };
      return server === 'never' ? { run: true, reason: 'on this server' } : select(hook, event);
    },
  });
  const dialects = [countingDialect().dialect, byServer];
  const { handler } = systemOf([hookOf('a', { matcher: 'x' }), hookOf('b', { matcher: 'x', dialect: 'second' })], { dialects });
  const fire = (tool: string, server: string) => handler.fireBeforeToolEvent(tool, {}, { server_name: server });
  expect(fire('t', 's')).toBe(fire('t', 's'));
  expect(fire('t', 'other')).not.toBe(fire('t', 's'));
  expect(fire('u', 's')).not.toBe(fire('t', 's'));
});

test('every event of the catalogue has its idle answer', () => {
  const skip = { skipReason: 'disabled', reason: 'off' } as const;
  const { handler } = systemOf(hookEventNames.map((eventName) => hookOf(eventName, { eventName, skip })));
  const answers = () => [
    handler.fireBeforeToolEvent('t', {}),
    handler.fireAfterToolEvent('t', {}, {}),
    handler.fireBeforeAgentEvent('p'),
    handler.fireAfterAgentEvent('p', 'r'),
    handler.fireBeforeModelEvent({}),
    handler.fireAfterModelEvent({}, {}),
    handler.fireBeforeToolSelectionEvent({}),
    handler.fireSessionStartEvent('startup'),
    handler.fireSessionEndEvent('exit'),
    handler.firePreCompressEvent('auto'),
    handler.fireNotificationEvent('ToolPermission', 'm', {}),
    handler.fire('HostStart', {}),
    handler.fire('HostEnd', {}),
    ...hookEventNames.slice(hookEventNames.indexOf('HostEnd') + 1).map((eventName) => {
      const { matcherField, matcherExample } = eventEntry(eventName);
      return handler.fire(eventName, matcherField === undefined ? {} : { [matcherField]: matcherExample });
    }),
  ];
  const [first, second] = [answers(), answers()];
  expect(new Set([...first, ...second]).size).toBe(hookEventNames.length);
});

/** Paths of the objects that could still be changed. */
function unfrozenIn(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, item]) => unfrozenIn(item, `${path}.${key}`));
  return Object.isFrozen(value) ? inside : [path, ...inside];
}
