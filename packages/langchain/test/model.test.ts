import { AIMessage, type AIMessageChunk, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { RunnableSequence } from '@langchain/core/runnables';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import type { HookOutput } from '@tenterhook/protocol';
import { createAgent, createMiddleware, toolStrategy } from 'langchain';
import { z } from 'zod';
import { withCommands } from '../../../test/support/agent.js';
import { says } from '../../../test/support/fire-hooks.js';
import { deny, specific, withFunctions } from '../../../test/support/function-hooks.js';
import type { AdapterMessage } from '../../agent/src/adapters/adapter-messages.js';
import { hooksMiddleware, langChainTranslator } from '../src/index.js';
import { agentOf, call, recordingTools, requestOf, resultOf, scripted, textsOf } from './scene.js';

type Fields = Record<string, unknown>;
const requestIn = (input: Fields) => input['llm_request'] as { messages: { role: string; content: string }[]; config?: Fields };

/** A middleware after the hooks, which records the requests that it receives. */
function watching() {
  const requests: Fields[] = [];
  const watch = createMiddleware({
    name: 'watch',
    wrapModelCall: (request, handler) => {
      requests.push(request as unknown as Fields);
      return handler(request);
    },
  });
  return { requests, watch };
}

test('L5 a hook changes one message, the system message and a setting; the rest are the same objects', async () => {
  const rewrite = (input: Fields) => {
    const { messages } = requestIn(input);
    const changed = messages.map((message) => ({ ...message, content: message.content.replaceAll('K-1', 'KEY').replace('brief', 'long') }));
    return specific({ llm_request: { messages: changed, config: { temperature: 0 } } });
  };
  await withFunctions({ BeforeModel: [rewrite] }, async ({ client }) => {
    const model = scripted('done');
    const { requests, watch } = watching();
    const { tools } = recordingTools();
    const agent = createAgent({ model, tools, systemPrompt: 'Be brief.', middleware: [hooksMiddleware(client), watch] });
    const history = [new HumanMessage('my key is K-1'), new AIMessage('thanks'), new HumanMessage('go on')];
    const result = await agent.invoke({ messages: history });
    expect(requestOf(model, 0)).toEqual([
      'system: [{"type":"text","text":"Be long."}]',
      'human: my key is KEY',
      'ai: thanks',
      'human: go on',
    ]);
    const [request] = requests as [{ messages: unknown[]; tools: unknown[]; modelSettings: unknown }];
    expect(request.messages.map((message, place) => message === result.messages[place])).toEqual([false, true, true]);
    expect(request.tools[0]).toBe(tools[0]);
    expect(request.modelSettings).toEqual({ temperature: 0 });
    // The history of the agent is not changed.
    expect(textsOf(result)[0]).toBe('human: my key is K-1');
  });
});

test('L5 settings that a hook changed reach the model through bindTools', async () => {
  const bound: unknown[] = [];
  class Recording extends FakeListChatModel {
    override bindTools(_tools: unknown[], settings?: unknown) {
      bound.push(settings);
      return this as never;
    }
  }
  await withFunctions({ BeforeModel: [() => specific({ llm_request: { config: { temperature: 0.5 } } })] }, async ({ client }) => {
    await agentOf(client, new Recording({ responses: ['done'] }) as never).run('go');
    expect(bound).toEqual([expect.objectContaining({ temperature: 0.5 })]);
  });
});

test('L5 a hook removes and adds system messages', async () => {
  const rewrite = (input: Fields) => {
    const others = requestIn(input).messages.filter(({ role }) => role !== 'system');
    return specific({ llm_request: { messages: [{ role: 'system', content: 'Rules.' }, ...others] } });
  };
  await withFunctions({ BeforeModel: [rewrite] }, async ({ client }) => {
    for (const systemPrompt of ['Be brief.', undefined]) {
      const model = scripted('done');
      await agentOf(client, model, systemPrompt === undefined ? {} : { systemPrompt }).run('go');
      expect(requestOf(model, 0).map((text) => text.replace(/\[\{"type":"text","text":"(.*)"\}\]/, '$1'))).toEqual([
        'system: Rules.',
        'human: go',
      ]);
    }
  });
  const none = (input: Fields) =>
    specific({ llm_request: { messages: requestIn(input).messages.filter(({ role }) => role !== 'system') } });
  await withFunctions({ BeforeModel: [none] }, async ({ client }) => {
    const model = scripted('done');
    await agentOf(client, model, { systemPrompt: 'Be brief.' }).run('go');
    expect(requestOf(model, 0)).toEqual(['human: go']);
  });
});

test('L5 a hook answers instead of the model, or denies the call', async () => {
  const answers = says({ decision: 'deny', reason: 'known', hookSpecificOutput: { llm_response: { text: 'It is 4.' } } });
  for (const [command, answer] of [
    [answers, 'ai: It is 4.'],
    [says({ decision: 'deny', reason: 'over budget' }), 'ai: over budget'],
  ]) {
    await withCommands({ BeforeModel: [command as string] }, async ({ client }) => {
      const model = scripted('done');
      const result = await agentOf(client, model).run('2+2?');
      expect([textsOf(result).at(-1), model.callCount]).toEqual([answer, 0]);
    });
  }
});

const twoCalls = [call('write_file', { path: 'a' }, 'c1'), call('read_file', { path: 'b' }, 'c2')];

test('L6 a call that AfterModel takes away does not run', async () => {
  const seen: unknown[] = [];
  const keepsReads = (input: Fields) => {
    seen.push(input['tool_calls']);
    const parts = [{ functionCall: { name: 'read_file', args: { path: 'b' } } }];
    return specific({ llm_response: { candidates: [{ content: { role: 'model', parts } }] } });
  };
  await withFunctions(
    { AfterModel: [(input) => ((input['tool_calls'] as unknown[]).length > 1 ? keepsReads(input) : {})] },
    async ({ client }) => {
      const { tools, ran } = recordingTools();
      const result = await agentOf(client, scripted(twoCalls, 'done'), { tools }).run('go');
      expect(ran).toEqual(['read_file {"path":"b"}']);
      expect((result.messages[1] as AIMessage).tool_calls).toMatchObject([{ id: 'c2', name: 'read_file' }]);
      expect(JSON.stringify(result)).not.toContain('write_file');
      expect(textsOf(result).at(-1)).toBe('ai: done');
    },
  );
  expect(seen).toEqual([twoCalls.map(({ name, args }) => expect.objectContaining({ name, args }))]);
});

async function streamed(agent: { stream(input: object, options: object): Promise<AsyncIterable<unknown>> }) {
  const texts: string[] = [];
  for await (const chunk of await agent.stream({ messages: [new HumanMessage('go')] }, { streamMode: 'messages' })) {
    const [message] = chunk as [AIMessage | AIMessageChunk];
    if (message.getType() === 'ai') texts.push(message.text);
  }
  return texts;
}

const listModel = () => {
  class Model extends FakeListChatModel {
    override bindTools() {
      return this as never;
    }
  }
  return new Model({ responses: ['key K-1'] }) as never;
};

test('L7 messages are streamed token by token without hooks, whole after hooks of AfterModel, and at once with observe', async () => {
  const tokens = [...'key K-1'];
  await withFunctions({ BeforeModel: [() => ({})] }, async ({ client }) => {
    expect(await streamed(agentOf(client, listModel()).agent)).toEqual(tokens);
  });
  const redacts = [() => specific({ llm_response: { text: 'key ***' } })];
  await withFunctions({ AfterModel: redacts }, async ({ client }) => {
    expect(await streamed(agentOf(client, listModel()).agent)).toEqual(['key ***']);
    const received: AdapterMessage[] = [];
    const options = { afterModel: 'observe' as const, onMessage: (message: AdapterMessage) => received.push(message) };
    expect(await streamed(agentOf(client, listModel(), { options }).agent)).toEqual(tokens);
    expect(received).toEqual([{ audience: 'user', eventName: 'AfterModel', text: expect.stringContaining('(no_effect)') }]);
    const result = await agentOf(client, listModel(), { options }).run('go');
    expect(textsOf(result).at(-1)).toBe('ai: key K-1');
  });
  await withFunctions({ AfterModel: [() => ({ continue: false, stopReason: 'enough' })] }, async ({ client }) => {
    const result = await agentOf(client, listModel(), { options: { afterModel: 'observe' } }).run('go');
    expect(textsOf(result).at(-1)).toBe('ai: enough');
  });
});

test('L7 a model with settings keeps its tags, and a sequence of a model and a parser works', async () => {
  const tags: unknown[] = [];
  const handleChatModelStart = (...args: unknown[]) => {
    tags.push(args[5]);
  };
  await withFunctions({ AfterModel: [() => ({})] }, async ({ client }) => {
    const bound = (listModel() as FakeListChatModel).withConfig({ tags: ['mine'], callbacks: [{ handleChatModelStart }] });
    expect(await streamed(agentOf(client, bound as never).agent)).toEqual(['key K-1']);
    expect(tags).toEqual([expect.arrayContaining(['mine', 'nostream'])]);
    const sequence = RunnableSequence.from([listModel(), (message: AIMessage) => message]);
    expect(textsOf(await agentOf(client, sequence as never).run('go')).at(-1)).toBe('ai: key K-1');
  });
});

test('L7 nothing is streamed before a held hook has answered', async () => {
  let answer: (output: HookOutput) => void = () => {};
  let asked: () => void = () => {};
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const held = () => {
    asked();
    return new Promise<HookOutput>((resolve) => {
      answer = resolve;
    });
  };
  await withFunctions({ AfterModel: [held] }, async ({ client }) => {
    const texts: string[] = [];
    const reading = (async () => {
      for await (const chunk of await agentOf(client, listModel()).agent.stream(
        { messages: [new HumanMessage('go')] },
        { streamMode: 'messages' },
      )) {
        texts.push((chunk as unknown as [AIMessage])[0].text);
      }
    })();
    await isAsked;
    expect(texts).toEqual([]);
    answer({});
    await reading;
    expect(texts).toEqual(['key K-1']);
  });
});

test('L8 a tool that hooks did not select is not offered, and its call is refused', async () => {
  const selection = says({ hookSpecificOutput: { toolConfig: { mode: 'AUTO', allowedFunctionNames: ['read_file'] } } });
  await withCommands({ BeforeToolSelection: [selection] }, async ({ client }) => {
    const { tools, ran } = recordingTools();
    const { requests, watch } = watching();
    const model = scripted(twoCalls, 'done');
    const result = await createAgent({ model, tools, middleware: [hooksMiddleware(client), watch] }).invoke({
      messages: [new HumanMessage('go')],
    });
    const [request] = requests as [{ tools: { name: string }[] }];
    expect(request.tools.map(({ name }) => name)).toEqual(['read_file']);
    expect(ran).toEqual(['read_file {"path":"b"}']);
    expect(resultOf(result, 'c1').content).toMatch(/allows only read_file for this request, so write_file did not run/);
    expect(resultOf(result, 'c2').content).toBe('content of b');
  });
});

const stops = { continue: false, stopReason: 'enough for today' };

test.each(['BeforeTool', 'AfterTool'] as const)(
  'L9 after a stop of %s the model is not called again, and a call beside it ends',
  async (eventName) => {
    const hook = (input: Fields) => (input['tool_name'] === 'write_file' ? stops : {});
    await withFunctions({ [eventName]: [hook] }, async ({ client }) => {
      const { tools, ran } = recordingTools();
      const model = scripted(twoCalls, 'done', 'next');
      const { MemorySaver } = await import('@langchain/langgraph');
      const agent = agentOf(client, model, { tools, checkpointer: new MemorySaver() });
      const thread = { configurable: { thread_id: 't' } };
      const result = await agent.run('go', thread);
      expect([textsOf(result).at(-1), model.callCount]).toEqual(['ai: enough for today', 1]);
      expect(ran).toEqual(eventName === 'BeforeTool' ? ['read_file {"path":"b"}'] : ['write_file {"path":"a"}', 'read_file {"path":"b"}']);
      expect(resultOf(result, 'c2').content).toBe('content of b');
      // The next turn of the thread is free again.
      expect(textsOf(await agent.run('again', thread)).at(-1)).toBe('ai: done');
    });
  },
);

test.each(['BeforeToolSelection', 'BeforeModel', 'AfterModel'] as const)(
  'L9 a stop of %s ends the graph with the reason',
  async (eventName) => {
    await withFunctions({ [eventName]: [() => stops] }, async ({ client }) => {
      const { tools, ran } = recordingTools();
      const model = scripted(twoCalls, 'done');
      const result = await agentOf(client, model, { tools }).run('go');
      expect([textsOf(result).at(-1), model.callCount, ran]).toEqual(['ai: enough for today', eventName === 'AfterModel' ? 1 : 0, []]);
      expect(result.messages.at(-1)?.response_metadata).toEqual({ tenterhook: { status: 'stopped', eventName } });
    });
  },
);

test('a message of a model hook for everyone is passed on, and follows the result of the first call', async () => {
  const says = (input: Fields) => ((input['tool_calls'] as unknown[]).length > 0 ? { systemMessage: 'two calls' } : {});
  await withFunctions({ AfterModel: [says] }, async ({ client }) => {
    const received: AdapterMessage[] = [];
    const { tools } = recordingTools();
    const result = await agentOf(client, scripted(twoCalls, 'done'), {
      tools,
      options: { onMessage: (message) => received.push(message) },
    }).run('go');
    expect(received).toEqual([{ text: 'two calls', audience: 'everyone', eventName: 'AfterModel' }]);
    const contents = ['c1', 'c2'].map((id) => resultOf(result, id).content);
    expect(contents).toEqual(['wrote a\n\n<hook_context>\ntwo calls\n</hook_context>', 'content of b']);
  });
});

test('what the model throws is thrown on, and hooks of AfterModel are not asked', async () => {
  const events: string[] = [];
  const note = (input: Fields) => {
    events.push(String(input['hook_event_name']));
    return {};
  };
  await withFunctions({ BeforeModel: [note], AfterModel: [note] }, async ({ client }) => {
    const error = new RangeError('overloaded');
    const caught: unknown[] = [];
    const outer = createMiddleware({
      name: 'outer',
      wrapModelCall: async (request, handler) => {
        try {
          return await handler(request);
        } catch (thrown) {
          caught.push((thrown as Error).cause);
          throw thrown;
        }
      },
    });
    const agent = createAgent({ model: scripted(error), middleware: [outer, hooksMiddleware(client)] });
    await expect(agent.invoke({ messages: [new HumanMessage('go')] })).rejects.toThrow('overloaded');
    expect(caught).toEqual([error]);
    expect(events).toEqual(['BeforeModel']);
  });
});

test('a structured answer is returned unchanged, read again from a changed text, and dropped with its call', async () => {
  const schema = z.object({ answer: z.string() });
  const format = toolStrategy(schema);
  const name = format[0]?.name as string;
  const run = (hooks: Parameters<typeof withFunctions>[0]) =>
    withFunctions(hooks, async ({ client }) => {
      const named = scripted([call(name, { answer: 'K-1' }, 'c1')]);
      const agent = createAgent({ model: named, responseFormat: format as never, middleware: [hooksMiddleware(client)] });
      return (await agent.invoke({ messages: [new HumanMessage('go')] })) as unknown as { structuredResponse?: unknown; messages: [] };
    });
  expect((await run({ AfterModel: [() => ({})] })).structuredResponse).toEqual({ answer: 'K-1' });
  expect((await run({ AfterModel: [() => specific({ llm_response: { text: 'more' } })] })).structuredResponse).toEqual({ answer: 'K-1' });
  const taken = await run({
    AfterModel: [() => specific({ llm_response: { candidates: [{ content: { role: 'model', parts: ['no'] } }] } })],
  });
  expect(taken.structuredResponse).toBeUndefined();
  expect(textsOf(taken).at(-1)).toBe('ai: no');
  expect(JSON.stringify(taken)).not.toContain('K-1');
});

test('a graph without createAgent uses the translator', async () => {
  const { callModelWithHooks } = await import('@tenterhook/agent');
  await withFunctions({ AfterModel: [() => specific({ llm_response: { text: 'redacted' } })] }, async ({ client }) => {
    const model = scripted('secret');
    const request = { messages: [new HumanMessage('go')], systemMessage: new SystemMessage('Be brief.'), tools: [] };
    const finished = await callModelWithHooks(client, {
      request,
      translator: langChainTranslator(model),
      call: ({ systemMessage, messages }) => model.invoke([...(systemMessage === undefined ? [] : [systemMessage]), ...messages]),
    });
    expect(finished.response?.text).toBe('redacted');
  });
});

test('tools that the provider runs are named once', async () => {
  await withFunctions({}, async ({ client }) => {
    const received: AdapterMessage[] = [];
    const model = scripted('one', 'two');
    const options = { onMessage: (message: AdapterMessage) => received.push(message) };
    const agent = agentOf(client, model, { tools: [{ type: 'web_search' }] as never, options });
    await agent.run('go');
    await agent.run('again');
    expect(received).toEqual([{ audience: 'user', eventName: 'BeforeTool', text: expect.stringContaining('"web_search"') }]);
  });
});

test('a denied answer of AfterModel stays, and a deny of BeforeModel ends the turn with its mark', async () => {
  await withFunctions({ AfterModel: [() => deny('careful')] }, async ({ client }) => {
    expect(textsOf(await agentOf(client, scripted('done')).run('go')).at(-1)).toBe('ai: done');
  });
  await withFunctions({ BeforeModel: [() => deny('no')] }, async ({ client }) => {
    const result = await agentOf(client, scripted('done')).run('go');
    expect(result.messages.at(-1)?.response_metadata).toEqual({ tenterhook: { status: 'blocked', eventName: 'BeforeModel' } });
  });
});
