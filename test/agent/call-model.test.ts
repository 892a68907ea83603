import { type Ask, callModelWithHooks, executeToolWithHooks, type Question } from '@tenterhook/agent';
import type { HookOutput, LLMRequest, LLMResponse } from '@tenterhook/protocol';
import { type AgentScene, firedEvents, recordingModel, recordingTool, withCommands } from '../support/agent.js';
import { says } from '../support/fire-hooks.js';
import { deny, specific, withFunctions } from '../support/function-hooks.js';
import { type PlainRequest, type PlainResponse, plainTranslator } from '../support/plain-translator.js';

const request: PlainRequest = {
  model: 'm-1',
  messages: [{ role: 'user', content: 'hello' }],
  config: { temperature: 0.5, topP: 0.9 },
  tools: ['read_file', 'write_file', 'run_shell'],
};
const response: PlainResponse = {
  text: 'hi',
  candidates: [{ content: { role: 'model', parts: ['hi'] }, finishReason: 'STOP' }],
  functionCalls: ['run_shell'],
};

const answeringModel = () => recordingModel<PlainRequest, PlainResponse>(response);
const selects = (toolConfig: Record<string, unknown>) => says({ hookSpecificOutput: { toolConfig } });
const writes = (llm_request: LLMRequest) => says({ hookSpecificOutput: { llm_request } });
const answers = (llm_response: LLMResponse, more: HookOutput = {}) => says({ ...more, hookSpecificOutput: { llm_response } });
const seen = ({ read }: AgentScene, file: string) => JSON.parse(read(file) ?? '{}') as Record<string, never>;

describe('the order of events', () => {
  test('selection, before, the model, after', async () => {
    const hooks = { BeforeToolSelection: ['true'], BeforeModel: ['true'], AfterModel: ['true'] };
    await withCommands(hooks, async (scene) => {
      const whenCalled: string[][] = [];
      const call = () => {
        whenCalled.push(firedEvents(scene));
        return response;
      };
      const outcome = await callModelWithHooks(scene.client, { request, translator: plainTranslator(), call });
      expect(outcome).toMatchObject({ status: 'responded', request, response, selection: {}, before: {}, after: {} });
      expect(whenCalled).toEqual([['BeforeToolSelection', 'BeforeModel']]);
      expect(firedEvents(scene)).toEqual(['BeforeToolSelection', 'BeforeModel', 'AfterModel']);
    });
  });

  test.each<[string, PlainRequest]>([
    ['no tools', { model: 'm-1' }],
    ['an empty list of them', { model: 'm-1', tools: [] }],
  ])('a request with %s needs no selection', async (_, withoutTools) => {
    await withCommands({ BeforeToolSelection: ['true'], BeforeModel: ['true'] }, async (scene) => {
      const translator = plainTranslator();
      const outcome = await callModelWithHooks(scene.client, { request: withoutTools, translator, ...answeringModel() });
      expect(firedEvents(scene)).toEqual(['BeforeModel']);
      expect(outcome).not.toHaveProperty('selection');
    });
  });

  test('without hooks nothing is fired and nothing is translated; request and response are the very objects', async () => {
    const translator = plainTranslator();
    const model = answeringModel();
    await withCommands({}, async (scene) => {
      const outcome = await callModelWithHooks(scene.client, { request, translator, ...model });
      expect(outcome).toEqual({
        status: 'responded',
        request,
        response,
        systemMessages: [],
        userMessages: [],
        suppressOutput: false,
      });
      expect(outcome.request).toBe(request);
      expect(outcome.response).toBe(response);
      expect(firedEvents(scene)).toEqual([]);
    });
    expect(translator.asked).toEqual([]);
    expect(model.requests[0]).toBe(request);
  });

  test('hooks that rewrite nothing leave the very objects', async () => {
    const hooks = { BeforeToolSelection: ['true'], BeforeModel: [says({ decision: 'allow' })], AfterModel: ['echo fine'] };
    await withCommands(hooks, async ({ client }) => {
      const model = answeringModel();
      const outcome = await callModelWithHooks(client, { request, translator: plainTranslator(), ...model });
      expect(model.requests[0]).toBe(request);
      expect(outcome.response).toBe(response);
      expect(outcome).not.toHaveProperty('toolSelection');
    });
  });

  test('what the model call throws is thrown on, and AfterModel does not fire', async () => {
    await withCommands({ AfterModel: ['true'] }, async (scene) => {
      const error = new Error('529');
      const call = () => Promise.reject(error);
      await expect(callModelWithHooks(scene.client, { request, translator: plainTranslator(), call })).rejects.toBe(error);
      expect(firedEvents(scene)).toEqual([]);
    });
  });

  test('messages of all three events, in their order', async () => {
    const say = (name: string) => () => ({ systemMessage: `s-${name}`, hookSpecificOutput: { userMessage: `u-${name}` } });
    const hooks = { BeforeToolSelection: [say('selection')], BeforeModel: [say('before')], AfterModel: [say('after')] };
    await withFunctions(hooks, async ({ client }) => {
      expect(await callModelWithHooks(client, { request, translator: plainTranslator(), ...answeringModel() })).toMatchObject({
        systemMessages: ['s-selection', 's-before', 's-after'],
        userMessages: ['u-selection', 'u-before', 'u-after'],
        suppressOutput: false,
      });
    });
    await withCommands({ AfterModel: [says({ suppressOutput: true })] }, async ({ client }) => {
      const outcome = await callModelWithHooks(client, { request, translator: plainTranslator(), ...answeringModel() });
      expect(outcome).toMatchObject({ status: 'responded', suppressOutput: true, response });
    });
  });
});

