import { MessageBus } from '@tenterhook/bus';
import {
  BeforeToolHookOutput,
  type Dialect,
  type HookDefinition,
  type HookExecutionProgress,
  type HookExecutor,
} from '@tenterhook/protocol';
import { HookSystem } from '../src/hook-system.js';
import type { CircuitBreakerOptions } from '../src/runner/circuit/circuit.js';
import { HookService } from '../src/service/hook-service.js';
import type { HookSystemOptions } from '../src/system-options.js';
import { answering, FakeExecutor, fakeDialect, hookOf, sourceOf } from './engine-rig.js';

const systems: HookSystem[] = [];
afterEach(async () => {
  for (const system of systems.splice(0)) await system.dispose();
});

function systemOf(hooks: readonly HookDefinition[], executor: HookExecutor, more: Partial<HookSystemOptions> & { dialect?: Dialect } = {}) {
  const source = sourceOf(hooks);
  const { dialect = fakeDialect(), ...options } = more;
  const system = new HookSystem({
    projectDir: '/srv/app',
    sessionId: 's1',
    dialects: [dialect],
    sources: [source],
    executors: [executor],
    ...options,
  });
  systems.push(system);
  const progress: HookExecutionProgress[] = [];
  system.bus.subscribe('HOOK_EXECUTION_PROGRESS', (message) => progress.push(message.payload));
  return { system, source, progress, handler: system.getEventHandler() };
}

const fire = (system: HookSystem, options = {}) =>
  system.getEventHandler().fireBeforeToolEvent('write_file', { path: 'a.txt' }, undefined, options);
const statuses = (result: { outcomes: readonly { status: string }[] }) => result.outcomes.map((outcome) => outcome.status);

test('an event makes one round trip: the answer has an output of its class and is frozen', async () => {
  const { system } = systemOf([hookOf('a')], answering({ a: { decision: 'deny', reason: 'no' } }));
  const result = await fire(system);
  expect(result.verdict).toEqual({ kind: 'deny', stop: false, reason: 'no', by: ['a'], stoppedBy: [] });
  expect(result.finalOutput).toBeInstanceOf(BeforeToolHookOutput);
  expect(Object.isFrozen(result.outcomes[0])).toBe(true);
});

test('without hooks for the event there is one answer for all, at once', async () => {
  const { system, handler, progress } = systemOf([hookOf('a')], answering({}));
  expect([system.has('BeforeTool'), system.has('AfterTool'), system.has('Nope' as never)]).toEqual([true, false, false]);
  expect(handler.fireAfterAgentEvent('p', 'r')).toBe(handler.fireSessionStartEvent('startup'));
  expect(await handler.fire('AfterTool', {})).toMatchObject({ success: true, verdict: { kind: 'none' }, outcomes: [] });
  expect(progress).toEqual([]);
});

test('every fire method sends its event with its fields', async () => {
  const events = [
    'BeforeTool',
    'AfterTool',
    'BeforeAgent',
    'AfterAgent',
    'BeforeModel',
    'AfterModel',
    'BeforeToolSelection',
    'SessionStart',
    'SessionEnd',
    'PreCompress',
    'Notification',
    'HostStart',
  ] as const;
  const { system, handler } = systemOf(
    events.map((eventName) => hookOf(eventName, { eventName })),
    answering({}),
  );
  const seen: unknown[] = [];
  system.bus.subscribe('HOOK_EXECUTION_REQUEST', ({ payload }) => seen.push([payload.eventName, payload.input]));
  const mcp = { server_name: 'github' };
  const results = [
    await handler.fireBeforeToolEvent('t', { a: 1 }, mcp),
    await handler.fireAfterToolEvent('t', { a: 1 }, { llmContent: 'x' }),
    await handler.fireBeforeAgentEvent('p'),
    await handler.fireAfterAgentEvent('p', 'r'),
    await handler.fireBeforeModelEvent({ model: 'm' }),
    await handler.fireAfterModelEvent({ model: 'm' }, { text: 'x' }),
    await handler.fireBeforeToolSelectionEvent({ model: 'm' }),
    await handler.fireSessionStartEvent('resume'),
    await handler.fireSessionEndEvent('exit'),
    await handler.firePreCompressEvent('auto'),
    await handler.fireNotificationEvent('ToolPermission', 'm', {}),
    await handler.fire('HostStart', {}),
  ];
  expect(seen).toEqual([
    ['BeforeTool', { tool_name: 't', tool_input: { a: 1 }, mcp_context: mcp }],
    ['AfterTool', { tool_name: 't', tool_input: { a: 1 }, tool_response: { llmContent: 'x' } }],
    ['BeforeAgent', { prompt: 'p' }],
    ['AfterAgent', { prompt: 'p', prompt_response: 'r', stop_hook_active: false }],
    ['BeforeModel', { llm_request: { model: 'm' } }],
    ['AfterModel', { llm_request: { model: 'm' }, llm_response: { text: 'x' } }],
    ['BeforeToolSelection', { llm_request: { model: 'm' } }],
    ['SessionStart', { source: 'resume' }],
    ['SessionEnd', { reason: 'exit' }],
    ['PreCompress', { trigger: 'auto' }],
    ['Notification', { notification_type: 'ToolPermission', message: 'm', details: {} }],
    ['HostStart', {}],
  ]);
  expect(results.map((result) => result.outcomes[0]?.hookId)).toEqual(events);
});

