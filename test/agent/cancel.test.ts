import { getEventListeners } from 'node:events';
import { acceptPromptWithHooks, callModelWithHooks, executeToolWithHooks, type HookClient, runAgentTurnWithHooks } from '@tenterhook/agent';
import { type AgentScene, firedEvents, recordingTool, withClient, withCommands } from '../support/agent.js';
import { processesWith } from '../support/fire-hooks.js';
import { type PlainRequest, plainTranslator } from '../support/plain-translator.js';
import { until } from '../support/until.js';

const toolCall = { name: 'run_shell', input: { command: 'ls' } };
const modelCall = { request: { model: 'm', tools: ['a'] } as PlainRequest, translator: plainTranslator() };

/** Aborts as soon as a hook has started. */
function abortAtStart({ hooks }: AgentScene, controller: AbortController): void {
  hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => {
    if (payload.kind === 'hook-started') controller.abort();
  });
}

test('cancelled before: no hook starts, no tool runs, the call has a result', async () => {
  const tool = recordingTool();
  await withCommands({ BeforeTool: ['touch ran'], AfterTool: ['touch ran'] }, async (scene) => {
    const outcome = await executeToolWithHooks(scene.client, { ...toolCall, ...tool, signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining('cancelled'), userMessages: [] });
    expect(outcome.result.llmContent).toBe(outcome.reason);
    expect(firedEvents(scene)).toEqual([]);
    expect(scene.read('ran')).toBeUndefined();
  });
  expect(tool.calls).toEqual([]);
});

test.each(['allow', 'deny'] as const)(
  'cancelled while a hook runs: it is ended, no tool runs (onUnavailable %s)',
  async (onUnavailable) => {
    const tool = recordingTool();
    const controller = new AbortController();
    const hooks = { BeforeTool: ['sleep 30'], AfterTool: ['touch ran'] };
    const projectDir = await withCommands(
      hooks,
      async (scene) => {
        abortAtStart(scene, controller);
        const outcome = await executeToolWithHooks(scene.client, { ...toolCall, ...tool, signal: controller.signal });
        // An end that the owner of the call caused is not reported as a problem of hooks.
        expect(outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining('cancelled'), userMessages: [] });
        expect(outcome.reason).not.toContain('could not be asked');
        expect(outcome.before?.outcomes).toMatchObject([{ status: 'cancelled' }]);
        expect(scene.read('ran')).toBeUndefined();
        return scene.projectDir;
      },
      { onUnavailable },
    );
    expect(tool.calls).toEqual([]);
    await until('no process is left', () => processesWith(projectDir).length === 0);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  },
);

test('cancelled while a hook runs that blocks on error: its deny counts', async () => {
  const tool = recordingTool();
  const controller = new AbortController();
  await withCommands({ BeforeTool: [{ name: 'guard', command: 'sleep 30', onError: 'block' }] }, async (scene) => {
    abortAtStart(scene, controller);
    const outcome = await executeToolWithHooks(scene.client, { ...toolCall, ...tool, signal: controller.signal });
    expect(outcome).toMatchObject({ status: 'blocked', reason: expect.stringContaining('guard') });
  });
  expect(tool.calls).toEqual([]);
});

test('cancelled while the tool runs: the tool is notified, its result stays, hooks do not run', async () => {
  const controller = new AbortController();
  await withCommands({ AfterTool: ['touch ran'] }, async (scene) => {
    const signals: AbortSignal[] = [];
    const execute = async (_input: unknown, { signal }: { readonly signal: AbortSignal }) => {
      signals.push(signal);
      controller.abort();
      return { llmContent: 'half' };
    };
    const outcome = await executeToolWithHooks(scene.client, { ...toolCall, execute, signal: controller.signal });
    expect(outcome).toMatchObject({ status: 'executed', result: { llmContent: 'half' }, userMessages: [] });
    expect(signals.map((signal) => signal.aborted)).toEqual([true]);
    expect(scene.read('ran')).toBeUndefined();
  });
});

test('cancelled while an AfterTool hook runs: it is ended, the result stays', async () => {
  const controller = new AbortController();
  const projectDir = await withCommands({ AfterTool: ['sleep 30'] }, async (scene) => {
    abortAtStart(scene, controller);
    const outcome = await executeToolWithHooks(scene.client, { ...toolCall, ...recordingTool(), signal: controller.signal });
    expect(outcome).toMatchObject({ status: 'executed', result: { llmContent: 'done' }, userMessages: [] });
    return scene.projectDir;
  });
  await until('no process is left', () => processesWith(projectDir).length === 0);
});

test('without a signal tool, model and agent are given one that does not abort', async () => {
  await withClient({ settings: {} }, async ({ client }) => {
    const signals: AbortSignal[] = [];
    const call = (_: unknown, { signal }: { readonly signal: AbortSignal }) => {
      signals.push(signal);
      return {};
    };
    const execute = (_: unknown, options: { readonly signal: AbortSignal }) => ({ llmContent: call(_, options) });
    await executeToolWithHooks(client, { ...toolCall, execute });
    await callModelWithHooks(client, { request: {}, translator: plainTranslator(), call });
    await runAgentTurnWithHooks(client, { prompt: 'p', respond: (_, options) => JSON.stringify(call(_, options)) });
    expect(signals.map((signal) => signal.aborted)).toEqual([false, false, false]);
  });
});