describe('the selection of tools', () => {
  test('filters the tools of the request, is shown to BeforeModel hooks and given to the executor', async () => {
    const hooks = { BeforeToolSelection: [selects({ mode: 'ANY', allowedFunctionNames: ['read_file'] })], BeforeModel: ['cat > b.json'] };
    await withCommands(hooks, async (scene) => {
      const model = answeringModel();
      const outcome = await callModelWithHooks(scene.client, { request, translator: plainTranslator(), ...model });
      const toolConfig = { mode: 'ANY', allowedFunctionNames: ['read_file'] };
      expect(model.requests).toEqual([{ ...request, tools: ['read_file'], toolConfig }]);
      expect(seen(scene, 'b.json')).toMatchObject({ llm_request: { toolConfig }, available_tools: ['read_file'] });
      expect(outcome.toolSelection).toEqual({ ...toolConfig, by: ['llxprt/settings/BeforeToolSelection/0.0'] });

      const tool = recordingTool();
      const { toolSelection } = outcome;
      const refused = await executeToolWithHooks(scene.client, {
        name: 'run_shell',
        input: {},
        ...tool,
        ...(toolSelection && { toolSelection }),
      });
      expect(refused).toMatchObject({ status: 'blocked', reason: expect.stringContaining('llxprt/settings/BeforeToolSelection/0.0') });
      expect(tool.calls).toEqual([]);
    });
  });

  test.each<[string, Record<string, unknown>]>([
    ['NONE', { mode: 'NONE' }],
    ['an empty list', { allowedFunctionNames: [] }],
  ])('%s: the model is shown no tool', async (_, toolConfig) => {
    await withCommands({ BeforeToolSelection: [selects(toolConfig)] }, async ({ client }) => {
      const model = answeringModel();
      const outcome = await callModelWithHooks(client, { request, translator: plainTranslator(), ...model });
      expect(model.requests).toMatchObject([{ tools: [] }]);
      expect(outcome.toolSelection).toMatchObject({ allowedFunctionNames: [] });
    });
  });

  test('a deny and an ask in it undo nothing', async () => {
    for (const decision of ['deny', 'ask'] as const) {
      await withCommands({ BeforeToolSelection: [says({ decision })] }, async ({ client }) => {
        const model = answeringModel();
        expect((await callModelWithHooks(client, { request, translator: plainTranslator(), ...model })).status).toBe('responded');
        expect(model.requests).toEqual([request]);
      });
    }
  });

  test('a stop in it ends the loop before BeforeModel', async () => {
    const hooks = { BeforeToolSelection: [says({ continue: false, stopReason: 'enough' })], BeforeModel: ['true'] };
    await withCommands(hooks, async (scene) => {
      const model = answeringModel();
      const outcome = await callModelWithHooks(scene.client, { request, translator: plainTranslator(), ...model });
      expect(outcome).toMatchObject({ status: 'stopped', stopReason: 'enough' });
      expect(firedEvents(scene)).toEqual(['BeforeToolSelection']);
      expect(model.requests).toEqual([]);
    });
  });

  const narrows: [string, Record<string, unknown> | undefined, Record<string, unknown>, readonly string[], string][] = [
    [
      'narrower list',
      { allowedFunctionNames: ['read_file', 'write_file'] },
      { allowedFunctionNames: ['read_file'] },
      ['read_file'],
      'AUTO',
    ],
    ['wider list', { allowedFunctionNames: ['read_file'] }, { allowedFunctionNames: ['read_file', 'run_shell'] }, ['read_file'], 'AUTO'],
    ['other list', { allowedFunctionNames: ['read_file'] }, { allowedFunctionNames: ['run_shell'] }, [], 'AUTO'],
    ['no list', { mode: 'ANY', allowedFunctionNames: ['read_file'] }, { mode: 'AUTO' }, ['read_file'], 'ANY'],
    ['AUTO after NONE', { mode: 'NONE' }, { mode: 'AUTO', allowedFunctionNames: ['run_shell'] }, [], 'NONE'],
    ['NONE after ANY', { mode: 'ANY' }, { mode: 'NONE' }, [], 'NONE'],
    ['a list alone', undefined, { mode: 'ANY', allowedFunctionNames: ['run_shell'] }, ['run_shell'], 'ANY'],
  ];
  test.each(narrows)(
    'what BeforeModel writes into the request narrows and never widens: %s',
    async (_, selected, toolConfig, tools, mode) => {
      const hooks = {
        BeforeModel: [says({ hookSpecificOutput: { llm_request: { toolConfig } } })],
        ...(selected === undefined ? {} : { BeforeToolSelection: [selects(selected)] }),
      };
      await withCommands(hooks, async ({ client }) => {
        const model = answeringModel();
        const outcome = await callModelWithHooks(client, { request, translator: plainTranslator(), ...model });
        expect(model.requests).toMatchObject([{ tools, toolConfig: { mode } }]);
        expect(outcome.toolSelection).toMatchObject({ mode, by: expect.arrayContaining(['llxprt/settings/BeforeModel/0.0']) });
        for (const name of ['read_file', 'write_file', 'run_shell']) {
          const tool = recordingTool();
          const { toolSelection } = outcome;
          await executeToolWithHooks(client, { name, input: {}, ...tool, ...(toolSelection && { toolSelection }) });
          expect(tool.calls).toHaveLength(tools.includes(name) ? 1 : 0);
        }
      });
    },
  );

  test('a restriction of BeforeModel holds also in a request of more fields than are reported one by one', async () => {
    const fields = Object.fromEntries(Array.from({ length: 1100 }, (_, index) => [`k${index}`, 0]));
    await withFunctions(
      { BeforeModel: [() => specific({ llm_request: { toolConfig: { mode: 'NONE' }, ...fields } })] },
      async ({ client }) => {
        const model = answeringModel();
        const outcome = await callModelWithHooks(client, { request, translator: plainTranslator(), ...model });
        expect(model.requests).toMatchObject([{ tools: [] }]);
        expect(outcome.toolSelection).toMatchObject({ mode: 'NONE', by: ['BeforeModel/0'] });
      },
    );
  });

  test('a BeforeModel hook that hands back the selection it was shown does not become its author', async () => {
    const toolConfig = { mode: 'AUTO' as const, allowedFunctionNames: ['read_file'] };
    const hooks = { BeforeToolSelection: [selects(toolConfig)], BeforeModel: [writes({ toolConfig, config: { temperature: 0 } })] };
    await withCommands(hooks, async ({ client }) => {
      const outcome = await callModelWithHooks(client, { request, translator: plainTranslator(), ...answeringModel() });
      expect(outcome.toolSelection?.by).toEqual(['llxprt/settings/BeforeToolSelection/0.0']);
      expect(outcome.request).toEqual({ ...request, tools: ['read_file'], toolConfig, config: { temperature: 0, topP: 0.9 } });
    });
  });
});

