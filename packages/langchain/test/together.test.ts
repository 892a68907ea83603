import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type AIMessage, HumanMessage } from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import { createHookClient, type HookClient } from '@tenterhook/agent';
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  humanInTheLoopMiddleware,
  modelRetryMiddleware,
  toolRetryMiddleware,
} from 'langchain';
import { createHooks } from 'tenterhook';
import { withClient } from '../../../test/support/agent.js';
import { freshDirectory } from '../../../test/support/fire-hooks.js';
import { withFunctions } from '../../../test/support/function-hooks.js';
import { hooksMiddleware } from '../src/index.js';
import { agentOf, call, recordingTools, resultOf, scripted, textsOf } from './scene.js';

type Fields = Record<string, unknown>;
// The types of LangChain's own middleware do not fit `createAgent` with `exactOptionalPropertyTypes`, so lists of middleware are cast.
const noDelay = { initialDelayMs: 0, jitter: false };
const threadOf = (id: string) => ({ configurable: { thread_id: id } });

/** Hooks that record the events that they receive. */
function recording(...eventNames: readonly string[]) {
  const inputs: Fields[] = [];
  const note = (input: Fields) => {
    inputs.push(input);
    return {};
  };
  return { inputs, hooks: Object.fromEntries(eventNames.map((name) => [name, [note]])) };
}

test('L15 two threads of one agent have their own clients: session_id, recent_tools and stops are apart', async () => {
  const projectDir = freshDirectory();
  const note = 'cat > "seen-$(date +%N)-$$.json"';
  const stops = `grep -q '"session_id":"one"' && echo '{"continue":false,"stopReason":"one stops"}'; true`;
  const settings = { hooks: { BeforeTool: [{ hooks: [{ command: note }] }], AfterTool: [{ hooks: [{ command: stops }] }] } };
  await using hooks = await createHooks({ projectDir, settings });
  const clients = new Map<string, HookClient>();
  const clientOf = ({ configurable }: { configurable?: { thread_id?: string } }) => {
    const thread = configurable?.thread_id ?? '';
    const client = clients.get(thread) ?? createHookClient(hooks, { fields: { session_id: thread } });
    clients.set(thread, client);
    return client;
  };
  const { tools } = recordingTools();
  const steps = [[call('read_file', { path: 'a' }, 'c1')], [call('write_file', { path: 'a' }, 'c1')], 'done'];
  const middleware = [hooksMiddleware(clientOf)];
  const runs = ['one', 'two'].map((id) => {
    const agent = createAgent({ model: scripted(...steps), tools, middleware });
    return agent.invoke({ messages: [new HumanMessage('go')] }, threadOf(id));
  });
  expect((await Promise.all(runs)).map((result) => textsOf(result).at(-1))).toEqual(['ai: one stops', 'ai: done']);
  const files = readdirSync(projectDir).filter((file) => file.startsWith('seen-'));
  const seen = files.map((file) => JSON.parse(readFileSync(join(projectDir, file), 'utf8')) as Fields);
  rmSync(projectDir, { recursive: true, force: true });
  expect(seen).toHaveLength(3);
  expect(seen.map(({ session_id, tool_name, recent_tools }) => [session_id, tool_name, recent_tools])).toEqual(
    expect.arrayContaining([
      ['one', 'read_file', []],
      ['two', 'read_file', []],
      ['two', 'write_file', ['read_file']],
    ]),
  );
});

test('L17 without hooks the framework receives the same request and its answer is returned; nothing is sent on the bus', async () => {
  const { inputs, hooks } = recording();
  expect(hooks).toEqual({});
  await withClient({ settings: {} }, async ({ client, hooks: system, progress }) => {
    const sent: unknown[] = [];
    system.bus.subscribe('HOOK_EXECUTION_REQUEST', (message) => sent.push(message));
    const middleware = hooksMiddleware(client);
    const runtime = { configurable: {} };
    const answer = {
      thrower: {
        toJSON: () => {
          throw new Error('read');
        },
      },
    };
    const received: unknown[] = [];
    const handler = (request: unknown) => {
      received.push(request);
      return answer;
    };
    const modelRequest = { messages: [], tools: [], runtime };
    const toolRequest = { toolCall: call('read_file', {}, 'c1'), runtime };
    expect(middleware.wrapModelCall?.(modelRequest as never, handler as never)).toBe(answer);
    expect(middleware.wrapToolCall?.(toolRequest as never, handler as never)).toBe(answer);
    expect([received[0] === modelRequest, received[1] === toolRequest]).toEqual([true, true]);
    const promised = Promise.resolve(answer);
    expect(middleware.wrapModelCall?.(modelRequest as never, (() => promised) as never)).toBe(promised);
    expect(await middleware.wrapToolCall?.(toolRequest as never, (() => promised) as never)).toBe(answer);
    const throwing = hooksMiddleware(client, { toolErrors: 'throw' });
    expect(throwing.wrapToolCall?.(toolRequest as never, (() => promised) as never)).toBe(promised);
    const { tools } = recordingTools();
    await agentOf(client, scripted([call('read_file', { path: 'a' }, 'c1')], 'done'), { tools }).run('go');
    expect([sent, progress, inputs]).toEqual([[], [], []]);
  });
});

