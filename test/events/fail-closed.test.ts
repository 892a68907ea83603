import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ErrorCode,
  errorCodes,
  type HookEventName,
  type HookExecutionResponse,
  type HookExecutor,
  type OutcomeStatus,
} from '@tenterhook/protocol';
import { recordBus, replayResponses } from '@tenterhook/recording';
import { type CreateHooksOptions, createHooks, HookService, MessageBus } from 'tenterhook';
import { fireEvent, fireTool, type HookText, outcomeAt, says, settingsOf, warningCodes, withEndingHooks } from '../support/fire-hooks.js';
import { runCli } from '../support/run-cli.js';

const id = 'llxprt/settings/BeforeTool/guard';
const guard = (command: string, more: object = {}): HookText => ({ name: 'guard', command, onError: 'block', ...more });

interface Failure {
  readonly hooks: readonly HookText[];
  readonly status: OutcomeStatus;
  readonly code: string;
  /** The part of the reason that names the cause. */
  readonly cause: string;
  readonly input?: Record<string, unknown>;
  readonly options?: CreateHooksOptions;
  readonly timeoutMs?: number;
  readonly isSequential?: boolean;
  /** True if the cause is a limit, not the guard. It denies whatever onError is. */
  readonly isOfLimit?: boolean;
}

const rejecting: HookExecutor = { kind: 'command', run: () => Promise.reject(new Error('the executor has a bug')) };

const failures: Record<string, Failure> = {
  'exit code 1': {
    hooks: [guard('echo oops >&2; exit 1')],
    status: 'failed',
    code: 'exit_code',
    cause: 'failed with exit code 1. Exit with 2 to deny. It printed: oops',
  },
  'exit code 127': { hooks: [guard('./no-such-guard')], status: 'failed', code: 'missing_command', cause: 'no-such-guard' },
  'exit code 126': { hooks: [guard('/')], status: 'failed', code: 'not_executable', cause: 'is a directory' },
  SIGKILL: { hooks: [guard('kill -KILL $$')], status: 'failed', code: 'signal', cause: 'was ended by SIGKILL' },
  'a timeout': {
    hooks: [guard('exec sleep 60', { timeout: 100 })],
    status: 'timed-out',
    code: 'timeout',
    cause: 'did not end within 100 ms',
  },
  'a working directory that is gone': {
    hooks: [guard('true')],
    input: { cwd: '/no/such/directory' },
    status: 'failed',
    code: 'spawn_failed',
    cause: '/no/such/directory',
    isOfLimit: true,
  },
  'an answer that was cut off': {
    hooks: [guard('echo \'{"decision":"allow"}\'')],
    options: { limits: { stdoutBytes: 10 } },
    status: 'failed',
    code: 'output_truncated',
    cause: 'more than the limit',
  },
  'an input that is not JSON': {
    hooks: [guard('true')],
    input: { tool_input: { size: 5n } },
    status: 'cancelled',
    code: 'not_started',
    cause: 'tool_input.size',
  },
  'an executor that rejects': {
    hooks: [guard('true')],
    options: { advanced: { executors: [rejecting] } },
    status: 'failed',
    code: 'internal_error',
    cause: 'the executor has a bug',
  },
  'the time of the event, before its turn': {
    hooks: ['exec sleep 60', guard('true')],
    isSequential: true,
    timeoutMs: 200,
    status: 'cancelled',
    code: 'not_started',
    cause: 'cancelled before the hook was started',
  },
  'more hooks than may wait': {
    hooks: ['true', guard('true')],
    options: { limits: { concurrency: 1, queued: 0 } },
    status: 'cancelled',
    code: 'not_started',
    cause: 'limits.queued',
    isOfLimit: true,
  },
};

async function fire({ hooks, options = {}, input = {}, timeoutMs, isSequential = false }: Failure, onError: 'block' | 'continue') {
  const asSet = hooks.map((hook) => (typeof hook === 'string' ? hook : { ...hook, onError }));
  const settings = settingsOf('BeforeTool', asSet, { sequential: isSequential });
  const fields = { tool_name: 'write_file', tool_input: {}, ...input };
  const fireOptions = timeoutMs === undefined ? {} : { timeoutMs };
  return withEndingHooks({ ...options, settings }, ({ handler }) => handler.fire('BeforeTool', fields, fireOptions));
}

