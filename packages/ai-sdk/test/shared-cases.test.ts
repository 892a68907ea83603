import { withHooks } from '@tenterhook/ai-sdk';
import { testAdapter } from '../../../test/adapters/cases.js';
import { withClient } from '../../../test/support/agent.js';
import { deny, specific, withFunctions } from '../../../test/support/function-hooks.js';
import { recordedClient } from './support/recorded-client.js';
import { redactingHooks } from './support/redacting-hooks.js';
import { readCall, recordedTool } from './support/tools.js';
import { outputIn, versions } from './support/versions.js';

type Client = Parameters<typeof withHooks>[0];

for (const { name, generate, model: script } of versions) {
  const run = async (client: Client, output: unknown = 'text', options: Parameters<typeof withHooks>[2] = {}, own: object = {}) => {
    const { tool, inputs } = recordedTool(output);
    const model = script([{ calls: [readCall('c1'), readCall('c2', 'b.txt')] }]);
    const result = await generate(withHooks(client, { model, tools: { read_file: tool }, prompt: 'Read both.', ...own }, options));
    return { result, model, inputs, readByModel: (id: string) => outputIn(model.requests[1], id)?.['value'] };
  };
  const ofA = ({ tool_input }: Record<string, unknown>) => (tool_input as { path: string }).path === 'a.txt';

  testAdapter(`ai-sdk with ${name}`, {
    deny: () =>
      withFunctions({ BeforeTool: [(input) => (ofA(input) ? deny('private') : {})] }, async ({ client }) => {
        const { inputs, readByModel, result } = await run(client);
        expect([inputs, readByModel('c1'), readByModel('c2'), result.text]).toEqual([[{ path: 'b.txt' }], 'private', 'text', 'Done.']);
      }),
    rewrite: () =>
      withFunctions({ BeforeTool: [(input) => specific({ tool_input: { path: ofA(input) ? 'c.txt' : 7 } })] }, async ({ client }) => {
        const { inputs, readByModel } = await run(client);
        expect(inputs).toEqual([{ path: 'c.txt' }]);
        expect(readByModel('c2')).toMatch(/^The input as rewritten by hook "BeforeTool\/0" does not match/);
      }),
    redact: () =>
      withClient(redactingHooks['a handler']!(), async ({ client }) => {
        const { result, model } = await run(client, 'the key is sk-1234');
        expect(JSON.stringify([result.steps, result.response.messages, model.requests])).not.toContain('sk-1234');
      }),
    context: () =>
      withFunctions({ AfterTool: [(input) => (ofA(input) ? specific({ additionalContext: 'old' }) : {})] }, async ({ client }) => {
        const { result, readByModel } = await run(client);
        expect(readByModel('c1')).toBe('text\n\n<hook_context>\nold\n</hook_context>');
        expect(result.steps[0]!.toolResults[0]!.output).toBe('text');
      }),
    stop: () =>
      withFunctions({ AfterTool: [(input) => (ofA(input) ? { continue: false, stopReason: 'enough' } : {})] }, async ({ client }) => {
        const { result, model, inputs } = await run(client);
        expect([result.text, model.requests.length, inputs.length]).toEqual(['enough', 1, 2]);
      }),
    ask: () =>
      withFunctions({ BeforeTool: [() => ({ decision: 'ask', reason: 'sure?' })] }, async ({ client }) => {
        expect((await run(client)).inputs).toEqual([]);
        const { inputs } = await run(client, 'text', {
          ask: ({ input }) => ((input as { path: string }).path === 'a.txt' ? 'allow' : 'deny'),
        });
        expect(inputs).toEqual([{ path: 'a.txt' }]);
      }),
    abort: async () => {
      const [abort, reason] = [new AbortController(), new Error('left')];
      let isEnded = false;
      const hangs = (_: unknown, signal: AbortSignal) =>
        new Promise<object>((resolve) => {
          signal.addEventListener('abort', () => {
            isEnded = true;
            resolve({});
          });
          abort.abort(reason);
        });
      await withFunctions({ BeforeTool: [hangs] }, async ({ client }) => {
        const inputs: unknown[] = [];
        const output = (input: unknown) => inputs.push(input);
        await expect(run(client, output, {}, { abortSignal: abort.signal, maxRetries: 0 })).rejects.toBe(reason);
        expect([inputs, isEnded]).toEqual([[], true]);
      });
    },
    error: async () => {
      const thrown = new RangeError('line 9 of 3');
      const received: unknown[] = [];
      const hook = ({ tool_response }: Record<string, unknown>) => {
        received.push((tool_response as { error?: { message: string } }).error?.message);
        return {};
      };
      await withFunctions({ AfterTool: [hook] }, async ({ client }) => {
        const fails = () => {
          throw thrown;
        };
        const { result } = await run(client, fails);
        expect(result.steps[0]!.content.find(({ type }) => type === 'tool-error')?.['error']).toBe(thrown);
        expect(received).toEqual(['line 9 of 3', 'line 9 of 3']);
      });
    },
    selection: () =>
      withFunctions({ BeforeToolSelection: [() => specific({ toolConfig: { allowedFunctionNames: ['list'] } })] }, async ({ client }) => {
        const { model, inputs, readByModel } = await run(client);
        expect([model.requests[0]!.tools ?? [], inputs]).toEqual([[], []]);
        expect(readByModel('c1')).toMatch(/so read_file did not run/);
      }),
    idle: () =>
      withFunctions({}, async (scene) => {
        const { client, fired } = recordedClient(scene.client);
        const output = { text: 'as it is' };
        const { tool } = recordedTool(output);
        const given = { path: 'a.txt' };
        const { tools } = withHooks(client, { tools: { read_file: tool } });
        expect(await (tools.read_file.execute as (...args: unknown[]) => unknown)(given, { toolCallId: 'c1' })).toBe(output);
        const { result, model } = await run(client, output);
        expect(result.steps[0]!.toolResults[0]!.output).toBe(output);
        expect([model.results.length, fired]).toEqual([2, []]);
      }),
  });
}