test('a watcher receives the plan, each start and each end, without outputs', async () => {
  const { system, progress } = systemOf(
    [hookOf('a', { name: 'first' }), hookOf('b', { matcher: 'read' })],
    answering({ a: { systemMessage: 'secret' } }),
  );
  await fire(system);
  expect(progress).toMatchObject([
    { kind: 'planned', eventName: 'BeforeTool', stages: [[{ hookId: 'a', name: 'first', dialect: 'fake', source: 'user' }]], skipped: 1 },
    { kind: 'hook-started', hookId: 'a', timeoutMs: 60_000 },
    { kind: 'hook-finished', hookId: 'a', outcome: { status: 'succeeded' } },
  ]);
  expect(new Set(progress.map((message) => message.correlationId)).size).toBe(1);
  expect(JSON.stringify(progress)).not.toContain('secret');
});

test('stages chain, and a deny ends the plan, which a watcher sees', async () => {
  const executor = new FakeExecutor();
  const { system } = systemOf([hookOf('a', { sequential: true }), hookOf('b'), hookOf('c')], executor);
  const skipped: unknown[] = [];
  system.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => payload.kind === 'hook-skipped' && skipped.push(payload));
  const fired = fire(system);
  (await executor.next()).answer({ hookSpecificOutput: { tool_input: { x: 1 } } });
  const b = await executor.next();
  expect(b.input['tool_input']).toEqual({ path: 'a.txt', x: 1 });
  b.answer({ decision: 'deny', reason: 'no' });
  const result = await fired;
  expect(statuses(result)).toEqual(['succeeded', 'blocked', 'skipped']);
  expect(skipped).toMatchObject([{ hookId: 'c', skipReason: 'chain-ended' }]);
  expect(executor.started).toEqual(['a', 'b']);
});

test.each([
  [false, 0],
  [true, 1],
])(
  'the environment is copied once for an event with a rewrite and a recheck if the dialect reads it (%s)',
  async (readsEnvironment, expected) => {
    let copies = 0;
    const ownKeys = (target: { HOME: string }) => {
      copies += 1;
      return Reflect.ownKeys(target);
    };
    const environment: Record<string, string> = new Proxy({ HOME: '/root' }, { ownKeys });
    const executor = new FakeExecutor();
    const dialect = fakeDialect({ readsEnvironment });
    const { system } = systemOf([hookOf('guard', { sequential: true }), hookOf('rewriter')], executor, { dialect, environment });
    copies = 0;
    const fired = fire(system);
    (await executor.next()).answer({});
    (await executor.next()).answer({ hookSpecificOutput: { tool_input: { path: 'b.txt' } } });
    (await executor.next()).answer({});
    expect((await fired).outcomes.map(({ hookId, recheck = false }) => [hookId, recheck])).toEqual([
      ['guard', false],
      ['rewriter', false],
      ['guard', true],
    ]);
    expect(copies).toBe(expected);
  },
);

const invalid: Record<string, [string, Record<string, unknown>, string, string]> = {
  'an unknown event': ['BeforeTools', {}, 'unsupported_event', 'BeforeTool'],
  'a missing field': ['BeforeTool', { tool_input: {} }, 'validation_failed', 'tool_name'],
  'a BigInt': ['BeforeTool', { tool_name: 't', tool_input: { size: 5n } }, 'validation_failed', 'tool_input.size'],
};

