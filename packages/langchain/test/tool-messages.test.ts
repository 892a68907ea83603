import { ToolMessage } from '@langchain/core/messages';
import { Command } from '@langchain/langgraph';
import type { HookOutput } from '@tenterhook/protocol';
import { tool } from 'langchain';
import { z } from 'zod';
import { specific, withFunctions } from '../../../test/support/function-hooks.js';
import { agentOf, call, resultOf, scripted, textsOf } from './scene.js';

const redacts = { AfterTool: [() => specific({ updatedToolOutput: 'redacted' }) as HookOutput] };
const toolOf = (answer: unknown) => tool(() => answer as string, { name: 'show', description: 'shows', schema: z.object({}) });
const plain = { role: 'tool', content: 'K-1', tool_call_id: 'c1' };

test.each([
  ['a command with a plain object as its message', () => new Command({ update: { messages: [plain] } })],
  ['a command with one message', () => new Command({ update: { messages: new ToolMessage({ content: 'K-1', tool_call_id: 'c1' }) } })],
  [
    'a message that repeats the result in other fields',
    () =>
      new ToolMessage({
        content: 'K-1',
        tool_call_id: 'c1',
        artifact: 'K-1',
        metadata: { raw: 'K-1' },
        additional_kwargs: { raw: 'K-1' },
        response_metadata: { raw: 'K-1' },
      }),
  ],
])('L3 a tool returns %s: what a hook replaced is nowhere', async (_, create) => {
  await withFunctions(redacts, async ({ client }) => {
    const model = scripted([call('show', {}, 'c1')], 'done');
    const result = await agentOf(client, model, { tools: [toolOf(create())] }).run('go');
    expect(resultOf(result, 'c1').content).toBe('redacted');
    expect(JSON.stringify([result, model.calls.map(({ messages }) => messages)])).not.toContain('K-1');
  });
});

test('L9 a stop at a command with a plain object as its message', async () => {
  await withFunctions({ AfterTool: [() => ({ continue: false, stopReason: 'enough' })] }, async ({ client }) => {
    const model = scripted([call('show', {}, 'c1')], 'done');
    const result = await agentOf(client, model, { tools: [toolOf(new Command({ update: { messages: [plain] } }))] }).run('go');
    expect([model.calls.length, textsOf(result).at(-1)]).toEqual([1, 'ai: enough']);
  });
});