test('settings that change under way count at the next call', async () => {
  await using hooks = await createHooks({ settings: {} });
  const client = createHookClient(hooks);
  const { tools, ran } = recordingTools({
    write_file: async () => {
      const denies = { command: 'echo no >&2; exit 2' };
      await hooks.extensions.add({ name: 'late', hooks: { BeforeTool: [{ hooks: [denies] }] } });
      return 'wrote';
    },
  });
  const model = scripted([call('write_file', { path: 'a' }, 'c1')], [call('read_file', { path: 'a' }, 'c2')], 'done');
  const result = await agentOf(client, model, { tools }).run('go');
  expect(ran).toEqual(['write_file {"path":"a"}']);
  expect(resultOf(result, 'c2').content).toBe('no');
});

test('L18 each attempt of toolRetryMiddleware passes the hooks, and the user is asked once', async () => {
  const { inputs, hooks } = recording('BeforeTool', 'AfterTool');
  const asks = { ...hooks, BeforeTool: [...(hooks['BeforeTool'] ?? []), () => ({ decision: 'ask' as const })] };
  await withFunctions(asks, async ({ client }) => {
    let asked = 0;
    const ask = () => {
      asked += 1;
      return 'allow' as const;
    };
    const error = new RangeError('busy');
    const caught: unknown[] = [];
    const { tools, ran } = recordingTools({
      read_file: () => {
        if (ran.length < 3) throw error;
        return 'read';
      },
    });
    const retryOn = (thrown: Error) => {
      caught.push(thrown);
      return true;
    };
    const middleware = [
      toolRetryMiddleware({ ...noDelay, retryOn }),
      hooksMiddleware(client, { ask, toolErrors: 'throw' }),
    ] as unknown as AgentMiddleware[];
    const agent = createAgent({ model: scripted([call('read_file', { path: 'a' }, 'c1')], 'done'), tools, middleware });
    const result = await agent.invoke({ messages: [new HumanMessage('go')] });
    expect(resultOf(result, 'c1').content).toBe('read');
    expect(inputs.map((input) => input['hook_event_name'])).toEqual(Array(3).fill(['BeforeTool', 'AfterTool']).flat());
    expect([asked, ran.length, caught.map((each) => (each as Error).cause ?? each)]).toEqual([1, 3, [error, error]]);
  });
});

test('L18 toolRetryMiddleware after the hooks repeats the approved call, and the hooks see its last answer', async () => {
  const { inputs, hooks } = recording('BeforeTool', 'AfterTool');
  await withFunctions(hooks, async ({ client }) => {
    const { tools, ran } = recordingTools({
      read_file: () => {
        if (ran.length < 2) throw new RangeError('busy');
        return 'read';
      },
    });
    const middleware = [hooksMiddleware(client), toolRetryMiddleware(noDelay)] as unknown as AgentMiddleware[];
    const agent = createAgent({ model: scripted([call('read_file', { path: 'a' }, 'c1')], 'done'), tools, middleware });
    await agent.invoke({ messages: [new HumanMessage('go')] });
    expect(ran).toHaveLength(2);
    expect(inputs.map((input) => input['hook_event_name'])).toEqual(['BeforeTool', 'AfterTool']);
    expect(inputs[1]?.['tool_response']).toEqual({ llmContent: 'read' });
  });
});

