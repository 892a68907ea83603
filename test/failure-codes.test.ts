import { type ErrorCode, errorCodes, type HookExecutionResponse } from '@tenterhook/protocol';
import { createHooks, HookService, MessageBus } from 'tenterhook';
import { runCli } from './support/run-cli.js';

const input = { tool_name: 'write_file', tool_input: { path: 'a.txt' } };
const request = { eventName: 'BeforeTool', input };
const hanging = { hooks: { BeforeTool: [{ hooks: [{ name: 'guard', command: 'exec sleep 60', onError: 'block' }] }] } };

/** Every code of a response, and how it really comes about. */
const produced: Record<ErrorCode, () => Promise<HookExecutionResponse>> = {
  invalid_request: () =>
    withHooks({}, ({ bus }) => bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: 'text' } as never)),
  unsupported_event: () => withHooks({}, ({ bus }) => bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTol', input: {} })),
  validation_failed: () =>
    withHooks({}, ({ bus }) => bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: { tool_name: 1, tool_input: {} } })),
  timeout: () => withHooks(hanging, ({ bus }) => bus.request('HOOK_EXECUTION_REQUEST', request, { timeoutMs: 50 })),
  cancelled: () =>
    withHooks(hanging, ({ bus }) => {
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
    withHooks(hanging, (hooks) => {
      hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => payload.kind === 'hook-started' && void hooks.dispose());
      return hooks.bus.request('HOOK_EXECUTION_REQUEST', request);
    }),
  invalid_settings: async () => {
    const run = runCli(['fire', 'BeforeTool', '--settings', 'missing.json', '--json'], { cwd: process.cwd() });
    return JSON.parse(run.stdout) as HookExecutionResponse;
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

test('a fire that fails is a result with the code, and a guard that had no say closes the door', async () => {
  await withHooks(hanging, async (hooks) => {
    const result = await hooks.getEventHandler().fireBeforeToolEvent('write_file', {}, undefined, { timeoutMs: 50 });
    expect(result).toMatchObject({ success: false, verdict: { kind: 'deny', by: ['llxprt/settings/BeforeTool/guard'] } });
    expect(result.errors[0]).toMatchObject({ code: 'timeout' });
    return { correlationId: 'x', success: true };
  });
});

async function withHooks(settings: object, use: (hooks: Awaited<ReturnType<typeof createHooks>>) => Promise<HookExecutionResponse>) {
  const hooks = await createHooks({ settings });
  try {
    return await use(hooks);
  } finally {
    await hooks.dispose();
  }
}
