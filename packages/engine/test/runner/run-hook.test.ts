import type { Captured, Dialect, Exit, HookDefinition, HookEventName, HookExecutor, HookOutput } from '@tenterhook/protocol';
import { runHook } from '../../src/runner/run-hook.js';
import { fakeDialect, hookOf, toolEvent } from '../engine-rig.js';

const captured: Captured = {
  stdout: 'o',
  stderr: 'e',
  stdoutBytes: 1,
  stderrBytes: 1,
  stdoutTruncated: false,
  stderrTruncated: false,
  invalidUtf8: false,
};
const ending = (exit: Exit): HookExecutor => ({ kind: 'call', run: async () => exit });
const reading = fakeDialect({
  decode: (exit) => (exit.kind === 'answered' ? { output: exit.answer as HookOutput, warnings: [] } : { warnings: [] }),
});

function run(
  executor: HookExecutor | undefined,
  hook: HookDefinition = hookOf('a', { name: 'guard', timeoutMs: 500 }),
  dialect = reading,
  signal = new AbortController().signal,
) {
  const executors = new Map(executor === undefined ? [] : [['call', executor]]);
  return runHook(hook, toolEvent, { dialects: [dialect], executors, environment: () => ({}), signal }, { started() {} });
}

interface Case {
  readonly exit: Exit;
  readonly outcome: Record<string, unknown>;
  readonly codes: readonly string[];
  readonly says?: string;
}

const cases: Record<string, Case> = {
  'a normal exit has its code and what was printed': {
    exit: { kind: 'exited', exitCode: 3, durationMs: 1.23456, leftProcesses: 0, ...captured },
    outcome: { status: 'succeeded', exitCode: 3, stdout: 'o', stderr: 'e', stdoutBytes: 1, stderrBytes: 1, durationMs: 1.235 },
    codes: [],
  },
  'output that was cut off, broken and left to children is said': {
    exit: { kind: 'exited', exitCode: 0, durationMs: 1, leftProcesses: 2, ...captured, stdoutTruncated: true, invalidUtf8: true },
    outcome: { status: 'succeeded', exitCode: 0, truncated: true },
    codes: ['output_truncated', 'invalid_utf8', 'left_processes'],
  },
  'a signal is named, without an exit code': {
    exit: { kind: 'signalled', signal: 'SIGKILL', durationMs: 1, ...captured },
    outcome: { status: 'failed', signal: 'SIGKILL', stdout: 'o' },
    codes: ['signal'],
    says: 'BeforeTool hook "guard" was ended by SIGKILL. The failure is ignored (onError: continue)',
  },
  'a timeout says how long it was': {
    exit: { kind: 'timed-out', durationMs: 500, ...captured },
    outcome: { status: 'timed-out', stdout: 'o' },
    codes: ['timeout'],
    says: 'did not end within 500 ms and was stopped. Raise its timeout, or make the hook faster. The failure is ignored',
  },
  'a cancelled hook was running': {
    exit: { kind: 'cancelled', durationMs: 1 },
    outcome: { status: 'cancelled' },
    codes: ['cancelled'],
    says: 'was running',
  },
  'a hook that had no turn is cancelled, not timed out': {
    exit: { kind: 'not-started', message: 'more hooks are waiting', durationMs: 0 },
    outcome: { status: 'cancelled' },
    codes: ['not_started'],
    says: 'did not run: more hooks are waiting',
  },
  'a hook that cannot be run has failed': {
    exit: { kind: 'unrunnable', code: 'spawn_failed', message: 'no such directory', durationMs: 0 },
    outcome: { status: 'failed' },
    codes: ['spawn_failed'],
    says: 'could not be run: no such directory',
  },
  'a deny is blocked': {
    exit: { kind: 'answered', answer: { decision: 'block' }, durationMs: 1 },
    outcome: { status: 'blocked', output: { decision: 'block' } },
    codes: [],
  },
  'an ask has succeeded': {
    exit: { kind: 'answered', answer: { decision: 'ask' }, durationMs: 1 },
    outcome: { status: 'succeeded', output: { decision: 'ask' } },
    codes: [],
  },
};

