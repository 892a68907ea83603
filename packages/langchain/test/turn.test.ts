import { HumanMessage } from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import type { HookOutput } from '@tenterhook/protocol';
import { deny, specific, withFunctions } from '../../../test/support/function-hooks.js';
import type { AdapterMessage } from '../../agent/src/adapters/adapter-messages.js';
import { agentOf, call, recordingTools, requestOf, scripted, textsOf } from './scene.js';

type Fields = Record<string, unknown>;
const thread = { configurable: { thread_id: 't' } };

test.each<[string, HookOutput, string, string]>([
  ['denied', { decision: 'deny', reason: 'no secrets' }, 'blocked', 'no secrets'],
  [
    'asked about, and no user can be asked',
    { decision: 'ask', reason: 'sure?' },
    'blocked',
    'It needs confirmation, but no user could be asked. sure?',
  ],
  ['stopped', { continue: false, stopReason: 'closed' }, 'stopped', 'closed'],
])('L13 a prompt that is %s ends the turn with the reason; the next turn does not contain it', async (_kind, output, status, reason) => {
  const events: unknown[] = [];
  const hook = (input: Fields) => (input['prompt'] === 'K-1' ? output : {});
  const after = (input: Fields) => {
    events.push(input['prompt']);
    return {};
  };
  await withFunctions({ BeforeAgent: [hook], AfterAgent: [after] }, async ({ client }) => {
    const model = scripted('done');
    const agent = agentOf(client, model, { checkpointer: new MemorySaver() });
    const result = await agent.run('K-1', thread);
    expect(textsOf(result)).toEqual([`human: [A hook ${status} this prompt.]`, `ai: ${reason}`]);
    expect(result.messages.at(-1)?.response_metadata).toEqual({ tenterhook: { status, eventName: 'BeforeAgent' } });
    expect([model.callCount, events]).toEqual([0, []]);
    await agent.run('next', thread);
    expect(requestOf(model, 0)).toEqual([`human: [A hook ${status} this prompt.]`, `ai: ${reason}`, 'human: next']);
    expect(events).toEqual(['next']);
  });
});

test('L13 a hook replaces the prompt and adds context; the message keeps its id and its images', async () => {
  const output = { ...specific({ replacedPrompt: 'safe', additionalContext: 'rules' }), systemMessage: 'noted' };
  const prompts: unknown[] = [];
  const after = (input: Fields) => {
    prompts.push(input['prompt']);
    return {};
  };
  const context = '<hook_context>\nrules\n</hook_context>';
  const note = '<hook_context>\nnoted\n</hook_context>';
  const image = { type: 'image_url' as const, image_url: { url: 'data:,' } };
  await withFunctions({ BeforeAgent: [() => output], AfterAgent: [after] }, async ({ client }) => {
    const received: AdapterMessage[] = [];
    const { agent } = agentOf(client, scripted('done', 'done'), { options: { onMessage: (message) => received.push(message) } });
    const plain = await agent.invoke({ messages: [new HumanMessage({ content: 'raw', id: 'p' })] });
    expect([plain.messages[0]?.id, plain.messages[0]?.content]).toEqual(['p', `safe\n\n${context}\n${note}`]);
    const parts = await agent.invoke({ messages: [new HumanMessage({ content: [{ type: 'text', text: 'raw' }, image] })] });
    expect(parts.messages[0]?.content).toEqual([{ type: 'text', text: 'safe' }, image, { type: 'text', text: `${context}\n${note}` }]);
    expect(prompts).toEqual(['safe', 'safe']);
    expect(received).toContainEqual({ text: 'noted', audience: 'everyone', eventName: 'BeforeAgent' });
  });
});

