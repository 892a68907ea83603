import { HumanMessage } from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import type { HookOutput } from '@tenterhook/protocol';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import { specific, withFunctions } from '../../../test/support/function-hooks.js';
import { hooksMiddleware } from '../src/index.js';
import { agentOf, call, type Ran, recordingTools, type Step, scripted } from './scene.js';

// Not all services give unique ids to calls.
const asks = () => ({ decision: 'ask', reason: 'sure?' }) as const;
const thread = { configurable: { thread_id: 't' } };
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