test('L18 each attempt of modelRetryMiddleware passes the hooks, with the error of the model itself', async () => {
  const { inputs, hooks } = recording('BeforeModel', 'AfterModel');
  await withFunctions(hooks, async ({ client }) => {
    const model = scripted(new RangeError('busy'), 'done');
    const agent = createAgent({
      model,
      middleware: [modelRetryMiddleware(noDelay), hooksMiddleware(client)] as unknown as AgentMiddleware[],
    });
    expect(textsOf(await agent.invoke({ messages: [new HumanMessage('go')] })).at(-1)).toBe('ai: done');
    expect(inputs.map((input) => input['hook_event_name'])).toEqual(['BeforeModel', 'BeforeModel', 'AfterModel']);
  });
});

test('L18 a call that humanInTheLoopMiddleware asked about passes the hooks once it is approved, and nothing is asked twice', async () => {
  const { inputs, hooks } = recording('BeforeTool', 'BeforeModel');
  const asks = (input: Fields) => (input['tool_name'] === 'write_file' ? { decision: 'ask' as const } : {});
  await withFunctions({ ...hooks, BeforeTool: [...(hooks['BeforeTool'] ?? []), asks] }, async ({ client }) => {
    const { tools, ran } = recordingTools();
    const model = scripted([call('read_file', { path: 'a' }, 'c1'), call('write_file', { path: 'b' }, 'c2')], 'done');
    const human = humanInTheLoopMiddleware({ interruptOn: { read_file: true } } as never);
    const middleware = [hooksMiddleware(client, { approvals: 'framework' }), human] as unknown as AgentMiddleware[];
    const agent = createAgent({ model, tools, middleware, checkpointer: new MemorySaver() });
    const questions: unknown[] = [];
    type Suspended = { __interrupt__?: { value: { actionRequests: { name: string }[] } }[]; messages: AIMessage[] };
    let result = (await agent.invoke({ messages: [new HumanMessage('go')] }, threadOf('t'))) as unknown as Suspended;
    while (result.__interrupt__ !== undefined && questions.length < 5) {
      questions.push(result.__interrupt__.flatMap(({ value }) => value.actionRequests.map(({ name }) => name)));
      result = (await agent.invoke(new Command({ resume: { decisions: [{ type: 'approve' }] } }) as never, threadOf('t'))) as never;
    }
    expect(questions).toEqual([['read_file'], ['write_file']]);
    expect(ran.toSorted()).toEqual(['read_file {"path":"a"}', 'write_file {"path":"b"}']);
    expect(textsOf(result).at(-1)).toBe('ai: done');
    expect(inputs.filter((input) => input['hook_event_name'] === 'BeforeModel')).toHaveLength(2);
  });
});

test('hooks between other middleware that has nodes of its own', async () => {
  const order: string[] = [];
  const other = (name: string) =>
    createMiddleware({
      name,
      beforeAgent: () => {
        order.push(`${name} before`);
      },
      afterAgent: () => {
        order.push(`${name} after`);
      },
    });
  const denies = (input: Fields) => (input['prompt'] === 'bad' ? { decision: 'deny' as const, reason: 'no' } : {});
  const again = (input: Fields) => (input['stop_hook_active'] ? {} : { decision: 'deny' as const, reason: 'again' });
  await withFunctions({ BeforeAgent: [denies], AfterAgent: [again] }, async ({ client }) => {
    const model = scripted('first', 'second');
    const agent = createAgent({ model, middleware: [other('one'), hooksMiddleware(client), other('two')] });
    const ask = async (prompt: string) => textsOf(await agent.invoke({ messages: [new HumanMessage(prompt)] }));
    expect(await ask('bad')).toEqual(['human: [A hook blocked this prompt.]', 'ai: no']);
    expect(model.callCount).toBe(0);
    expect(await ask('go')).toEqual(['human: go', 'ai: first', 'human: again', 'ai: second']);
    expect(order.at(-1)).toBe('one after');
  });
});

test.each([
  [{ onMesage: () => {} }, 'hooksMiddleware has no option "onMesage". Did you mean "onMessage"?'],
  [{ toolErrors: 'ignore' }, 'hooksMiddleware: "toolErrors" must be "message" or "throw", and is "ignore".'],
  [{ ask: 'allow' }, 'hooksMiddleware: "ask" must be a function, and is "allow".'],
])('wrong options are a TypeError when the middleware is made: %j', async (options, message) => {
  await withClient({ settings: {} }, async ({ client }) => {
    expect(() => hooksMiddleware(client, options as never)).toThrow(new TypeError(message));
    expect(() => hooksMiddleware({} as never)).toThrow(TypeError);
  });
});