test.each(['BeforeToolSelection', 'BeforeModel'] as const)('a model call cancelled in %s does not call the model', async (eventName) => {
  for (const onUnavailable of ['allow', 'deny'] as const) {
    const controller = new AbortController();
    let calls = 0;
    await withCommands(
      { [eventName]: ['sleep 30'] },
      async (scene) => {
        abortAtStart(scene, controller);
        const call = () => {
          calls += 1;
          return {};
        };
        const outcome = await callModelWithHooks(scene.client, { ...modelCall, call, signal: controller.signal });
        expect(outcome).toMatchObject({ status: 'stopped', stopReason: expect.stringContaining('cancelled'), userMessages: [] });
      },
      { onUnavailable },
    );
    expect(calls).toBe(0);
  }
});

test('a model call cancelled before asks no hook and calls nothing', async () => {
  let calls = 0;
  await withCommands({ BeforeToolSelection: ['touch ran'], BeforeModel: ['touch ran'] }, async (scene) => {
    const call = () => {
      calls += 1;
      return {};
    };
    const outcome = await callModelWithHooks(scene.client, { ...modelCall, call, signal: AbortSignal.abort() });
    expect(outcome.status).toBe('stopped');
    expect(scene.read('ran')).toBeUndefined();
  });
  expect(calls).toBe(0);
});

test('a model call cancelled while AfterModel runs: what its hooks were to look at is not shown', async () => {
  const controller = new AbortController();
  await withCommands({ AfterModel: ['sleep 30'] }, async (scene) => {
    abortAtStart(scene, controller);
    const call = () => ({ text: 'hi' });
    const outcome = await callModelWithHooks(scene.client, { ...modelCall, call, signal: controller.signal });
    expect(outcome).toMatchObject({ status: 'stopped', stopReason: 'The call was cancelled.', userMessages: [] });
    expect(outcome).not.toHaveProperty('response');
  });
});

test.each(['allow', 'deny'] as const)('a prompt cancelled in BeforeAgent is not worked on (onUnavailable %s)', async (onUnavailable) => {
  const controller = new AbortController();
  let responses = 0;
  await withCommands(
    { BeforeAgent: ['sleep 30'] },
    async (scene) => {
      abortAtStart(scene, controller);
      const respond = () => {
        responses += 1;
        return 'r';
      };
      const outcome = await runAgentTurnWithHooks(scene.client, { prompt: 'p', respond, signal: controller.signal });
      expect(outcome).toMatchObject({ status: 'stopped', stopReason: expect.stringContaining('cancelled'), turns: 0, userMessages: [] });
    },
    { onUnavailable },
  );
  expect(responses).toBe(0);
});

test('a turn cancelled between two answers does not go on, whatever hooks want', async () => {
  const controller = new AbortController();
  let responses = 0;
  await withCommands({ AfterAgent: [`echo 'go on' >&2; exit 2`] }, async (scene) => {
    const respond = () => {
      responses += 1;
      if (responses === 2) controller.abort();
      return `answer ${responses}`;
    };
    const outcome = await runAgentTurnWithHooks(scene.client, { prompt: 'p', respond, signal: controller.signal });
    expect(outcome).toMatchObject({ status: 'stopped', turns: 2, response: 'answer 2', stopReason: expect.stringContaining('cancelled') });
  });
  expect(responses).toBe(2);
});

describe('the reason of an abort', () => {
  const never = () => new Promise<never>(() => {});
  const operations: Record<
    string,
    [what: string, run: (client: HookClient, signal: AbortSignal) => Promise<{ reason?: unknown; stopReason?: unknown }>]
  > = {
    'a tool call': ['The call was cancelled', (client, signal) => executeToolWithHooks(client, { ...toolCall, execute: never, signal })],
    'a tool that does not end': [
      'It was cancelled but did not end',
      (client, signal) => executeToolWithHooks(client, { ...toolCall, execute: never, signal }),
    ],
    'a model call': ['The call was cancelled', (client, signal) => callModelWithHooks(client, { ...modelCall, call: never, signal })],
    'a prompt': ['The prompt was cancelled', (client, signal) => acceptPromptWithHooks(client, { prompt: 'hi', signal })],
    'a turn': ['The turn was cancelled', (client, signal) => runAgentTurnWithHooks(client, { prompt: 'hi', respond: never, signal })],
  };
  const withoutHooks = ['a tool that does not end', 'a turn'];

  test.each(Object.entries(operations))('is in the text of %s', async (name, [what, run]) => {
    const controller = new AbortController();
    const slow = withoutHooks.includes(name) ? {} : { BeforeTool: ['sleep 30'], BeforeModel: ['sleep 30'], BeforeAgent: ['sleep 30'] };
    await withCommands(slow, async (scene) => {
      scene.hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => {
        if (payload.kind === 'hook-started') controller.abort(new Error('user pressed esc'));
      });
      const outcome = run(scene.client, controller.signal);
      if (withoutHooks.includes(name)) setImmediate(() => controller.abort(new Error('user pressed esc')));
      const { reason, stopReason } = await outcome;
      expect(stopReason ?? reason).toBe(`${what}: user pressed esc.`);
    });
  });

  test('is in the error of the event, and in the cancellation that travels on the bus', async () => {
    const controller = new AbortController();
    await withCommands({ BeforeTool: ['sleep 30'] }, async ({ hooks }) => {
      const reasons: unknown[] = [];
      hooks.bus.subscribe('HOOK_EXECUTION_CANCEL', ({ payload }) => reasons.push(payload.reason));
      hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => {
        if (payload.kind === 'hook-started') controller.abort('budget is spent');
      });
      const { errors } = await hooks.fire('BeforeTool', { tool_name: 'ls', tool_input: {} }, { signal: controller.signal });
      expect(errors[0]).toEqual({ code: 'cancelled', message: 'The request was cancelled by its signal: budget is spent.' });
      expect(reasons).toEqual(['budget is spent']);
    });
  });
});
