import { withHooks } from '@tenterhook/ai-sdk';
import { withFunctions } from '../../../test/support/function-hooks.js';
import { recordedClient } from './support/recorded-client.js';
import { readCall, recordedTool } from './support/tools.js';
import { outputIn, readAll, versions } from './support/versions.js';

describe.each(versions)('$name', ({ generate, stream, model: script, specificationVersion }) => {
  test('A16: without hooks the tool and the model get the same objects, their results are the same, and nothing is on the bus', async () => {
    await withFunctions({}, async (scene) => {
      const { client, fired } = recordedClient(scene.client);
      const given: unknown[] = [];
      const output = {
        toJSON() {
          throw new Error('not for you');
        },
      };
      const pending = Promise.resolve(output);
      const tool = {
        inputSchema: recordedTool().tool.inputSchema,
        execute(...args: unknown[]) {
          given.push(this, ...args);
          return pending;
        },
        toModelOutput: () => ({ type: 'text', value: 'shown' }),
      };
      const model = script([]);
      const hooked = withHooks(client, { model, tools: { read_file: tool } }, { approvals: undefined, afterModel: 'hold' });
      const [input, options] = [{ path: 'a' }, { toolCallId: 'c1', messages: [] }];
      expect((hooked.tools.read_file.execute as (...args: unknown[]) => unknown)(input, options)).toBe(pending);
      expect(given).toEqual([tool, input, options]);
      expect([given[0] === tool, given[1] === input, given[2] === options]).toEqual([true, true, true]);

      const params = { prompt: [] };
      const callable = hooked.model as unknown as Record<'doGenerate' | 'doStream', (params: object) => Promise<object>>;
      expect([await callable.doGenerate(params), await callable.doStream(params)]).toEqual(model.results);
      expect(await callable.doGenerate(params)).toBe(model.results[2]);
      expect(model.requests.every((request) => request === (params as unknown))).toBe(true);

      // The promises are the model's own, too.
      const promises = { doGenerate: Promise.resolve({ content: [] }), doStream: Promise.resolve({ stream: new ReadableStream() }) };
      const bare = {
        specificationVersion,
        provider: 'p',
        modelId: 'm',
        doGenerate: () => promises.doGenerate,
        doStream: () => promises.doStream,
      };
      const called = withHooks(client, { model: bare }).model as unknown as Record<'doGenerate' | 'doStream', (params: object) => unknown>;
      expect([called.doGenerate(params) === promises.doGenerate, called.doStream(params) === promises.doStream]).toEqual([true, true]);

      const run = script([{ calls: [readCall('c1')] }]);
      const result = await generate(withHooks(client, { model: run, tools: { read_file: tool }, prompt: 'Read.' }));
      expect([result.text, result.steps[0]!.toolResults[0]!.output]).toEqual(['Done.', output]);
      expect(fired).toEqual([]);
    });
  });

  describe('A15: a tool that gives preliminary results', () => {
    const generator = () => ({
      description: 'Reads a file.',
      inputSchema: recordedTool().tool.inputSchema,
      async *execute({ path }: { path: string }) {
        yield `reading ${path}`;
        yield `half of ${path}`;
        yield `text of ${path}`;
      },
    });
    const outputs = async (client: Parameters<typeof withHooks>[0], tool: object = generator()) => {
      const model = script([{ calls: [readCall('c1')] }]);
      const parts = await readAll(stream(withHooks(client, { model, tools: { read_file: tool }, prompt: 'Read.' })).fullStream);
      const results = parts.filter(({ type }) => type === 'tool-result').map(({ output, preliminary }) => [output, preliminary ?? false]);
      return { results, output: outputIn(model.requests[1], 'c1')?.['value'] };
    };
    const all = (path: string) => [
      [`reading ${path}`, true],
      [`half of ${path}`, true],
      [`text of ${path}`, true],
      [`text of ${path}`, false],
    ];

    test.each([
      ['no hooks', {}, 'a.txt'],
      ['hooks of BeforeTool', { BeforeTool: [() => ({ hookSpecificOutput: { tool_input: { path: 'b.txt' } } })] }, 'b.txt'],
    ])('keeps them with %s', async (_, hooks, path) => {
      await withFunctions(hooks, async ({ client }) => {
        expect(await outputs(client)).toEqual({ results: all(path), output: `text of ${path}` });
      });
    });

    test('gives only the last one with hooks of AfterTool, as they left it', async () => {
      const replaces = () => ({ hookSpecificOutput: { updatedToolOutput: 'replaced' } });
      await withFunctions({ AfterTool: [replaces] }, async ({ client }) => {
        const { results, output } = await outputs(client);
        expect(results.map(([each]) => each)).toEqual(['replaced', 'replaced']);
        expect(output).toBe('replaced');
      });
      await withFunctions({ AfterTool: [() => ({})] }, async ({ client }) => {
        expect((await outputs(client)).results.map(([each]) => each)).toEqual(['text of a.txt', 'text of a.txt']);
      });
    });

    test('is refused like any other, and what it throws is the same object', async () => {
      const thrown = new RangeError('broken');
      const fails = {
        ...generator(),
        async *execute() {
          yield 'first';
          throw thrown;
        },
      };
      await withFunctions(
        {
          BeforeTool: [
            ({ tool_input }) => ((tool_input as { path: string }).path === 'a.txt' ? { decision: 'deny', reason: 'private' } : {}),
          ],
        },
        async ({ client }) => {
          expect(await outputs(client)).toEqual({ results: [], output: 'private' });
          const model = script([{ calls: [readCall('c1', 'b.txt')] }]);
          const parts = await readAll(stream(withHooks(client, { model, tools: { read_file: fails }, prompt: 'Read.' })).fullStream);
          expect(parts.find(({ type }) => type === 'tool-error')?.['error']).toBe(thrown);
        },
      );
    });

    test('a plain function that returns an iterable gives its last item', async () => {
      const plain = { ...generator(), execute: (input: { path: string }) => generator().execute(input) };
      await withFunctions({ AfterTool: [() => ({})] }, async ({ client }) => {
        expect((await outputs(client, plain)).output).toBe('text of a.txt');
      });
    });
  });

  test('A18: tools that hooks cannot see are named once', async () => {
    await withFunctions({ BeforeTool: [() => ({})] }, async ({ client }) => {
      const received: object[] = [];
      const providerTool = {
        type: specificationVersion === 'v2' ? 'provider-defined' : 'provider',
        id: 'acme.search',
        name: 'search',
        args: {},
        inputSchema: recordedTool().tool.inputSchema,
      };
      const tools = { read_file: recordedTool().tool, confirm: { inputSchema: recordedTool().tool.inputSchema }, search: providerTool };
      const model = script([{ calls: [readCall('c1')] }]);
      const settings = withHooks(client, { model, tools, prompt: 'Read.' }, { onMessage: (message) => received.push(message) });
      await generate(settings);
      await generate(settings);
      expect(received).toEqual([
        {
          text: 'Hooks of BeforeTool and AfterTool do not receive the calls of confirm (it has no execute), search (the provider runs it).',
          audience: 'user',
          eventName: 'BeforeTool',
        },
      ]);
      expect(settings.tools.confirm).toBe(tools.confirm);
    });
  });

  test('settings that pass withHooks twice fire each event once', async () => {
    let count = 0;
    const hook = () => {
      count += 1;
      return {};
    };
    await withFunctions({ BeforeTool: [hook], BeforeModel: [hook] }, async ({ client }) => {
      const model = script([{ calls: [readCall('c1')] }]);
      const once = withHooks(client, { model, tools: { read_file: recordedTool().tool } });
      await generate({ ...withHooks(client, once), prompt: 'Read.' });
      expect(count).toBe(3);
    });
  });

  test('a function that returns the client is asked at each call', async () => {
    await withFunctions(
      { BeforeModel: [() => ({ hookSpecificOutput: { llm_response: { text: 'hooked' } } })] },
      async ({ client: hooked }) => {
        await withFunctions({}, async ({ client: free }) => {
          let current = free;
          const settings = withHooks(() => current, { model: script([{ text: 'free' }]), prompt: 'Hi.' });
          const first = await generate(settings);
          current = hooked;
          expect([first.text, (await generate(settings)).text]).toEqual(['free', 'hooked']);
        });
      },
    );
  });
});

