import { HumanMessage } from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import type { HookOutput } from '@tenterhook/protocol';
import { createAgent, createMiddleware, tool } from 'langchain';
import { z } from 'zod';
import { specific, withFunctions } from '../../../test/support/function-hooks.js';
import { hooksMiddleware } from '../src/index.js';
import { agentOf, call, type Ran, recordingTools, type Step, scripted } from './scene.js';

// Not all services give unique ids to calls.
const asks = () => ({ decision: 'ask', reason: 'sure?' }) as const;
const thread = { configurable: { thread_id: 't' } };
/** A promise that the test resolves. */
function gate() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
const read = () => [call('read_file', { path: 'a' }, 'c1')];

test('L11 the user is asked again about a call of a later answer with the same id', async () => {
  await withFunctions({ BeforeTool: [asks] }, async ({ client }) => {
    const { tools, ran } = recordingTools();
    let asked = 0;
    const ask = () => {
      asked += 1;
      return 'allow' as const;
    };
    await agentOf(client, scripted(read(), read(), 'done'), { tools, options: { ask } }).run('go', thread);
    expect([asked, ran.length]).toEqual([2, 2]);
  });
});

test('L11 a call of a later answer with the same id is suspended again', async () => {
  await withFunctions({ BeforeTool: [asks] }, async ({ client }) => {
    const { tools, ran } = recordingTools();
    const options = { approvals: 'framework' as const };
    const { agent, run } = agentOf(client, scripted(read(), read(), 'done'), { tools, checkpointer: new MemorySaver(), options });
    expect((await run('go', thread)).__interrupt__).toHaveLength(1);
    const resume = { decisions: [{ type: 'approve' }] };
    const second: Ran = (await agent.invoke(new Command({ resume }) as never, thread as never)) as never;
    expect([ran.length, second.__interrupt__?.length]).toEqual([1, 1]);
  });
});

test('L8 of two agents that run as tools of one thread, each has its own selection, although their calls have the same id', async () => {
  const selects = (input: Record<string, unknown>): HookOutput =>
    JSON.stringify(input).includes('only read')
      ? (specific({ toolConfig: { mode: 'ANY', allowedFunctionNames: ['read_file'] } }) as HookOutput)
      : {};
  await withFunctions({ BeforeToolSelection: [selects] }, async ({ client }) => {
    const { tools, ran } = recordingTools();
    const subAgent = (name: string, ...answers: readonly Step[]) =>
      tool(
        async ({ task }: { task: string }) => {
          const agent = createAgent({ model: scripted(...answers), tools, middleware: [hooksMiddleware(client)] });
          return String((await agent.invoke({ messages: [new HumanMessage(task)] })).messages.at(-1)?.content);
        },
        { name, description: name, schema: z.object({ task: z.string() }) },
      );
    const agents = [
      subAgent('first', [call('write_file', { path: 'x' }, 'c1')], 'x'),
      subAgent('second', [call('read_file', { path: 'y' }, 'c1')], 'y'),
    ];
    const calls = [call('first', { task: 'only read' }, 'p1'), call('second', { task: 'anything' }, 'p2')];
    await agentOf(client, scripted(calls, 'done'), { tools: agents }).run('go', thread);
    expect(ran).toEqual(['read_file {"path":"y"}']);
  });
});

test('L8 of two runs of one thread at the same time, each has its own selection, although their calls have the same id', async () => {
  const selects = (input: Record<string, unknown>): HookOutput =>
    JSON.stringify(input).includes('only read')
      ? (specific({ toolConfig: { mode: 'ANY', allowedFunctionNames: ['read_file'] } }) as HookOutput)
      : {};
  await withFunctions({ BeforeToolSelection: [selects] }, async ({ client }) => {
    const { tools, ran } = recordingTools();
    const write = (path: string) => scripted([call('write_file', { path }, 'c1')], 'done');
    // The call is made, and has not run, when the other run comes in between.
    const [made, other] = [gate(), gate()];
    const waits = createMiddleware({
      name: 'waits',
      afterModel: async () => {
        made.resolve();
        await other.promise;
      },
    });
    const agent = createAgent({ model: write('a'), tools, middleware: [hooksMiddleware(client), waits] });
    const first = agent.invoke({ messages: [new HumanMessage('only read')] }, thread);
    await made.promise;
    await agentOf(client, write('b'), { tools }).run('anything', thread);
    other.resolve();
    await first;
    expect(ran).toEqual(['write_file {"path":"b"}']);
  });
});

test('L11 the user is asked about each of two equal calls', async () => {
  for (const version of ['v1', 'v2'] as const) {
    let asked = 0;
    let fired = 0;
    const answered = gate();
    // The hook decides about the second call when the first is approved.
    const asksInTurn = async () => {
      fired += 1;
      if (fired === 2) await answered.promise;
      return asks();
    };
    await withFunctions({ BeforeTool: [asksInTurn] }, async ({ client }) => {
      const { tools, ran } = recordingTools({ read_file: () => answered.resolve() });
      const ask = () => {
        asked += 1;
        return asked === 1 ? ('allow' as const) : ('deny' as const);
      };
      await agentOf(client, scripted([...read(), ...read()], 'done'), { tools, version, options: { ask } }).run('go', thread);
      expect([version, asked, ran.length]).toEqual([version, 2, 1]);
    });
  }
});

test('L11 each of two equal calls is suspended, and only the approved one runs', async () => {
  await withFunctions({ BeforeTool: [asks] }, async ({ client }) => {
    const { tools, ran } = recordingTools();
    const options = { approvals: 'framework' as const };
    const { agent, run } = agentOf(client, scripted([...read(), ...read()], 'done'), { tools, checkpointer: new MemorySaver(), options });
    const questions = (await run('go', thread)).__interrupt__ ?? [];
    expect(questions).toHaveLength(2);
    const types = ['approve', 'reject'];
    const resume = Object.fromEntries(questions.map(({ id }, place) => [id, { decisions: [{ type: types[place] }] }]));
    await agent.invoke(new Command({ resume }) as never, thread as never);
    expect(ran).toHaveLength(1);
  });
});
