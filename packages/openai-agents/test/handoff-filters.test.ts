import { Agent, type HandoffInputData, handoff, RunContext, Runner, run, tool } from '@openai/agents';
import { z } from 'zod';
import { withCommands } from '../../../test/support/agent.js';
import { says } from '../../../test/support/fire-hooks.js';
import { withFunctions } from '../../../test/support/function-hooks.js';
import { hookAgent, runWithHooks } from '../src/index.js';
import { assistantMessage, functionCall, recordingTool, scripted } from './scene.js';

/** Removes the calls of tools and their results, as filters of handoffs often do. */
const withoutTools = (data: HandoffInputData): HandoffInputData => ({
  ...data,
  newItems: data.newItems.filter(({ type }) => !type.startsWith('tool_call')),
});

/** Runs an agent that calls a tool and hands off in the same answer. The filter belongs to the handoff, or to the runner. */
async function handOff(place: 'handoff' | 'runner', hooks: Parameters<typeof withCommands>[0]) {
  const second = scripted([assistantMessage('went on')]);
  const read = recordingTool('read');
  let finalOutput: unknown;
  await withCommands(hooks, async ({ client }) => {
    const next = new Agent({ name: 'Bob', model: second });
    const calls = [functionCall('read', { path: 'a' }, { callId: 'c1' }), functionCall('transfer_to_Bob', {}, { callId: 'h1' })];
    const handoffs = [place === 'handoff' ? handoff(next, { inputFilter: withoutTools }) : next];
    const agent = hookAgent(client, new Agent({ name: 'Ada', model: scripted(calls), tools: [read.tool], handoffs }));
    const runner = new Runner(place === 'runner' ? { handoffInputFilter: withoutTools } : {});
    ({ finalOutput } = await runWithHooks(client, agent, 'go', { runner }));
  });
  return { finalOutput, inputs: read.inputs, second };
}

test.each(['handoff', 'runner'] as const)(
  'O9 a stop beside a handoff counts, although a filter of the %s removes the call',
  async (place) => {
    const { finalOutput, inputs, second } = await handOff(place, { AfterTool: [says({ continue: false, stopReason: 'enough' })] });
    expect([inputs.length, second.calls.length, finalOutput]).toEqual([1, 0, 'enough']);
  },
);

test.each(['handoff', 'runner'] as const)('O13 without a stop, the filter of the %s is applied', async (place) => {
  const { finalOutput, second } = await handOff(place, { AfterTool: ['true'] });
  expect(finalOutput).toBe('went on');
  expect(JSON.stringify(second.lastCall?.request.input)).not.toContain('"c1"');
});

test('a stop beside a handoff counts, although another run with the same context has a call with its id', async () => {
  const stops = ({ tool_input }: Record<string, unknown>) =>
    ((tool_input as { path?: string }).path === 'stop' ? { continue: false, stopReason: 'enough' } : {}) as never;
  await withFunctions({ BeforeTool: [stops] }, async ({ client }) => {
    const context = new RunContext({});
    const read = recordingTool('read').tool;
    const call = (path: string) => functionCall('read', { path }, { callId: 'c1' });
    const other = hookAgent(client, new Agent({ name: 'Eve', model: scripted([call('b')], [assistantMessage('other')]), tools: [read] }));
    const gate = tool({
      name: 'gate',
      description: 'gate',
      parameters: z.object({}),
      execute: async () => String((await run(other, 'go', { context })).finalOutput),
    });
    const second = scripted([assistantMessage('went on')]);
    const calls = [call('stop'), functionCall('gate', {}, { callId: 'g1' }), functionCall('transfer_to_Bob', {}, { callId: 'h1' })];
    const handoffs = [handoff(new Agent({ name: 'Bob', model: second }), { inputFilter: withoutTools })];
    const agent = hookAgent(client, new Agent({ name: 'Ada', model: scripted(calls), tools: [read, gate], handoffs }));
    const { finalOutput } = await run(agent, 'go', { context });
    expect([finalOutput, second.calls.length]).toEqual(['enough', 0]);
  });
});