test.each(Object.entries(failures))('%s of a guard denies, names it and the cause, and is not a deny of policy', async (_, failure) => {
  const { status, code, cause, isOfLimit = false } = failure;
  const result = await fire(failure, 'block');
  expect(result).toMatchObject({ success: false, verdict: { kind: 'deny', stop: false, by: [id] } });
  expect(result.verdict.reason).toContain('BeforeTool hook "guard" denies because it could not do its work (onError: block).');
  expect(result.verdict.reason).toContain(cause);
  expect(result.finalOutput?.isBlockingDecision()).toBe(true);
  const outcome = result.outcomes.find(({ hookId }) => hookId === id);
  expect(outcome).toMatchObject({ status, failedClosed: true });
  expect(outcome?.warnings[0]?.code).toBe(code);
  expect(outcome?.warnings.at(-1)?.code).toBe('failed_closed');
  expect(result.errors).toContainEqual(expect.objectContaining({ code, hookId: id }));

  const open = await fire(failure, 'continue');
  expect(open.verdict).toMatchObject(isOfLimit ? { kind: 'deny', by: [id] } : { kind: 'none', by: [] });
  const harmless = open.outcomes.find(({ hookId }) => hookId === id);
  expect(harmless?.status).toBe(status);
  expect(harmless?.failedClosed).toBe(isOfLimit ? true : undefined);
});

const policies: Record<string, string> = {
  'exit code 2': 'echo "not today" >&2; exit 2',
  'an answer': says({ decision: 'deny', reason: 'not today' }),
  'an answer with a field of the wrong type': says({ decision: 'deny', reason: 'not today', systemMessage: 5 }),
  'an answer among broken ones': `echo '{"a":'; ${says({ decision: 'deny', reason: 'not today' })}`,
  'exit code 2 behind a broken answer': 'echo "{"; echo "not today" >&2; exit 2',
};

test.each(Object.entries(policies))('a deny by %s is one of policy, also of a guard that closes when it fails', async (_, command) => {
  const result = await fireTool([guard(command)]);
  expect(result.verdict).toMatchObject({ kind: 'deny', by: [id], reason: 'not today' });
  expect(outcomeAt(result, 0).status).toBe('blocked');
  expect(outcomeAt(result, 0)).not.toHaveProperty('failedClosed');
});

const broken: Record<string, [command: string, code: string]> = {
  'half of an answer': [`printf '{"decision":"deny"'`, 'invalid_json'],
  'half of an answer behind a log line': [`printf 'checking\\n{"decision":"deny"'`, 'invalid_json'],
  'an answer as Python prints it': [`echo "{'decision': 'deny'}"`, 'invalid_json'],
  'an answer in a list': [`echo '[{"decision":"deny"}]'`, 'not_an_object'],
  'a number': ['echo 42', 'not_an_object'],
  'a decision in capitals': [says({ decision: 'DENY' }), 'wrong_type'],
  'a redaction of the wrong type': [says({ hookSpecificOutput: { tool_input: 'x' } }), 'wrong_type'],
  'a redaction that is too deep': [
    `node -e 'console.log(JSON.stringify({hookSpecificOutput:{tool_input:{a:JSON.parse("[".repeat(300)+"]".repeat(300))}}}))'`,
    'too_deep',
  ],
  'a decision within a line': [`echo 'guard says {"decision":"deny"}'`, 'decision_in_text'],
  'a decision within a line, beside an answer': [`echo 'log {"decision":"deny"}'; echo '{"systemMessage":"m"}'`, 'decision_in_text'],
  'a field in other letters': [says({ Decision: 'deny' }), 'other_spelling'],
  'an ask with a field that was dropped': [says({ decision: 'ask', reason: 5 }), 'wrong_type'],
};

test.each(Object.entries(broken))('%s is not an answer of a guard: with onError: block it denies', async (_, [command, code]) => {
  const result = await fireTool([guard(command)]);
  expect(result).toMatchObject({ success: false, verdict: { kind: 'deny', by: [id] }, errors: [{ code, hookId: id }] });
  expect(result.verdict.reason).toContain('hook "guard" denies because it could not do its work');
  const outcome = outcomeAt(result, 0);
  expect(outcome).toMatchObject({ status: 'failed', failedClosed: true, exitCode: 0, stdout: expect.stringMatching(/./) });
  expect(outcome).not.toHaveProperty('output');
  expect(result.verdict.reason).toContain(outcome.warnings[0]?.message);

  const open = outcomeAt(await fireTool([guard(command, { onError: 'continue' })]), 0);
  expect(open.status).toBe('succeeded');
  expect(warningCodes(open)).toContain(code);
});