test.each(Object.entries(invalid))(
  '%s runs nothing, and the result has a code: fire never rejects',
  async (_, [eventName, input, code, says]) => {
    const executor = new FakeExecutor();
    const { handler } = systemOf([hookOf('a')], executor);
    const result = await handler.fire(eventName, input);
    expect(result).toMatchObject({
      success: false,
      verdict: { kind: 'none' },
      errors: expect.arrayContaining([{ code, message: expect.stringContaining(says) }]),
    });
    expect(executor.started).toEqual([]);
  },
);

test('over the bus an invalid input is validation_failed with the path of each issue', async () => {
  const { system } = systemOf([hookOf('a')], answering({}));
  const response = await system.bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: { tool_input: 5 } as never });
  expect(response.error).toMatchObject({ code: 'validation_failed', details: { issues: [{ path: 'tool_name' }, { path: 'tool_input' }] } });
});

test('a request that is cancelled in the middle of its plan has the outcomes so far', async () => {
  const executor = new FakeExecutor();
  const { system } = systemOf([hookOf('a', { sequential: true }), hookOf('b'), hookOf('c', { onError: 'block' })], executor);
  const response = system.bus.request('HOOK_EXECUTION_REQUEST', {
    correlationId: 'c1',
    eventName: 'BeforeTool',
    input: { tool_name: 't', tool_input: {} },
  });
  (await executor.next()).answer({ systemMessage: 'done' });
  await executor.next();
  system.bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'c1', reason: 'Esc' } });
  const { success, error } = await response;
  expect([success, error?.code, error?.message]).toEqual([false, 'cancelled', expect.stringContaining('Esc')]);
  expect(error?.details?.['outcomes']).toMatchObject([
    { hookId: 'a', status: 'succeeded' },
    { hookId: 'b', status: 'cancelled', warnings: [{ code: 'cancelled' }] },
    { hookId: 'c', status: 'cancelled', failedClosed: true, warnings: [{ code: 'not_started' }, { code: 'failed_closed' }] },
  ]);
  expect(executor.started).toEqual(['a', 'b']);
});

test('a signal cancels, and the verdict of what had been answered stands', async () => {
  const executor = new FakeExecutor();
  const { system } = systemOf([hookOf('a'), hookOf('b')], executor);
  const control = new AbortController();
  const fired = fire(system, { signal: control.signal });
  (await executor.next()).answer({ decision: 'deny', reason: 'no' });
  await executor.next();
  control.abort();
  const result = await fired;
  expect(result).toMatchObject({
    success: false,
    verdict: { kind: 'deny', reason: 'no', by: ['a'] },
    errors: [{ code: 'cancelled' }, { code: 'cancelled', hookId: 'b' }],
  });
  expect(statuses(result)).toEqual(['blocked', 'cancelled']);
});

test('a signal that has aborted before: hooks that block on failure deny', async () => {
  const executor = new FakeExecutor();
  const { system } = systemOf([hookOf('a', { onError: 'block' })], executor);
  const result = await fire(system, { signal: AbortSignal.abort() });
  expect(result).toMatchObject({
    success: false,
    verdict: { kind: 'deny', by: ['a'] },
    errors: [{ code: 'cancelled' }, { code: 'not_started' }],
  });
  expect(executor.started).toEqual([]);
});

test('timeoutMs bounds the whole event; hooks that block on failure deny', async () => {
  const executor = new FakeExecutor();
  const { system } = systemOf([hookOf('a'), hookOf('b', { onError: 'block' })], executor);
  const result = await fire(system, { timeoutMs: 20 });
  expect(result.errors.map((error) => error.code)).toEqual(['timeout', 'cancelled', 'cancelled']);
  expect(result.verdict).toMatchObject({ kind: 'deny', by: ['b'] });
  expect(statuses(result)).toEqual(['cancelled', 'cancelled']);
});

test('beyond the bound of the service the answer is overloaded, and a guard that blocks on failure denies', async () => {
  const bus = new MessageBus();
  const executor = new FakeExecutor();
  const { system } = systemOf([hookOf('a', { onError: 'block' })], executor, { bus });
  new HookService({ bus, system, maxInFlight: 1 });
  const first = fire(system);
  const run = await executor.next();
  expect(await fire(system)).toMatchObject({
    success: false,
    verdict: { kind: 'deny', by: ['a'] },
    errors: [{ code: 'overloaded' }, { code: 'not_started' }],
  });
  run.answer({ decision: 'allow' });
  expect((await first).verdict.kind).toBe('allow');
  await bus.close();
});