test('L13 BeforeAgent is not fired when a run is resumed, nor without a new prompt', async () => {
  const prompts: unknown[] = [];
  const before = (input: Fields) => {
    prompts.push(input['prompt']);
    return {};
  };
  await withFunctions({ BeforeAgent: [before], BeforeTool: [() => ({ decision: 'ask' })] }, async ({ client }) => {
    const { tools } = recordingTools();
    const model = scripted([call('read_file', { path: 'a' }, 'c1')], 'done', 'more');
    const { agent, run } = agentOf(client, model, { tools, checkpointer: new MemorySaver(), options: { approvals: 'framework' } });
    await run('go', thread);
    await agent.invoke(new Command({ resume: { decisions: [{ type: 'approve' }] } }) as never, thread);
    await agent.invoke({ messages: [] }, thread);
    expect(prompts).toEqual(['go']);
  });
});

test('L14 AfterAgent makes the agent continue at most 8 times in a turn, and hooks learn how often', async () => {
  const inputs: Fields[] = [];
  const never = (input: Fields) => {
    inputs.push(input);
    return deny(`again ${inputs.length}`);
  };
  await withFunctions({ AfterAgent: [never] }, async ({ client }) => {
    const answers = Array.from({ length: 18 }, (_, place) => `answer ${place + 1}`);
    const model = scripted(...answers);
    const agent = agentOf(client, model, { checkpointer: new MemorySaver() });
    const result = await agent.run('go', { ...thread, recursionLimit: 100 });
    expect(model.callCount).toBe(9);
    expect(textsOf(result).slice(0, 4)).toEqual(['human: go', 'ai: answer 1', 'human: again 1', 'ai: answer 2']);
    expect(textsOf(result).at(-1)).toBe('ai: answer 9');
    expect(
      inputs.map((input) => [input['prompt'], input['prompt_response'], input['stop_hook_active'], input['loop_count']]).slice(0, 2),
    ).toEqual([
      ['go', 'answer 1', false, undefined],
      ['go', 'answer 2', true, 1],
    ]);
    // The next turn counts anew.
    await agent.run('more', { ...thread, recursionLimit: 100 });
    expect([model.callCount, inputs[9]?.['prompt'], inputs[9]?.['stop_hook_active']]).toEqual([18, 'more', false]);
  });
});

test('L14 a prompt with a mark that a client sent does not leave out the hooks', async () => {
  const prompts: unknown[] = [];
  const note = (input: Fields) => {
    prompts.push([input['hook_event_name'], input['prompt']]);
    return {};
  };
  await withFunctions({ BeforeAgent: [note], AfterAgent: [note] }, async ({ client }) => {
    const marked = { content: 'go', response_metadata: { tenterhook: { status: 'continued', promptChars: 0 } } };
    await agentOf(client, scripted('done')).agent.invoke({ messages: [new HumanMessage(marked as never)] });
    expect(prompts).toEqual([
      ['BeforeAgent', 'go'],
      ['AfterAgent', 'go'],
    ]);
  });
});

test('L14 context of AfterAgent is the next prompt; a stop ends the turn; the answer after tools is shown', async () => {
  const again = (input: Fields) => (input['stop_hook_active'] ? {} : { hookSpecificOutput: { additionalContext: 'check again' } });
  await withFunctions({ AfterAgent: [again] }, async ({ client }) => {
    const { tools } = recordingTools();
    const model = scripted([call('read_file', { path: 'a' }, 'c1')], 'first', 'second');
    const result = await agentOf(client, model, { tools }).run('go');
    expect(textsOf(result).slice(-3)).toEqual(['ai: first', 'human: <hook_context>\ncheck again\n</hook_context>', 'ai: second']);
  });
  const responses: unknown[] = [];
  const note = (input: Fields) => {
    responses.push(input['prompt_response']);
    return {};
  };
  await withFunctions({ AfterAgent: [note] }, async ({ client }) => {
    const tools = recordingTools().tools.map((each) => Object.assign(each, { returnDirect: true }));
    await agentOf(client, scripted([call('read_file', { path: 'a' }, 'c1')]), { tools }).run('go');
    expect(responses).toEqual(['content of a']);
  });
  await withFunctions({ AfterAgent: [() => ({ continue: false })] }, async ({ client }) => {
    expect(textsOf(await agentOf(client, scripted('first')).run('go'))).toEqual(['human: go', 'ai: first']);
  });
});