const readable: Record<string, string> = {
  nothing: 'true',
  text: 'echo all good',
  'an empty object': 'echo {}',
  'an unknown field': says({ note: 5 }),
  'log lines around an answer': `echo checking; ${says({ systemMessage: 'm' })}; echo done`,
  'an answer wrapped once': `echo '"{\\"systemMessage\\":\\"m\\"}"'`,
  'bytes that are not UTF-8': "printf 'caf\\351'",
  'a log line through /dev/stderr': 'echo logged > /dev/stderr',
  'a field of another event': says({ hookSpecificOutput: { llm_request: {} } }),
};

test.each(Object.entries(readable))('%s is not a broken answer, also of a guard', async (_, command) => {
  const result = await fireTool([guard(command)]);
  expect(outcomeAt(result, 0).status).toBe('succeeded');
  expect(result.verdict.kind).toBe('none');
});

const stops: [HookEventName, Record<string, unknown>][] = [
  ['BeforeTool', { tool_name: 't', tool_input: {} }],
  ['AfterAgent', { prompt: 'p', prompt_response: 'r', stop_hook_active: false }],
];

test.each(stops)('on %s a stop that could be read is kept where the rest of the answer is broken', async (eventName, input) => {
  const command = says({ decision: 'DENY', continue: false, stopReason: 'enough', systemMessage: 'm' });
  const { verdict, finalOutput } = await fireEvent(eventName, input, [guard(command)]);
  const by = [`llxprt/settings/${eventName}/guard`];
  expect(verdict).toMatchObject({ kind: 'deny', by, stop: true, stoppedBy: by, stopReason: 'enough' });
  expect(finalOutput).toMatchObject({ decision: 'deny', continue: false, stopReason: 'enough' });
  expect(finalOutput?.systemMessage).toBeUndefined();
});

test('a rewrite of a broken answer is not applied, and later hooks do not run', async () => {
  const command = says({ hookSpecificOutput: { tool_input: { mode: 'x' } }, suppressOutput: 'yes' });
  const result = await fireTool([guard(command), { name: 'next', command: 'true' }], { sequential: true });
  expect(result.changes).toEqual([]);
  expect(result.outcomes.map(({ status, skipReason }) => skipReason ?? status)).toEqual(['failed', 'chain-ended']);
});

test('real hooks that keep failing are left out until the settings are read again, and a guard among them denies', async () => {
  const circuitBreaker = { failures: 2, windowMs: 2147483647, pauseMs: 2147483647 };
  const hooks = [guard('echo ran >> guard.log; exit 1'), { name: 'broken', command: `echo ran >> broken.log; echo '{"decision":"DENY"}'` }];
  await withEndingHooks(
    { settings: settingsOf('BeforeTool', hooks), circuitBreaker },
    async ({ hooks: system, handler, read, projectDir }) => {
      const fireOnce = () => handler.fireBeforeToolEvent('write_file', {});
      for (const _ of [1, 2, 3]) await fireOnce();
      const result = await fireOnce();
      // A broken answer is a failure only for hooks with onError: block.
      expect(result.outcomes.map(({ name, status, skipReason }) => [name, skipReason ?? status])).toEqual([
        ['guard', 'circuit-open'],
        ['broken', 'succeeded'],
      ]);
      expect(result).toMatchObject({ verdict: { kind: 'deny', by: [id] }, errors: [{ code: 'circuit_open', hookId: id }] });
      expect(read('guard.log')).toBe('ran\nran\n');
      expect(system.explain('BeforeTool', { tool_name: 'write_file' }).hooks[0]).toMatchObject({
        wouldRun: false,
        skipReason: 'circuit-open',
      });

      rmSync(join(projectDir, 'guard.log'));
      await system.reload();
      expect((await fireOnce()).outcomes[0]).toMatchObject({ status: 'failed', failedClosed: true });
      expect(read('guard.log')).toBe('ran\n');
    },
  );
});

