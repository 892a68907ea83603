import { Agent, type HandoffInputData, handoff, Runner } from '@openai/agents';
import { withCommands } from '../../../test/support/agent.js';
import { says } from '../../../test/support/fire-hooks.js';
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