test.each(Object.entries(cases))('%s', async (_, { exit, outcome, codes, says = '' }) => {
  const result = await run(ending(exit));
  expect(result).toMatchObject({ hookId: 'a', name: 'guard', eventName: 'BeforeTool', source: 'user', dialect: 'fake', ...outcome });
  expect(result.warnings.map((warning) => warning.code)).toEqual(codes);
  expect(result.warnings[0]?.message ?? '').toContain(says);
  for (const field of ['exitCode', 'signal', 'output', 'truncated', 'failedClosed'].filter((name) => !(name in outcome)))
    expect(result).not.toHaveProperty(field);
});

const closed = hookOf('a', { onError: 'block' });
const failures: Record<string, Exit> = {
  'a signal': { kind: 'signalled', signal: 'SIGSEGV', durationMs: 1, ...captured },
  'a timeout': { kind: 'timed-out', durationMs: 1 },
  'a lost turn': { kind: 'not-started', message: 'm', durationMs: 0 },
  'a missing directory': { kind: 'unrunnable', code: 'spawn_failed', message: 'm', durationMs: 0 },
};

test.each(Object.entries(failures))('%s of a hook with onError: block closes the door, and keeps its status', async (_, exit) => {
  const open = await run(ending(exit));
  const outcome = await run(ending(exit), closed);
  expect(outcome).toMatchObject({ status: open.status, failedClosed: true });
  expect(outcome.warnings.at(-1)).toEqual({ code: 'failed_closed', message: expect.stringContaining('onError: block') });
  expect(open).not.toHaveProperty('failedClosed');
});

test('a hook with onError: block that works is not a failure', async () => {
  expect(await run(ending({ kind: 'answered', answer: {}, durationMs: 1 }), closed)).not.toHaveProperty('failedClosed');
});

const broken = { kind: 'answered', answer: {}, durationMs: 1 } as const;
const throwing = (method: 'invocation' | 'decode') =>
  fakeDialect({
    [method]: () => {
      throw new Error('oops');
    },
  });

test('a dialect that cannot write the input starts nothing', async () => {
  const started: string[] = [];
  const executor: HookExecutor = {
    kind: 'call',
    run: async (_invocation, hook) => {
      started.push(hook.id);
      return broken;
    },
  };
  expect(await run(executor, hookOf('a'), throwing('invocation'))).toMatchObject({
    status: 'failed',
    warnings: [{ code: 'invalid_input', message: expect.stringContaining('oops') }],
  });
  expect(started).toEqual([]);
});

test('a dialect that throws over an output, and an executor that rejects, are failures of that hook (decision 34)', async () => {
  const internal = { status: 'failed', warnings: [{ code: 'internal_error', message: expect.stringContaining('oops') }] };
  expect(await run(ending(broken), hookOf('a'), throwing('decode'))).toMatchObject(internal);
  expect(
    await run({
      kind: 'call',
      run: async () => {
        throw new Error('oops');
      },
    }),
  ).toMatchObject(internal);
  expect(
    await run(
      {
        kind: 'call',
        run: async () => {
          throw new Error('oops');
        },
      },
      closed,
    ),
  ).toMatchObject({ failedClosed: true });
});

test('a kind that nothing runs here, and a dialect that is not loaded, are failures with a word', async () => {
  expect(await run(undefined)).toMatchObject({
    status: 'failed',
    warnings: [{ code: 'no_executor', message: expect.stringContaining('"call"') }],
  });
  expect(await run(ending(broken), hookOf('a', { dialect: 'eca' }))).toMatchObject({
    status: 'failed',
    warnings: [{ message: expect.stringContaining('"eca"') }],
  });
});

test('nothing is started for an event that was cancelled', async () => {
  const outcome = await run(ending(broken), hookOf('a'), reading, AbortSignal.abort());
  expect(outcome).toMatchObject({ status: 'cancelled', warnings: [{ code: 'not_started' }] });
});