describe('failure codes', () => {
  const input = { tool_name: 'write_file', tool_input: { path: 'a.txt' } };
  const request = { eventName: 'BeforeTool', input };
  const hanging = { hooks: { BeforeTool: [{ hooks: [{ name: 'guard', command: 'exec sleep 60', onError: 'block' }] }] } };

  /** For every error code of a response: how it really occurs. */
  const produced: Record<ErrorCode, () => Promise<HookExecutionResponse>> = {
    invalid_request: () =>
      usingHooks({}, ({ bus }) => bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: 'text' } as never)),
    unsupported_event: () =>
      usingHooks({}, ({ bus }) => bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTol' as string, input: {} })),
    validation_failed: () =>
      usingHooks({}, ({ bus }) =>
        bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: { tool_name: 1 as never, tool_input: {} } }),
      ),
    timeout: () => usingHooks(hanging, ({ bus }) => bus.request('HOOK_EXECUTION_REQUEST', request, { timeoutMs: 50 })),
    cancelled: () =>
      usingHooks(hanging, ({ bus }) => {
        const control = new AbortController();
        bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => payload.kind === 'hook-started' && control.abort());
        return bus.request('HOOK_EXECUTION_REQUEST', request, { signal: control.signal });
      }),
    overloaded: async () => {
      const bus = new MessageBus();
      const hooks = await createHooks({ settings: hanging });
      new HookService({ bus, system: { answer: () => new Promise(() => {}), onDispose: () => {} }, maxInFlight: 1 });
      void bus.request('HOOK_EXECUTION_REQUEST', request);
      const response = await bus.request('HOOK_EXECUTION_REQUEST', request);
      await Promise.all([bus.close(), hooks.dispose()]);
      return response;
    },
    no_responders: async () => {
      const bus = new MessageBus();
      const response = await bus.request('HOOK_EXECUTION_REQUEST', request);
      await bus.close();
      return response;
    },
    disposed: () =>
      usingHooks(hanging, (hooks) => {
        hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => payload.kind === 'hook-started' && void hooks.dispose());
        return hooks.bus.request('HOOK_EXECUTION_REQUEST', request);
      }),
    invalid_settings: async () => {
      const run = await runCli(['fire', 'BeforeTool', '--settings', 'missing.json', '--json'], { cwd: process.cwd() });
      return JSON.parse(run.stdout) as HookExecutionResponse;
    },
    not_recorded: async () => {
      const bus = new MessageBus();
      const recorder = recordBus(bus, { about: { events: ['BeforeTool'] } });
      replayResponses(bus, await recorder.recording());
      const response = await bus.request('HOOK_EXECUTION_REQUEST', request);
      await bus.close();
      return response;
    },
    internal_error: async () => {
      const bus = new MessageBus();
      new HookService({ bus, system: { answer: () => Promise.reject(new Error('a bug')), onDispose: () => {} } });
      const response = await bus.request('HOOK_EXECUTION_REQUEST', request);
      await bus.close();
      return response;
    },
  };

  test('every error code is produced here', () => expect(Object.keys(produced).sort()).toEqual(Object.keys(errorCodes).sort()));

  test.each(Object.keys(produced) as ErrorCode[])('%s comes as a plain response with a message', async (code) => {
    const response = await produced[code]();
    expect(response).toMatchObject({ success: false, error: { code, message: expect.stringMatching(/\w+/) } });
    expect(response.output).toBeUndefined();
    expect(response.correlationId).toMatch(/./);
    expect(JSON.parse(JSON.stringify(response))).toEqual(response);
  });

  test('what had been answered comes along when an event is cancelled, times out or is shut down', async () => {
    for (const code of ['cancelled', 'timeout', 'disposed'] as const) {
      const { error } = await produced[code]();
      expect(error?.details).toMatchObject({ outcomes: [{ name: 'guard', status: 'cancelled', failedClosed: true }] });
    }
  });

  test('a fire that fails is a result with the code, and a guard that was not asked closes the door', async () => {
    await usingHooks(hanging, async (hooks) => {
      const result = await hooks.getEventHandler().fireBeforeToolEvent('write_file', {}, undefined, { timeoutMs: 50 });
      expect(result).toMatchObject({ success: false, verdict: { kind: 'deny', by: ['llxprt/settings/BeforeTool/guard'] } });
      expect(result.errors[0]).toMatchObject({ code: 'timeout' });
      return { correlationId: 'x', success: true };
    });
  });

  async function usingHooks(settings: object, use: (hooks: Awaited<ReturnType<typeof createHooks>>) => Promise<HookExecutionResponse>) {
    const hooks = await createHooks({ settings });
    try {
      return await use(hooks);
    } finally {
      await hooks.dispose();
    }
  }
});
