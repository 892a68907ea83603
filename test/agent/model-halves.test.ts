import {
  anthropicTranslator,
  callModelWithHooks,
  executeToolWithHooks,
  genAiTranslator,
  type HookClient,
  openAiChatTranslator,
  responseOfText,
  reviewResponseWithHooks,
  reviewToolCallWithHooks,
} from '@tenterhook/agent';
import { reviewRequestWithHooks } from '@tenterhook/agent/internal';
import { type AgentScene, firedEvents, recordingModel, recordingTool, withCommands } from '../support/agent.js';
import { says } from '../support/fire-hooks.js';
import { type PlainRequest, type PlainResponse, plainTranslator } from '../support/plain-translator.js';

const request: PlainRequest = { model: 'm-1', messages: [{ role: 'user', content: 'hello' }], tools: ['read_file', 'write_file'] };
const response: PlainResponse = { text: 'good day', candidates: [{ content: { role: 'model', parts: ['good day'] } }] };
const says42 = says({ hookSpecificOutput: { llm_response: { text: '42' } } });
const selects = says({ hookSpecificOutput: { toolConfig: { mode: 'AUTO', allowedFunctionNames: ['read_file'] } } });
const stops = says({ continue: false, stopReason: 'enough' });

describe('without hooks of AfterModel', () => {
  /** A response that records which of its fields are read. A promise reads `then` of what it resolves with. */
  function watched() {
    const read: PropertyKey[] = [];
    const stream = new Proxy(
      { chunks: [] },
      {
        get: (target, key) => {
          if (key !== 'then') read.push(key);
          return Reflect.get(target, key);
        },
        ownKeys: (target) => {
          read.push('all keys');
          return Reflect.ownKeys(target);
        },
      },
    );
    return { stream: stream as unknown as PlainResponse, read };
  }

  test.each<[string, Record<string, readonly string[]>]>([
    ['no hooks', {}],
    ['hooks before the model', { BeforeModel: ['true'], BeforeToolSelection: [selects] }],
  ])('%s: the outcome has the very response, and nothing of it is read', async (_title, hooks) => {
    const { stream, read } = watched();
    const translator = plainTranslator();
    await withCommands(hooks, async ({ client }) => {
      const outcome = await callModelWithHooks(client, { request, translator, call: async () => stream });
      expect(outcome.status).toBe('responded');
      expect(outcome.response).toBe(stream);
      const reviewed = await reviewResponseWithHooks(client, { request, translator, response: stream, durationMs: 7 });
      expect(reviewed.response).toBe(stream);
    });
    expect(read).toEqual([]);
    expect(translator.asked).not.toContain('toHookResponse');
  });

  test('the client answers at once whether an event has hooks, and asking fires nothing', async () => {
    await withCommands({ BeforeModel: ['true'] }, async (scene) => {
      const events = ['BeforeToolSelection', 'BeforeModel', 'AfterModel'] as const;
      expect(events.filter((name) => scene.client.has(name))).toEqual(['BeforeModel']);
      expect(firedEvents(scene)).toEqual([]);
    });
  });
});

describe('reviewResponseWithHooks', () => {
  const review = ({ client }: AgentScene, more: object = {}) =>
    reviewResponseWithHooks(client, { request, translator: plainTranslator(), response, durationMs: 12.4, ...more });

  test('hooks receive the request, the response and the duration, and the outcome has what they make of it', async () => {
    await withCommands({ AfterModel: [`cat > seen.json; ${says42}`] }, async (scene) => {
      const outcome = await review(scene, { toolSelection: { mode: 'AUTO', allowedFunctionNames: ['read_file'] }, modelProvider: 'p' });
      expect(outcome).toMatchObject({ status: 'responded', request, response: { text: '42' }, after: { verdict: { kind: 'none' } } });
      expect(JSON.parse(scene.read('seen.json') as string)).toMatchObject({
        llm_request: { model: 'm-1', toolConfig: { allowedFunctionNames: ['read_file'] } },
        llm_response: { text: 'good day' },
        duration_ms: 12,
        model_provider: 'p',
      });
      expect(firedEvents(scene)).toEqual(['AfterModel']);
    });
  });

  test('a deny has a reason and a stop a response with its text', async () => {
    await withCommands({ AfterModel: [says({ decision: 'deny', reason: 'not so' })] }, async (scene) => {
      expect(await review(scene)).toMatchObject({ status: 'responded', reason: 'not so' });
    });
    await withCommands({ AfterModel: [stops] }, async (scene) => {
      const outcome = await review(scene);
      expect(outcome).toMatchObject({ status: 'stopped', stopReason: 'enough', response: { text: 'enough' } });
      expect(outcome).not.toHaveProperty('cancelled');
    });
  });

  test.each<[string, object]>([
    ['"durationMs" must be milliseconds from 0', { durationMs: Number.NaN }],
    ['"response" must be the response of the model', { response: undefined }],
    ['"translator" must be a translator', { translator: {} }],
  ])('wrong use: %s', async (message, wrong) => {
    await withCommands({}, async (scene) => {
      await expect(review(scene, wrong)).rejects.toThrow(`reviewResponseWithHooks: ${message}`);
    });
  });
});