describe('wrong use is a TypeError', () => {
  const model = versions[0]!.model([]);
  test.each([
    [() => withHooks({} as never, { model }), 'withHooks: the first argument must be a client'],
    [
      () => withHooks(() => ({}) as never, { model }, { asks: () => 'allow' } as never),
      'withHooks has no option "asks". Did you mean "ask"?',
    ],
    [() => withHooks(() => ({}) as never, undefined as never), 'withHooks: the settings must be an object'],
    [() => withHooks(() => ({}) as never, { model: 'gpt-5' }), `such as gateway('gpt-5') of "ai"`],
    [() => withHooks(() => ({}) as never, { model: {} as never }), 'with doGenerate and doStream'],
  ])('%#', (make, message) => {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });

  test('the name of a model is looked up in the default provider of the process', () => {
    const globals = globalThis as { AI_SDK_DEFAULT_PROVIDER?: object };
    globals.AI_SDK_DEFAULT_PROVIDER = { languageModel: (id: string) => Object.assign(versions[0]!.model([]), { modelId: id }) };
    try {
      const { model: found } = withHooks(() => ({}) as never, { model: 'gpt-5' });
      expect((found as unknown as { modelId: string }).modelId).toBe('gpt-5');
    } finally {
      delete globals.AI_SDK_DEFAULT_PROVIDER;
    }
  });
});