test('dispose() in flight answers disposed with the outcomes, stops what runs, and takes nothing more', async () => {
  const executor = new FakeExecutor();
  const bus = new MessageBus();
  const { system } = systemOf([hookOf('a', { sequential: true }), hookOf('b')], executor, { bus });
  new HookService({ bus, system });
  const response = bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: { tool_name: 't', tool_input: {} } });
  const fired = fire(system);
  (await executor.next()).answer({ systemMessage: 'done' });
  await executor.next();
  await executor.next();
  const disposing = system.dispose();
  expect(system.dispose()).toBe(disposing);
  await disposing;
  expect((await response).error).toMatchObject({
    code: 'disposed',
    details: {
      outcomes: [
        { hookId: 'a', status: 'succeeded' },
        { hookId: 'b', status: 'cancelled' },
      ],
    },
  });
  expect(await fired).toMatchObject({ success: false, errors: [{ code: 'disposed' }, { hookId: 'a' }, { hookId: 'b' }] });
  expect(executor.isDisposed).toBe(true);
  expect((await fire(system)).errors[0]?.code).toBe('disposed');
  const { error } = await bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: { tool_name: 'ls', tool_input: {} } });
  expect(error?.code).toBe('no_responders');
  await bus.close();
});

test('dispose() closes a bus of its own, and then an event is disposed', async () => {
  const { system } = systemOf([hookOf('a')], answering({}));
  await system.dispose();
  expect((await fire(system)).errors[0]?.code).toBe('disposed');
});

test('an async hook is detached; its end is reported late, with a warning for a deny that changes nothing', async () => {
  const executor = new FakeExecutor();
  const { system, progress } = systemOf([hookOf('a', { async: true })], executor);
  const result = await fire(system);
  expect(result).toMatchObject({ success: true, verdict: { kind: 'none' }, outcomes: [{ status: 'detached' }] });
  expect(result.finalOutput?.decision).toBeUndefined();
  (await executor.next()).answer({ decision: 'deny', reason: 'late' });
  await new Promise(setImmediate);
  expect(progress.at(-1)).toMatchObject({
    kind: 'hook-finished',
    hookId: 'a',
    late: true,
    outcome: { status: 'blocked', warnings: [{ code: 'late_answer' }] },
  });
});

test('an event in flight keeps the set it started with (decision 35)', async () => {
  const executor = new FakeExecutor();
  const { system, source } = systemOf([hookOf('a', { sequential: true }), hookOf('b')], executor);
  const fired = fire(system);
  const a = await executor.next();
  source.swap([]);
  expect(system.has('BeforeTool')).toBe(false);
  a.answer();
  (await executor.next()).answer();
  expect(statuses(await fired)).toEqual(['succeeded', 'succeeded']);
});

test('a hook that is not trusted is an outcome, and does not run (field failure 22)', async () => {
  const executor = new FakeExecutor();
  const { system } = systemOf([hookOf('a', { source: 'project' })], executor, { isTrusted: (source) => source !== 'project' });
  expect((await fire(system)).outcomes).toMatchObject([{ status: 'skipped', skipReason: 'untrusted', warnings: [{ code: 'untrusted' }] }]);
  expect(executor.started).toEqual([]);
});

test('a failure of the pipeline itself is an internal error, and nothing else', async () => {
  // Nothing that a dialect, an executor or a host does gets this far; a definition with a throwing getter simulates a bug of ours.
  const hook = Object.defineProperty({ ...hookOf('a') }, 'async', {
    get: () => {
      throw new Error('oops');
    },
  });
  const { system } = systemOf([hook], answering({}));
  const response = await system.bus.request('HOOK_EXECUTION_REQUEST', {
    eventName: 'BeforeTool',
    input: { tool_name: 't', tool_input: {} },
  });
  expect(response).toMatchObject({ success: false, error: { code: 'internal_error', message: expect.stringContaining('oops') } });
});

test('explain tells for each hook whether it would run and why, with what people have of the input', () => {
  const skip = { skipReason: 'disabled', reason: 'it is disabled' } as const;
  const common = { dialect: 'fake', source: 'user', timeoutMs: 60_000, onError: 'continue' };
  const { system } = systemOf(
    [hookOf('a', { file: '/x.json', line: 3 }), hookOf('b', { matcher: 'read' }), hookOf('c', { skip })],
    answering({}),
  );
  expect(system.explain('BeforeTool', { tool_name: 'write_file' })).toEqual({
    eventName: 'BeforeTool',
    hooks: [
      { ...common, hookId: 'a', file: '/x.json', line: 3, stage: 1, wouldRun: true, reason: 'it matches' },
      { ...common, hookId: 'b', matcher: 'read', wouldRun: false, skipReason: 'matcher', reason: 'it does not match' },
      { ...common, hookId: 'c', wouldRun: false, skipReason: 'disabled', reason: 'it is disabled' },
    ],
    diagnostics: [],
  });
  expect(() => system.explain('Nope' as never)).toThrow(TypeError);
});

