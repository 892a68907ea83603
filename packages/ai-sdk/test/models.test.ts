import { withHooks } from '@tenterhook/ai-sdk';
import { withCommands } from '../../../test/support/agent.js';
import { says } from '../../../test/support/fire-hooks.js';
import { withFunctions } from '../../../test/support/function-hooks.js';
import { readCall, recordedTool } from './support/tools.js';
import { outputIn, readAll, versions } from './support/versions.js';

describe.each(versions)('$name', ({ name, generate, stream, model: script, specificationVersion }) => {
  const messages = () => [
    { role: 'user', content: 'My key is opensesame.' },
    { role: 'assistant', content: 'Noted.' },
    { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
  ];

  test('the model of the settings keeps what the SDK reads', async () => {
    await withFunctions({}, async ({ client }) => {
      const model = script([]);
      const hooked = withHooks(client, { model, maxOutputTokens: 5 });
      expect([hooked.model.specificationVersion, hooked.model.modelId, hooked.model.provider]).toEqual([
        specificationVersion,
        model.modelId,
        model.provider,
      ]);
      expect(hooked.maxOutputTokens).toBe(5);
      expect(hooked.model).toBeInstanceOf((model as object).constructor);
    });
  });

  test('A5: one message and the temperature change, and nothing else does', async () => {
    const rewrite = ({ llm_request }: Record<string, unknown>) => {
      const { messages, config } = llm_request as { messages: { content: string }[]; config?: object };
      const changed = messages.map((message) => ({ ...message, content: message.content.replace('opensesame', '[removed]') }));
      return { hookSpecificOutput: { llm_request: { messages: changed, config: { ...config, temperature: 0.1 } } } };
    };
    const given = messages();
    const settings = { messages: given, temperature: 0.9, seed: 7, stopSequences: ['x'] };
    const bare = script([]);
    await generate({ model: bare, ...settings });
    await withFunctions({ BeforeModel: [rewrite] }, async ({ client }) => {
      const model = script([]);
      await generate(withHooks(client, { model, ...settings }));
      const expected = JSON.parse(JSON.stringify(bare.requests[0]).replace('opensesame', '[removed]').replace('0.9', '0.1'));
      expect(JSON.parse(JSON.stringify(model.requests[0]))).toEqual(expected);
      expect(given).toEqual(messages());
    });
  });

  test('A5: a hook answers instead of the model', async () => {
    const answer = { hookSpecificOutput: { llm_response: { text: 'From a hook.' } } };
    await withCommands({ BeforeModel: [says(answer)] }, async ({ client }) => {
      const model = script([]);
      const result = await generate(withHooks(client, { model, prompt: 'Hi.' }));
      expect([result.text, result.finishReason, model.requests.length]).toEqual(['From a hook.', 'stop', 0]);
      expect(result.providerMetadata).toEqual({ tenterhook: { status: 'synthetic' } });
      expect(await stream(withHooks(client, { model, prompt: 'Hi.' })).text).toBe('From a hook.');
    });
  });

  test('A5: a hook denies the model call', async () => {
    await withCommands({ BeforeModel: [`echo 'over budget' >&2; exit 2`] }, async ({ client }) => {
      const model = script([]);
      const result = await generate(withHooks(client, { model, prompt: 'Hi.' }));
      expect([result.text, result.finishReason, model.requests.length]).toEqual(['over budget', 'content-filter', 0]);
      expect(result.providerMetadata).toEqual({ tenterhook: { status: 'blocked', reason: 'over budget' } });
      const streamed = stream(withHooks(client, { model, prompt: 'Hi.' }));
      expect([await streamed.text, model.requests.length]).toEqual(['over budget', 0]);
    });
  });

  test('AfterModel removes a text and a call, which is not run', async () => {
    const keepOne = () => ({
      hookSpecificOutput: { llm_response: { candidates: [{ content: { role: 'model', parts: ['I stop here.'] } }] } },
    });
    await withFunctions({ AfterModel: [keepOne] }, async ({ client }) => {
      const { tool, inputs } = recordedTool();
      const model = script([{ text: 'I read.', calls: [readCall('c1')] }]);
      const result = await generate(withHooks(client, { model, tools: { read_file: tool }, prompt: 'Read.' }));
      expect([result.text, result.finishReason, inputs, model.requests.length]).toEqual(['I stop here.', 'stop', [], 1]);
    });
  });

  describe('A8: a selection of tools', () => {
    const selects = says({ hookSpecificOutput: { toolConfig: { allowedFunctionNames: ['list'] } } });
    const scene = () => {
      const [read, list] = [recordedTool('read'), recordedTool('listed')];
      const model = script([{ calls: [readCall('c1'), { id: 'c2', name: 'list', input: { path: '.' } }] }]);
      return { read, list, model, settings: { model, tools: { read_file: read.tool, list: list.tool }, prompt: 'Read.' } };
    };

    test('is offered to the model, and a call of another tool is refused', async () => {
      await withCommands({ BeforeToolSelection: [selects] }, async ({ client }) => {
        const { read, list, model, settings } = scene();
        await generate(withHooks(client, settings));
        expect(model.requests[0]!.tools?.map(({ name }) => name)).toEqual(['list']);
        expect([read.inputs.length, list.inputs.length]).toEqual([0, 1]);
        expect(outputIn(model.requests[1], 'c1')?.['value']).toMatch(/allows only list for this request, so read_file did not run\.$/);
      });
    });

    test('is enforced in a stream too, whose parts are passed on', async () => {
      await withCommands({ BeforeToolSelection: [selects] }, async ({ client }) => {
        const { read, list, model, settings } = scene();
        await readAll(stream(withHooks(client, settings)).fullStream);
        expect([read.inputs.length, list.inputs.length]).toEqual([0, 1]);
        expect(outputIn(model.requests[1], 'c1')?.['value']).toMatch(/allows only list/);
      });
    });
  });

  test('the messages of a model event reach the model after the result of the first call', async () => {
    let count = 0;
    const once = () => (++count === 1 ? { systemMessage: 'be brief' } : {});
    await withFunctions({ BeforeModel: [once] }, async ({ client }) => {
      const model = script([{ calls: [readCall('c1'), readCall('c2')] }]);
      await generate(withHooks(client, { model, tools: { read_file: recordedTool('text').tool }, prompt: 'Read.' }));
      expect(outputIn(model.requests[1], 'c1')?.['value']).toBe('text\n\n<hook_context>\nbe brief\n</hook_context>');
      expect(outputIn(model.requests[1], 'c2')?.['value']).toBe('text');
    });
  });

  // AI SDK 7 has no `experimental_prepareStep`. The streams of 5 and 6 do not use it.
  test.each(name === 'v7' ? ['prepareStep'] : ['prepareStep', 'experimental_prepareStep'])(
    'a model that %s chooses is hooked too',
    async (setting) => {
      await withCommands({ BeforeModel: [`echo 'no' >&2; exit 2`] }, async ({ client }) => {
        const [model, other] = [script([]), script([])];
        const result = await generate(withHooks(client, { model, prompt: 'Hi.', [setting]: () => ({ model: other }) }));
        expect([result.text, model.requests.length, other.requests.length]).toEqual(['no', 0, 0]);
      });
    },
  );

  test('AfterModel changes a text: what repeats it in the metadata of the provider is removed', async () => {
    await withFunctions(
      { AfterModel: [() => ({ hookSpecificOutput: { llm_response: { text: 'The key is hidden.' } } })] },
      async ({ client }) => {
        const groundingSupports = [{ segment: { text: 'The key is opensesame.' } }];
        const google = { logprobs: ['opensesame'], groundingMetadata: { webSearchQueries: ['key'], groundingSupports } };
        const model = script([{ text: 'The key is opensesame.' }]);
        const { doGenerate } = model as unknown as { doGenerate(params: object): Promise<object> };
        const withMetadata = async (params: object) => ({ ...(await doGenerate(params)), providerMetadata: { google } });
        Object.assign(model, { doGenerate: withMetadata });
        const result = await generate(withHooks(client, { model, prompt: 'Hi.' }));
        expect(result.providerMetadata).toEqual({ google: { groundingMetadata: { webSearchQueries: ['key'] } } });
        expect(JSON.stringify(result.steps)).not.toContain('opensesame');
      },
    );
  });

  test('A8: the selection counts for a call in the response of a hook too', async () => {
    const selects = () => ({ hookSpecificOutput: { toolConfig: { mode: 'ANY', allowedFunctionNames: ['read_file'] } } });
    const functionCall = { name: 'delete_file', args: { path: 'a.txt' } };
    let count = 0;
    const answers = () => {
      count += 1;
      return count > 1
        ? {}
        : { hookSpecificOutput: { llm_response: { candidates: [{ content: { role: 'model', parts: [{ functionCall }] } }] } } };
    };
    await withFunctions({ BeforeToolSelection: [selects as never], BeforeModel: [answers as never] }, async ({ client }) => {
      const { tool, inputs } = recordedTool();
      const model = script([]);
      const settings = { model, tools: { read_file: recordedTool().tool, delete_file: tool }, prompt: 'Go.' };
      const result = await generate(withHooks(client, settings));
      expect([inputs, result.text]).toEqual([[], 'Done.']);
      expect(JSON.stringify(model.requests[0]?.prompt)).toContain('allows only read_file');
    });
  });
});