test('a command is shown in the outcome, and names a hook that has no name', async () => {
  const hook = hookOf('a', { action: { kind: 'command', command: 'x'.repeat(100) } });
  const outcome = await run(ending({ kind: 'timed-out', durationMs: 1 }), hook);
  expect(outcome.command).toBe('x'.repeat(100));
  expect(outcome.warnings[0]?.message).toContain(`"${'x'.repeat(79)}…"`);
});

test.each<[string, Partial<Dialect>, object]>([
  ['that says nothing of it is given the environment', {}, { HOME: '/root' }],
  ['that reads it is given the environment', { readsEnvironment: true }, { HOME: '/root' }],
  ['that does not read it is given none', { readsEnvironment: false }, {}],
])('a dialect %s, whatever its hooks are', async (_, changes, expected) => {
  const seen: unknown[] = [];
  const dialect = fakeDialect({
    ...changes,
    invocation: (_event, { id }, environment) => {
      seen.push(environment);
      return { kind: 'call', handlerId: id, argument: {} };
    },
    decode: () => ({ warnings: [] }),
  });
  const context = {
    dialects: [dialect],
    executors: new Map([['call', ending({ kind: 'answered', answer: {}, durationMs: 0 })]]),
    environment: () => ({ HOME: '/root' }),
    signal: new AbortController().signal,
  };
  const { status } = await runHook(hookOf('a'), toolEvent, context, { started() {} });
  expect([status, seen]).toEqual(['succeeded', [expected]]);
});

const unasked: Record<string, Exit> = {
  'a machine without room': { kind: 'unrunnable', code: 'spawn_failed', message: 'no room', limited: true, durationMs: 0 },
  'a queue without room': { kind: 'not-started', message: 'more hooks are waiting', limited: true, durationMs: 0 },
  'eight hooks around it': { kind: 'unrunnable', code: 'too_nested', message: 'it would run inside 8 others', durationMs: 0 },
};

describe.each(Object.entries(unasked))('%s, so that the hook was not asked,', (_, exit) => {
  const ofEvent = (eventName: HookEventName, fields: Partial<HookDefinition> = {}) =>
    run(ending(exit), hookOf('a', { eventName, ...fields }));

  test.each(['BeforeTool', 'BeforeModel', 'BeforeAgent'] as const)('denies on %s, whatever its onError is', async (eventName) => {
    const outcome = await ofEvent(eventName);
    expect(outcome).toMatchObject({
      failedClosed: true,
      warnings: [{ message: expect.not.stringContaining('ignored') }, { code: 'failed_closed' }],
    });
    expect(outcome.warnings[1]?.message).toContain('(whatever its onError)');
  });

  test.each(['AfterTool', 'SessionStart'] as const)('does not on %s, which blocks nothing, unless its onError does', async (eventName) => {
    expect(await ofEvent(eventName)).not.toHaveProperty('failedClosed');
    expect(await ofEvent(eventName, { onError: 'block' })).toMatchObject({ failedClosed: true });
  });

  test('does not if the hook is async', async () => {
    expect(await ofEvent('BeforeTool', { async: true })).not.toHaveProperty('failedClosed');
  });
});

test('large outputs are read one per turn of the loop, also when all hooks end in the same one', async () => {
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const readIn = async (stdout: string): Promise<number[]> => {
    const turns: number[] = [];
    const noting = fakeDialect({
      decode: () => {
        turns.push(turn);
        return { warnings: [] };
      },
    });
    const exit: Exit = { kind: 'exited', exitCode: 0, durationMs: 1, leftProcesses: 0, ...captured, stdout };
    await Promise.all(['a', 'b', 'c', 'd'].map((id) => run(ending(exit), hookOf(id), noting)));
    return turns;
  };
  expect(new Set(await readIn('x'.repeat(100_000))).size).toBe(4);
  expect(new Set(await readIn('x')).size).toBe(1);
  isOver = true;
});