test('both halves of a model call together give what callModelWithHooks gives', async () => {
  const hooks = {
    BeforeToolSelection: [selects],
    BeforeModel: [says({ hookSpecificOutput: { llm_request: { model: 'm-2' } } })],
    AfterModel: [says42],
  };
  await withCommands(hooks, async (scene) => {
    const translator = plainTranslator();
    const model = recordingModel<PlainRequest, PlainResponse>(response);
    const whole = await callModelWithHooks(scene.client, { request, translator, ...model });
    const ready = await reviewRequestWithHooks(scene.client, { request, translator });
    if (ready.status !== 'ready') throw new Error(`the request is ${ready.status}`);
    expect([ready.request]).toEqual(model.requests);
    const { toolSelection } = ready;
    const halves = await reviewResponseWithHooks(scene.client, {
      request: ready.request,
      translator,
      response,
      durationMs: 1,
      toolSelection,
    });
    expect([halves.response, ready.toolSelection]).toEqual([whole.response, whole.toolSelection]);
    expect(firedEvents(scene).slice(3)).toEqual(firedEvents(scene).slice(0, 3));
  });
  await withCommands({ BeforeModel: [says({ decision: 'deny', reason: 'no' })] }, async ({ client }) => {
    const ended = await reviewRequestWithHooks(client, { request, translator: plainTranslator() });
    expect(ended).toMatchObject({ status: 'blocked', reason: 'no', response: {} });
  });
});

test.each([
  genAiTranslator<never, object>(),
  openAiChatTranslator<never, object & { choices: object[] }>(),
  anthropicTranslator<never, never>(),
])('a response of a text has this text, and no calls', (translator) => {
  const made = responseOfText<object>(translator as never, 'Not now.');
  const { toHookResponse, toolCalls } = translator as unknown as ReturnType<typeof genAiTranslator<never, object>>;
  expect(toHookResponse(made)).toMatchObject({ text: 'Not now.', candidates: [{ finishReason: 'STOP' }] });
  expect(toolCalls?.(made)).toEqual([]);
});

describe('cancelled', () => {
  /** Aborts when the first hook starts. */
  function abortAtHook({ hooks }: AgentScene, controller: AbortController): AbortSignal {
    hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => {
      if (payload.kind === 'hook-started') controller.abort();
    });
    return controller.signal;
  }
  const callModel = (client: HookClient, signal: AbortSignal, call: () => PlainResponse | Promise<PlainResponse> = () => response) =>
    callModelWithHooks(client, { request, translator: plainTranslator(), call, signal });
  const tool = { name: 'run_shell', input: { command: 'ls' } };

  test('a model call whose signal aborts before, during and after `call`', async () => {
    await withCommands({}, async ({ client }) => {
      expect(await callModel(client, AbortSignal.abort())).toMatchObject({ status: 'stopped', cancelled: true });
      const controller = new AbortController();
      const ignoresAbort = () => {
        controller.abort();
        return new Promise<never>(() => {});
      };
      expect(await callModel(client, controller.signal, ignoresAbort)).toMatchObject({ status: 'stopped', cancelled: true });
    });
    for (const eventName of ['BeforeModel', 'AfterModel'] as const) {
      await withCommands({ [eventName]: ['sleep 30'] }, async (scene) => {
        const signal = abortAtHook(scene, new AbortController());
        expect(await callModel(scene.client, signal)).toMatchObject({ status: 'stopped', cancelled: true });
      });
    }
  });

  test.each(['BeforeToolSelection', 'BeforeModel', 'AfterModel'] as const)(
    'not a model call that a hook of %s stops',
    async (eventName) => {
      await withCommands({ [eventName]: [stops] }, async ({ client }) => {
        const outcome = await callModel(client, new AbortController().signal);
        expect(outcome).toMatchObject({ status: 'stopped', stopReason: 'enough' });
        expect(outcome).not.toHaveProperty('cancelled');
      });
    },
  );

  test('a tool call whose signal aborts before and during the tool', async () => {
    await withCommands({}, async ({ client }) => {
      const before = await executeToolWithHooks(client, { ...tool, ...recordingTool(), signal: AbortSignal.abort() });
      expect(before).toMatchObject({ status: 'failed', cancelled: true });
      const reviewed = await reviewToolCallWithHooks(client, { ...tool, signal: AbortSignal.abort() });
      expect(reviewed).toMatchObject({ status: 'failed', cancelled: true });
      for (const execute of [() => Promise.reject(new Error('aborted')), () => new Promise<never>(() => {})]) {
        const controller = new AbortController();
        const run = () => {
          controller.abort();
          return execute();
        };
        expect(await executeToolWithHooks(client, { ...tool, execute: run, signal: controller.signal })).toMatchObject({
          status: 'failed',
          cancelled: true,
        });
      }
    });
    await withCommands({ BeforeTool: ['sleep 30'] }, async (scene) => {
      const signal = abortAtHook(scene, new AbortController());
      const outcome = await executeToolWithHooks(scene.client, { ...tool, ...recordingTool(), signal });
      expect(outcome).toMatchObject({ status: 'failed', cancelled: true });
    });
  });

  test('not a tool call that a hook stops, nor one whose tool had failed by itself', async () => {
    for (const eventName of ['BeforeTool', 'AfterTool'] as const) {
      await withCommands({ [eventName]: [stops] }, async ({ client }) => {
        const outcome = await executeToolWithHooks(client, { ...tool, ...recordingTool(), signal: new AbortController().signal });
        expect(outcome.status).toBe('stopped');
        expect(outcome).not.toHaveProperty('cancelled');
      });
    }
    await withCommands({ AfterTool: ['sleep 30'] }, async (scene) => {
      const signal = abortAtHook(scene, new AbortController());
      const outcome = await executeToolWithHooks(scene.client, { ...tool, execute: () => Promise.reject(new Error('disk full')), signal });
      expect(outcome).toMatchObject({ status: 'failed', reason: 'disk full' });
      expect(outcome).not.toHaveProperty('cancelled');
    });
  });
});