test('skipRemaining skips the rest of its dialect, blocks nothing, and leaves other dialects alone (decision 37)', async () => {
  const executor = answering({ a: { hookSpecificOutput: { skipRemaining: true } }, other: { decision: 'allow' } });
  const hooks = [hookOf('a', { sequential: true }), hookOf('b'), hookOf('other', { dialect: 'second' })];
  const system = new HookSystem({
    projectDir: '/srv/app',
    dialects: [fakeDialect(), fakeDialect({ name: 'second' })],
    sources: [sourceOf(hooks)],
    executors: [executor],
  });
  const result = await fire(system);
  expect(result.outcomes.map(({ hookId, status, skipReason }) => [hookId, skipReason ?? status])).toEqual([
    ['a', 'succeeded'],
    ['b', 'chain-ended'],
    ['other', 'succeeded'],
  ]);
  expect(result.verdict).toMatchObject({ kind: 'allow', by: ['other'] });
  await system.dispose();
});

test('a hook names the executor it wants where several run the same kind of action', async () => {
  const named = (kind: string, decision: 'allow' | 'deny') => ({ ...answering({ a: { decision }, b: { decision } }), kind });
  const system = new HookSystem({
    projectDir: '/srv/app',
    dialects: [fakeDialect()],
    sources: [sourceOf([hookOf('a', { executor: 'call:one' }), hookOf('b', { executor: 'call:two' })])],
    executors: [named('call:one', 'allow'), named('call:two', 'deny')],
  });
  expect((await fire(system)).outcomes.map((outcome) => outcome.output?.decision)).toEqual(['allow', 'deny']);
  await system.dispose();
});

test.each([
  [{ failures: 0, windowMs: 1000, pauseMs: 1000 }, '"circuitBreaker.failures" must be an integer from 1 to 10000, and is 0.'],
  [{ failures: 3, windowMs: 1000 }, '"circuitBreaker.pauseMs" must be a number of milliseconds from 1 to 2147483647, and is missing.'],
])('the circuit breaker %j is a TypeError that names the field', (circuitBreaker, message) => {
  const options = { projectDir: '.', dialects: [], circuitBreaker: circuitBreaker as CircuitBreakerOptions };
  expect(() => new HookSystem(options)).toThrow(new TypeError(message));
});

test('an executor that reports its start a thousand times causes one message', async () => {
  let begin = () => {};
  const executor: HookExecutor = {
    kind: 'call',
    run: async (_invocation, _hook, _event, { onStart }) => {
      begin = onStart;
      for (let times = 0; times < 1000; times += 1) onStart();
      return { kind: 'answered', answer: undefined, durationMs: 0 };
    },
  };
  const { system, progress } = systemOf([hookOf('a')], executor);
  await fire(system);
  begin();
  expect(progress.map(({ kind }) => kind)).toEqual(['planned', 'hook-started', 'hook-finished']);
});

test('a guard that goes while its event is refused has had no turn, and denies', async () => {
  const bus = new MessageBus();
  const { system, source } = systemOf([hookOf('guard', { onError: 'block' })], answering({}), { bus });
  bus.respond('HOOK_EXECUTION_REQUEST', async () => {
    source.swap([]);
    return { success: false, error: { code: 'overloaded', message: 'Too much is in flight.' } };
  });
  const result = await fire(system);
  expect(result).toMatchObject({ success: false, verdict: { kind: 'deny', by: ['guard'] } });
  expect(result.errors.map(({ code }) => code)).toEqual(['overloaded', 'not_started']);
  await bus.close();
});

test('on the bus the output is plain data; what fire returns is an instance of its class, frozen', async () => {
  const { system } = systemOf([hookOf('a')], answering({ a: { decision: 'deny', reason: 'no' } }));
  const sent: unknown[] = [];
  system.bus.subscribe('HOOK_EXECUTION_RESPONSE', ({ payload }) => sent.push(payload.output?.finalOutput));
  const { finalOutput } = await fire(system);
  expect(sent.map((output) => Object.getPrototypeOf(output))).toEqual([Object.prototype]);
  expect(sent).toEqual([{ ...finalOutput }]);
  expect(finalOutput).toBeInstanceOf(BeforeToolHookOutput);
  expect(Object.isFrozen(finalOutput)).toBe(true);
});