describe('BeforeModel', () => {
  test('config is rewritten key by key, messages as a whole, the rest stays (field failure 74)', async () => {
    const messages = [{ role: 'user' as const, content: 'hello, briefly' }];
    const hooks = {
      BeforeModel: [writes({ config: { temperature: 0 } }), writes({ config: { topK: 3 }, messages })],
      AfterModel: ['cat > a.json'],
    };
    await withCommands(hooks, async (scene) => {
      const model = answeringModel();
      const outcome = await callModelWithHooks(scene.client, { request, translator: plainTranslator(), ...model });
      const effective = { ...request, messages, config: { temperature: 0, topP: 0.9, topK: 3 } };
      expect(model.requests).toEqual([effective]);
      expect(outcome.request).toEqual(effective);
      const { tools: _, ...shown } = effective;
      expect(seen(scene, 'a.json')).toMatchObject({ llm_request: shown, llm_response: { text: 'hi' }, duration_ms: expect.any(Number) });
    });
    expect(request.config).toEqual({ temperature: 0.5, topP: 0.9 });
  });

  test('a deny: the model is not called, the response is an empty one', async () => {
    await withCommands({ BeforeModel: [says(deny('no budget'))], AfterModel: ['true'] }, async (scene) => {
      const model = answeringModel();
      const outcome = await callModelWithHooks(scene.client, { request, translator: plainTranslator(), ...model });
      expect(outcome).toMatchObject({ status: 'blocked', reason: 'no budget', response: {} });
      expect(model.requests).toEqual([]);
      expect(firedEvents(scene)).toEqual(['BeforeModel']);
    });
  });

  test.each<[string, HookOutput, string | undefined]>([
    ['alone', {}, undefined],
    ['with an allow', { decision: 'allow', reason: 'ok' }, undefined],
    ['with an ask', { decision: 'ask', reason: 'sure?' }, undefined],
    ['with a deny', deny('cached'), 'cached'],
  ])('a response of a hook %s: it is used, and the model is not called (decision 13)', async (_, more, reason) => {
    await withCommands({ BeforeModel: [answers({ text: 'from the cache' }, more)], AfterModel: ['true'] }, async (scene) => {
      const model = answeringModel();
      const outcome = await callModelWithHooks(scene.client, { request, translator: plainTranslator(), ...model });
      expect(outcome).toMatchObject({ status: 'synthetic', response: { text: 'from the cache' } });
      expect(outcome.reason).toBe(reason);
      expect(model.requests).toEqual([]);
      expect(firedEvents(scene)).toEqual(['BeforeModel']);
    });
  });

  test('a stop ends the loop, with the response of a hook where there is one', async () => {
    const stop = { continue: false, stopReason: 'enough' };
    for (const hook of [says(stop), answers({ text: 'bye' }, stop)]) {
      await withCommands({ BeforeModel: [hook] }, async ({ client }) => {
        const model = answeringModel();
        const outcome = await callModelWithHooks(client, { request, translator: plainTranslator(), ...model });
        expect(outcome).toMatchObject({ status: 'stopped', stopReason: 'enough' });
        expect(outcome.response).toEqual(hook.includes('bye') ? { text: 'bye' } : undefined);
        expect(model.requests).toEqual([]);
      });
    }
  });

  test('an ask is put to the user with the request as rewritten; without an answer the model is not called', async () => {
    const questions: Question[] = [];
    const yes: Ask = (question) => {
      questions.push(question);
      return 'allow';
    };
    const hooks = { BeforeModel: [writes({ config: { temperature: 0 } }), says({ decision: 'ask', reason: 'costs money' })] };
    await withCommands(hooks, async ({ client }) => {
      const model = answeringModel();
      const allowed = await callModelWithHooks(client, { request, translator: plainTranslator(), ...model, ask: yes });
      expect(allowed.status).toBe('responded');
      const rewritten = { ...request, config: { temperature: 0, topP: 0.9 } };
      const by = ['llxprt/settings/BeforeModel/0.1'];
      expect(questions).toEqual([{ eventName: 'BeforeModel', subject: 'm-1', input: rewritten, reason: 'costs money', by }]);
      expect(model.requests).toEqual([rewritten]);

      const unasked = await callModelWithHooks(client, { request, translator: plainTranslator(), ...model });
      expect(unasked).toMatchObject({ status: 'blocked', reason: expect.stringContaining('no user could be asked'), response: {} });
      const no = await callModelWithHooks(client, { request, translator: plainTranslator(), ...model, ask: () => 'deny' });
      expect(no).toMatchObject({ status: 'blocked', reason: expect.stringContaining('costs money') });
      expect(model.requests).toHaveLength(1);
    });
  });
});

