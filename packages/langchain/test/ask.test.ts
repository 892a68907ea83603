import { Command, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import type { Ask, Question } from '@tenterhook/agent';
import type { HookOutput } from '@tenterhook/protocol';
import { withCommands } from '../../../test/support/agent.js';
import { says } from '../../../test/support/fire-hooks.js';
import { specific, withFunctions } from '../../../test/support/function-hooks.js';
import type { AdapterMessage } from '../../agent/src/adapters/adapter-messages.js';
import { agentOf, call, type Ran, recordingTools, resultOf, scripted } from './scene.js';

type Fields = Record<string, unknown>;
const asks = { decision: 'ask', reason: 'sure?' } as const;
const thread = { configurable: { thread_id: 't' } };
const onWrites = (output: HookOutput) => (input: Fields) => (input['tool_name'] === 'write_file' ? output : {});
const write = call('write_file', { path: 'a' }, 'c1');

test('L11 an ask is a deny if no user can be asked', async () => {
  await withCommands({ BeforeTool: [says(asks)] }, async ({ client }) => {
    const { tools, ran } = recordingTools();
    const result = await agentOf(client, scripted([write], 'done'), { tools }).run('go');
    expect([resultOf(result, 'c1').content, ran]).toEqual(['It needs confirmation, but no user could be asked. sure?', []]);
  });
});

test.each<[string, Ask, boolean]>([
  ['allow', () => 'allow', true],
  ['deny', async () => 'deny', false],
  ['throw', () => Promise.reject(new Error('gone')), false],
])('L11 the user is asked about the rewritten input and answers: %s', async (_answer, answers, isRun) => {
  const questions: Question[] = [];
  const ask: Ask = (question, options) => {
    questions.push(question);
    return answers(question, options);
  };
  await withFunctions({ BeforeTool: [() => ({ ...asks, ...specific({ tool_input: { path: 'b' } }) })] }, async ({ client }) => {
    const { tools, ran } = recordingTools();
    await agentOf(client, scripted([write], 'done'), { tools, options: { ask } }).run('go');
    expect(ran).toEqual(isRun ? ['write_file {"path":"b"}'] : []);
    expect(questions).toMatchObject([{ eventName: 'BeforeTool', subject: 'write_file', input: { path: 'b' }, reason: 'sure?' }]);
  });
});

/** An agent with a checkpointer that is made anew for each step, as in another process. */
function suspending(client: Parameters<typeof agentOf>[0], model: ReturnType<typeof scripted>, extra: object = {}) {
  const checkpointer = new MemorySaver();
  const { tools, ran } = recordingTools((extra as { behaviour?: object }).behaviour as never);
  const options = { approvals: 'framework' as const, ...(extra as { options?: object }).options };
  // A client of its own is that of another process, which knows nothing of earlier calls.
  const create = (fresh = true) => agentOf(fresh ? Object.create(client) : client, model, { tools, checkpointer, options });
  const same = create(false);
  return {
    ran,
    start: (): Promise<Ran> => same.run('go', thread),
    answer: (resume: unknown, fresh = true): Promise<Ran> =>
      (fresh ? create() : same).agent.invoke(new Command({ resume }) as never, thread as never) as never,
  };
}

const approve = { decisions: [{ type: 'approve' }] };
const reject = { decisions: [{ type: 'reject', message: 'not today' }] };

test('L11 a question becomes an interrupt in the form of humanInTheLoopMiddleware; an approval runs the tool, also in another process', async () => {
  const events: string[] = [];
  const note = (input: Fields) => {
    events.push(String(input['hook_event_name']));
    return {};
  };
  const notified: Fields[] = [];
  const notification = (input: Fields) => {
    notified.push(input);
    return {};
  };
  const hooks = { BeforeTool: [note, onWrites(asks)], Notification: [notification] };
  for (const fresh of [true, false]) {
    events.length = 0;
    notified.length = 0;
    await withFunctions(hooks, async ({ client }) => {
      const { ran, start, answer } = suspending(client, scripted([write], 'done'));
      const suspended = await start();
      expect(suspended.__interrupt__?.map(({ value }) => value)).toEqual([
        {
          actionRequests: [{ name: 'write_file', args: { path: 'a' }, description: 'sure?' }],
          reviewConfigs: [{ actionName: 'write_file', allowedDecisions: ['approve', 'reject'] }],
          toolCallId: 'c1',
        },
      ]);
      expect(ran).toEqual([]);
      const result = await answer(approve, fresh);
      expect([resultOf(result, 'c1').content, ran]).toEqual(['wrote a', ['write_file {"path":"a"}']]);
      // The question left once, and the hooks were asked again on the way back.
      expect(notified).toMatchObject([
        { notification_type: 'ToolPermission', details: { tool_name: 'write_file', tool_input: { path: 'a' } } },
      ]);
      expect(events).toEqual(['BeforeTool', 'BeforeTool']);
    });
  }
});

test.each([
  ['a rejection', reject, 'The user did not allow it. not today'],
  ['a rejection without a message', { decisions: [{ type: 'reject' }] }, 'The user did not allow it. sure?'],
  ['an edit, which is not offered', { decisions: [{ type: 'edit', editedAction: {} }] }, /is not offered/],
  ['another value', true, /must be \{ decisions/],
  ['two decisions', { decisions: [...approve.decisions, ...approve.decisions] }, /must be \{ decisions/],
])('L11 %s refuses the call', async (_kind, resume, reason) => {
  await withFunctions({ BeforeTool: [onWrites(asks)] }, async ({ client }) => {
    const { ran, start, answer } = suspending(client, scripted([write], 'done'));
    await start();
    expect(resultOf(await answer(resume), 'c1').content).toEqual(typeof reason === 'string' ? reason : expect.stringMatching(reason));
    expect(ran).toEqual([]);
  });
});

test('L11 two parallel calls are asked about and answered one by one', async () => {
  const notified: unknown[] = [];
  const notification = (input: Fields) => {
    notified.push((input['details'] as Fields)['tool_input']);
    return {};
  };
  await withFunctions({ BeforeTool: [onWrites(asks)], Notification: [notification] }, async ({ client }) => {
    const calls = [write, call('write_file', { path: 'b' }, 'c2'), call('read_file', { path: 'c' }, 'c3')];
    const { ran, start, answer } = suspending(client, scripted(calls, 'done'));
    const first = await start();
    const idOf = (ran: Ran, callId: string) => ran.__interrupt__?.find(({ value }) => value['toolCallId'] === callId)?.id as string;
    expect(ran).toEqual(['read_file {"path":"c"}']);
    const second = await answer({ [idOf(first, 'c2')]: approve });
    expect(second.__interrupt__?.map(({ value }) => value['toolCallId'])).toEqual(['c1']);
    const last = await answer({ [idOf(second, 'c1')]: reject });
    expect(ran).toEqual(['read_file {"path":"c"}', 'write_file {"path":"b"}']);
    expect(['c1', 'c2', 'c3'].map((id) => resultOf(last, id).content)).toEqual([
      'The user did not allow it. not today',
      'wrote b',
      'content of c',
    ]);
    // The question that waits is not announced again when the other one is answered.
    expect(notified).toEqual([{ path: 'a' }, { path: 'b' }]);
  });
});

test('L11 a hook that denies on the way back wins over an approval', async () => {
  let output: HookOutput = asks;
  await withFunctions({ BeforeTool: [() => output] }, async ({ client }) => {
    const { ran, start, answer } = suspending(client, scripted([write], 'done'));
    await start();
    output = { decision: 'deny', reason: 'meanwhile forbidden' };
    expect(resultOf(await answer(approve), 'c1').content).toBe('meanwhile forbidden');
    expect(ran).toEqual([]);
  });
});

test('L11 a rejection wins over a hook that allows on the way back', async () => {
  let output: HookOutput = asks;
  await withFunctions({ BeforeTool: [() => output] }, async ({ client }) => {
    const { ran, start, answer } = suspending(client, scripted([write], 'done'));
    await start();
    output = { decision: 'allow' };
    expect(resultOf(await answer(reject), 'c1').content).toBe('The user did not allow it. not today');
    expect(ran).toEqual([]);
  });
});

test('L11 an approval counts only for the input that was shown: another input is asked about again', async () => {
  let path = 'shown';
  await withFunctions({ BeforeTool: [() => ({ ...asks, ...specific({ tool_input: { path } }) })] }, async ({ client }) => {
    const { ran, start, answer } = suspending(client, scripted([write], 'done'));
    await start();
    path = 'other';
    const again = await answer(approve);
    expect(again.__interrupt__?.map(({ value }) => value['actionRequests'])).toMatchObject([[{ args: { path: 'other' } }]]);
    expect(ran).toEqual([]);
    expect(resultOf(await answer(approve), 'c1').content).toBe('wrote other');
    expect(ran).toEqual(['write_file {"path":"other"}']);
  });
});

test('L11 a tool that suspends the run itself is not a failure: it runs again after its answer, and is not asked about again', async () => {
  const after: unknown[] = [];
  const note = (input: Fields) => {
    after.push(input['tool_name']);
    return {};
  };
  const behaviour = { write_file: ({ path }: { path: string }) => `wrote ${path} for ${interrupt('who are you?')}` };
  await withFunctions({ BeforeTool: [onWrites(asks)], AfterTool: [note] }, async ({ client }) => {
    const { ran, start, answer } = suspending(client, scripted([write], 'done'), { behaviour });
    await start();
    const own = await answer(approve, false);
    expect([own.__interrupt__?.map(({ value }) => value), after]).toEqual([['who are you?'], []]);
    expect(resultOf(await answer('Ann', false), 'c1').content).toBe('wrote a for Ann');
    expect([ran.length, after]).toEqual([2, ['write_file']]);
  });
  // A hook that allows now does not take the answer away from the tool.
  let output: HookOutput = asks;
  await withFunctions({ BeforeTool: [() => output] }, async ({ client }) => {
    const { start, answer } = suspending(client, scripted([write], 'done'), { behaviour });
    await start();
    await answer(approve, false);
    output = { decision: 'allow' };
    expect(resultOf(await answer('Ann', false), 'c1').content).toBe('wrote a for Ann');
  });
  // Another process does not know which input was approved, so the call is refused.
  await withFunctions({ BeforeTool: [onWrites(asks)] }, async ({ client }) => {
    const { ran, start, answer } = suspending(client, scripted([write], 'done'), { behaviour });
    await start();
    await answer(approve);
    expect(resultOf(await answer('Ann'), 'c1').content).toMatch(/approval cannot be compared/);
    expect(ran.length).toBe(1);
  });
});

test('L11 a tool that suspends the run without any ask passes its hooks again', async () => {
  await withFunctions({ BeforeTool: [() => ({})], AfterTool: [() => ({})] }, async ({ client }) => {
    const behaviour = { write_file: () => `for ${interrupt('who are you?')}` };
    const { start, answer } = suspending(client, scripted([write], 'done'), { behaviour });
    await start();
    expect(resultOf(await answer('Ann'), 'c1').content).toBe('for Ann');
  });
});

test('L11 an agent that is a node of another graph is suspended and resumed with it', async () => {
  await withFunctions({ BeforeTool: [onWrites(asks)] }, async ({ client }) => {
    const { tools, ran } = recordingTools();
    const { agent } = agentOf(client, scripted([write], 'done'), { tools, options: { approvals: 'framework' } });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('inner', agent.graph as never)
      .addEdge(START, 'inner' as never)
      .compile({ checkpointer: new MemorySaver() });
    const suspended = (await graph.invoke({ messages: [{ role: 'user', content: 'go' }] }, thread)) as unknown as Ran;
    expect(suspended.__interrupt__?.map(({ value }) => value['toolCallId'])).toEqual(['c1']);
    const result = (await graph.invoke(new Command({ resume: approve }) as never, thread)) as unknown as Ran;
    expect([resultOf(result, 'c1').content, ran]).toEqual(['wrote a', ['write_file {"path":"a"}']]);
  });
});

test('L11 without a checkpointer an ask ends the run with the error of LangGraph', async () => {
  await withFunctions({ BeforeTool: [onWrites(asks)] }, async ({ client }) => {
    const { tools, ran } = recordingTools();
    const agent = agentOf(client, scripted([write], 'done'), { tools, options: { approvals: 'framework' } });
    await expect(agent.run('go')).rejects.toThrow(/checkpointer/i);
    expect(ran).toEqual([]);
  });
});

test('messages of hooks that ask are passed on once, when the question leaves', async () => {
  const received: AdapterMessage[] = [];
  const output = { ...asks, systemMessage: 'careful' };
  await withFunctions({ BeforeTool: [onWrites(output)] }, async ({ client }) => {
    const options = { onMessage: (message: AdapterMessage) => received.push(message) };
    const { start } = suspending(client, scripted([write], 'done'), { options });
    await start();
    expect(received).toEqual([{ text: 'careful', audience: 'everyone', eventName: 'BeforeTool' }]);
  });
});

test('with version v1 of createAgent, all calls of a step are one task: one of them can be asked about, the others are denied', async () => {
  await withFunctions({ BeforeTool: [onWrites(asks)] }, async ({ client }) => {
    const { tools, ran } = recordingTools();
    const calls = [write, call('write_file', { path: 'b' }, 'c2')];
    const fields = { tools, checkpointer: new MemorySaver(), version: 'v1' as const, options: { approvals: 'framework' as const } };
    const { agent, run } = agentOf(client, scripted(calls, 'done'), fields);
    const suspended = await run('go', thread);
    expect(suspended.__interrupt__?.map(({ value }) => value['toolCallId'])).toEqual(['c1']);
    const result = (await agent.invoke(new Command({ resume: approve }) as never, thread as never)) as never;
    expect(resultOf(result, 'c1').content).toBe('wrote a');
    expect(resultOf(result, 'c2').content).toMatch(/approval cannot be compared/);
    expect(ran).toEqual(['write_file {"path":"a"}']);
  });
});
