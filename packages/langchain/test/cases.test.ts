import { HumanMessage } from '@langchain/core/messages';
import { createAgent, createMiddleware } from 'langchain';
import { testAdapter } from '../../../test/adapters/cases.js';
import { withClient } from '../../../test/support/agent.js';
import { deny, specific, withFunctions } from '../../../test/support/function-hooks.js';
import { hooksMiddleware } from '../src/index.js';
import { agentOf, call, recordingTools, requestOf, resultOf, scripted, textsOf } from './scene.js';

type Fields = Record<string, unknown>;
const both = [call('write_file', { path: 'a' }, 'c1'), call('read_file', { path: 'b' }, 'c2')];
const read = [call('read_file', { path: 'a' }, 'c1')];

// The numbered cases test each row in more detail.
testAdapter('langchain', {
  deny: () =>
    withFunctions({ BeforeTool: [(input) => (input['tool_name'] === 'write_file' ? deny('no') : {})] }, async ({ client }) => {
      const { tools, ran } = recordingTools();
      const model = scripted(both, 'done');
      await agentOf(client, model, { tools }).run('go');
      expect(ran).toEqual(['read_file {"path":"b"}']);
      expect(requestOf(model, 1).slice(-2)).toEqual(['tool: no', 'tool: content of b']);
    }),
  rewrite: async () => {
    for (const [path, content] of [
      ['b', 'content of b'],
      [7, expect.stringContaining('BeforeTool/0')],
    ]) {
      await withFunctions({ BeforeTool: [() => specific({ tool_input: { path } })] }, async ({ client }) => {
        const { tools, ran } = recordingTools();
        const result = await agentOf(client, scripted(read, 'done'), { tools }).run('go');
        expect(resultOf(result, 'c1').content).toEqual(content);
        expect(ran).toHaveLength(path === 'b' ? 1 : 0);
      });
    }
  },
  redact: () =>
    withFunctions({ AfterTool: [() => specific({ updatedToolOutput: '***' })] }, async ({ client }) => {
      const { tools } = recordingTools({ read_file: () => 'K-1' });
      const model = scripted(read, 'done');
      const chunks: unknown[] = [];
      const start = { messages: [new HumanMessage('go')] };
      for await (const chunk of await agentOf(client, model, { tools }).agent.stream(start, {
        streamMode: ['messages', 'updates', 'values'],
      })) {
        chunks.push(chunk);
      }
      expect(requestOf(model, 1).at(-1)).toBe('tool: ***');
      expect(JSON.stringify([chunks, model.calls.map(({ messages }) => messages)])).not.toContain('K-1');
    }),
  context: () =>
    withFunctions({ AfterTool: [() => ({ hookSpecificOutput: { additionalContext: 'more' } })] }, async ({ client }) => {
      const { tools } = recordingTools();
      const model = scripted([call('show', {}, 'c1')], 'done');
      const result = await agentOf(client, model, { tools }).run('go');
      expect(requestOf(model, 1).at(-1)).toBe('tool: text\n\n<hook_context>\nmore\n</hook_context>');
      // The value of the tool for the application is its artifact.
      expect(resultOf(result, 'c1').artifact).toEqual({ secret: 'K-1' });
    }),
  stop: () =>
    withFunctions({ AfterTool: [() => ({ continue: false, stopReason: 'enough' })] }, async ({ client }) => {
      const { tools } = recordingTools();
      const model = scripted(read, 'done');
      const result = await agentOf(client, model, { tools }).run('go');
      expect([textsOf(result).at(-1), model.callCount]).toEqual(['ai: enough', 1]);
    }),
  ask: async () => {
    for (const [ask, runs] of [
      [undefined, 0],
      [() => 'deny' as const, 0],
      [() => undefined, 0],
      [() => 'allow' as const, 1],
    ] as const) {
      await withFunctions({ BeforeTool: [() => ({ decision: 'ask' })] }, async ({ client }) => {
        const { tools, ran } = recordingTools();
        await agentOf(client, scripted(read, 'done'), { tools, options: { ask } }).run('go');
        expect(ran).toHaveLength(runs);
      });
    }
  },
  abort: async () => {
    const abort = new AbortController();
    const hangs = (_input: unknown, signal: AbortSignal) => {
      abort.abort();
      return new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    await withFunctions({ BeforeTool: [hangs] }, async ({ client }) => {
      const { tools, ran } = recordingTools();
      const run = agentOf(client, scripted(read, 'done'), { tools }).agent.invoke(
        { messages: [new HumanMessage('go')] },
        { signal: abort.signal },
      );
      await expect(run).rejects.toThrow(/abort/i);
      expect(ran).toEqual([]);
    });
  },
  error: async () => {
    const error = new RangeError('boom');
    const seen: unknown[] = [];
    const hook = (input: Fields) => {
      seen.push((input['tool_response'] as Fields)['error']);
      return {};
    };
    const caught: unknown[] = [];
    const outer = createMiddleware({
      name: 'outer',
      wrapToolCall: async (request, handler) => {
        try {
          return await handler(request);
        } catch (thrown) {
          caught.push((thrown as Error).cause ?? thrown);
          throw thrown;
        }
      },
    });
    await withFunctions({ AfterTool: [hook] }, async ({ client }) => {
      const { tools } = recordingTools({
        read_file: () => {
          throw error;
        },
      });
      const middleware = [outer, hooksMiddleware(client, { toolErrors: 'throw' })];
      const agent = createAgent({ model: scripted(read), tools, middleware });
      await expect(agent.invoke({ messages: [new HumanMessage('go')] })).rejects.toThrow('boom');
      expect(caught).toEqual([error]);
      expect(caught[0]).toBe(error);
      expect(seen).toEqual([{ message: 'boom' }]);
    });
  },
  selection: () =>
    withFunctions(
      { BeforeToolSelection: [() => specific({ toolConfig: { allowedFunctionNames: ['read_file'] } })] },
      async ({ client }) => {
        const offered: unknown[] = [];
        const watch = createMiddleware({
          name: 'watch',
          wrapModelCall: (request, handler) => {
            offered.push(request.tools.map(({ name }) => name));
            return handler(request);
          },
        });
        const { tools, ran } = recordingTools();
        await createAgent({ model: scripted(both, 'done'), tools, middleware: [hooksMiddleware(client), watch] }).invoke({
          messages: [new HumanMessage('go')],
        });
        expect([offered[0], ran]).toEqual([['read_file'], ['read_file {"path":"b"}']]);
      },
    ),
  idle: () =>
    withClient({ settings: {} }, async ({ client, progress }) => {
      const requests: unknown[] = [];
      const answers: unknown[] = [];
      const [request, answer] = [{ toolCall: read[0], runtime: {}, messages: [], tools: [] }, {}];
      const handler = (received: unknown) => {
        requests.push(received);
        return answer;
      };
      const { wrapModelCall, wrapToolCall } = hooksMiddleware(client);
      answers.push(wrapModelCall?.(request as never, handler as never), wrapToolCall?.(request as never, handler as never));
      expect([...requests.map((each) => each === request), ...answers.map((each) => each === answer)]).toEqual([true, true, true, true]);
      expect(progress).toEqual([]);
    }),
});