describe('AfterModel', () => {
  test('a text alone replaces the text and keeps the function calls', async () => {
    await withCommands({ AfterModel: [answers({ text: 'redacted' })] }, async ({ client }) => {
      const outcome = await callModelWithHooks(client, { request, translator: plainTranslator(), ...answeringModel() });
      expect(outcome).toMatchObject({ status: 'responded', response: { text: 'redacted', functionCalls: ['run_shell'] } });
      expect(JSON.stringify(outcome.response)).not.toContain('"hi"');
    });
  });

  test('candidates replace the response, function calls included', async () => {
    const candidates = [{ content: { role: 'model', parts: ['no tools for you'] } }];
    await withCommands({ AfterModel: [answers({ candidates })] }, async ({ client }) => {
      const outcome = await callModelWithHooks(client, { request, translator: plainTranslator(), ...answeringModel() });
      expect(outcome).toMatchObject({ status: 'responded', response: { candidates } });
      expect(outcome.response).not.toHaveProperty('functionCalls');
    });
  });

  test('candidates of a hook that failed replace nothing', async () => {
    const failing = `${answers({ candidates: [] })}; exit 1`;
    await withCommands({ AfterModel: [failing, answers({ text: 'redacted' })] }, async ({ client }) => {
      const outcome = await callModelWithHooks(client, { request, translator: plainTranslator(), ...answeringModel() });
      expect(outcome.response).toMatchObject({ text: 'redacted', functionCalls: ['run_shell'] });
    });
  });

  test('a deny undoes nothing and is reported', async () => {
    await withCommands({ AfterModel: [says(deny('too long'))] }, async ({ client }) => {
      const outcome = await callModelWithHooks(client, { request, translator: plainTranslator(), ...answeringModel() });
      expect(outcome).toMatchObject({ status: 'responded', response, reason: 'too long', after: { verdict: { kind: 'deny' } } });
    });
  });

  test('a deny that brings a response replaces it (decision 67)', async () => {
    const hook = () => ({ ...deny('unsafe'), ...specific({ llm_response: { text: '', candidates: [] } }) });
    await withFunctions({ AfterModel: [hook] }, async ({ client }) => {
      const outcome = await callModelWithHooks(client, { request, translator: plainTranslator(), ...answeringModel() });
      expect(outcome).toMatchObject({ status: 'responded', reason: 'unsafe', response: { text: '', candidates: [] } });
      expect(outcome.response).not.toHaveProperty('functionCalls');
    });
  });

  test.each([
    ['its stop reason', { continue: false, stopReason: 'off the rails' }, 'off the rails'],
    ['words of ours where it gives none', { continue: false }, 'A hook stopped the agent'],
  ])('a stop ends the loop with a response that carries %s, and no function call', async (_, stop, text) => {
    await withCommands({ AfterModel: [says(stop)] }, async ({ client }) => {
      const outcome = await callModelWithHooks(client, { request, translator: plainTranslator(), ...answeringModel() });
      expect(outcome).toMatchObject({ status: 'stopped', response: { text: expect.stringContaining(text) } });
      expect(outcome.response).not.toHaveProperty('functionCalls');
      expect(JSON.stringify(outcome.response)).not.toContain('"hi"');
    });
  });
});
