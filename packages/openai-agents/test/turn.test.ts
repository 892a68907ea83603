import { Agent, MemorySession, run } from '@openai/agents';
import { type AgentScene, firedEvents, withCommands } from '../../../test/support/agent.js';
import { says } from '../../../test/support/fire-hooks.js';
import { withFunctions } from '../../../test/support/function-hooks.js';
import { hookAgent, type RunWithHooksOptions, runWithHooks } from '../src/index.js';
import { assistantMessage, callingModel, functionCall, recordingTool, scripted } from './scene.js';

const agentOf = (model: unknown, tools: readonly unknown[] = []) =>
  new Agent({ name: 'Ada', model: model as never, tools: tools as never });
const inputs = (model: ReturnType<typeof scripted>) => model.calls.map(({ request }) => request.input);
const userTexts = (input: unknown) =>
  (input as { role?: string; content?: unknown }[]).filter(({ role }) => role === 'user').map(({ content }) => content);

describe('BeforeAgent', () => {
  test('a deny makes no result: the run rejects with the reason', async () => {
    await withCommands({ BeforeAgent: [says({ decision: 'deny', reason: 'not today' })] }, async ({ client }) => {
      const model = scripted();
      const refused = runWithHooks(client, agentOf(model), 'go');
      await expect(refused).rejects.toMatchObject({ name: 'HookBlockedError', reason: 'not today' });
      expect(model.calls).toEqual([]);
    });
  });

  test('replaces the prompt of a text, and of the last message of a list with its image', async () => {
    const replaces = () => ({ hookSpecificOutput: { hookEventName: 'BeforeAgent', replacedPrompt: 'hello' } });
    await withFunctions({ BeforeAgent: [replaces as never] }, async ({ client }) => {
      const model = scripted([assistantMessage('one')], [assistantMessage('two')]);
      const image = { type: 'input_image' as const, image: 'https://a.test/a.png' };
      await runWithHooks(client, agentOf(model), 'go');
      await runWithHooks(client, agentOf(model), [{ role: 'user', content: [{ type: 'input_text', text: 'go' }, image] }]);
      expect(inputs(model).map(userTexts)).toEqual([['hello'], [[{ type: 'input_text', text: 'hello' }, image]]]);
    });
  });

  test('context and messages for everyone follow the prompt', async () => {
    const messages: object[] = [];
    const hook = says({ systemMessage: 'be kind', hookSpecificOutput: { additionalContext: 'house rule' } });
    await withCommands({ BeforeAgent: [hook] }, async ({ client }) => {
      const model = scripted([assistantMessage('done')]);
      await runWithHooks(client, agentOf(model), 'go', { onMessage: (message) => messages.push(message) });
      expect(userTexts(inputs(model)[0])).toEqual([expect.stringMatching(/^go\n\n[\s\S]*house rule[\s\S]*be kind/)]);
      expect(messages).toEqual([{ text: 'be kind', audience: 'everyone', eventName: 'BeforeAgent' }]);
    });
  });

  test('a stop makes no result either', async () => {
    await withCommands({ BeforeAgent: [says({ continue: false, stopReason: 'enough' })] }, async ({ client }) => {
      await expect(runWithHooks(client, agentOf(scripted()), 'go')).rejects.toMatchObject({ name: 'HookBlockedError', reason: 'enough' });
    });
  });
});

describe('AfterAgent', () => {
  const deniesOnce = `cat >> after.json; echo >> after.json; [ -e done ] || { touch done; ${says({ decision: 'deny', reason: 'run the tests' })}; }`;
  const reviews = (scene: AgentScene) =>
    (scene.read('after.json') ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  test('a deny makes the agent go on, and the result is the last one', async () => {
    await withCommands({ AfterAgent: [deniesOnce] }, async (scene) => {
      const model = scripted([assistantMessage('first')], [assistantMessage('second')]);
      const result = await runWithHooks(scene.client, agentOf(model), 'go');
      expect(result.finalOutput).toBe('second');
      expect(inputs(model)[1]).toMatchObject([{ content: 'go' }, { content: [{ text: 'first' }] }, { content: 'run the tests' }]);
      expect(reviews(scene)).toMatchObject([
        { prompt: 'go', prompt_response: 'first', stop_hook_active: false },
        { prompt: 'go', prompt_response: 'second', stop_hook_active: true },
      ]);
    });
  });

  test('with a session, only the reason is added to it', async () => {
    await withCommands({ AfterAgent: [deniesOnce] }, async ({ client }) => {
      const model = scripted([assistantMessage('first')], [assistantMessage('second')]);
      const session = new MemorySession();
      await runWithHooks(client, agentOf(model), 'go', { run: { session } });
      expect(userTexts(await session.getItems())).toEqual(['go', 'run the tests']);
      expect(userTexts(inputs(model)[1])).toEqual(['go', 'run the tests']);
    });
  });

  test('at most 8 times', async () => {
    await withCommands({ AfterAgent: [says({ decision: 'deny', reason: 'again' })] }, async ({ client }) => {
      const model = scripted(...Array.from({ length: 12 }, (_, at) => [assistantMessage(`answer ${at}`)]));
      const result = await runWithHooks(client, agentOf(model), 'go');
      expect([result.finalOutput, model.calls.length]).toEqual(['answer 8', 9]);
    });
  });

  test('is not fired for an answer that waits for the user, nor after a stop; and a state has no prompt', async () => {
    await withCommands({ BeforeAgent: ['true'], AfterAgent: ['true'], BeforeTool: [says({ decision: 'ask' })] }, async (scene) => {
      const read = recordingTool('read');
      const agent = agentOf(callingModel(['read', { path: 'a' }, 'c1']), [read.tool]);
      const options = { approvals: 'framework' as const };
      const first = await runWithHooks(scene.client, agent, 'go', options);
      expect(first.interruptions).toHaveLength(1);
      first.state.approve(first.interruptions[0]!);
      const second = await runWithHooks(scene.client, agent, first.state, options);
      expect([second.finalOutput, read.inputs]).toEqual(['done', [{ path: 'a' }]]);
      expect(firedEvents(scene)).not.toContain('AfterAgent');
      expect(firedEvents(scene).filter((name) => name === 'BeforeAgent')).toHaveLength(1);
    });
    await withCommands({ AfterAgent: ['true'], BeforeModel: [says({ continue: false, stopReason: 'enough' })] }, async (scene) => {
      expect((await runWithHooks(scene.client, agentOf(scripted()), 'go')).finalOutput).toBe('enough');
      expect(firedEvents(scene)).not.toContain('AfterAgent');
    });
  });

  test('on a stream it receives the answer, and a deny has no effect, which is reported to the user', async () => {
    const messages: { text: string }[] = [];
    let heard = (_message: { text: string }) => {};
    const message = new Promise<{ text: string }>((resolve) => {
      heard = resolve;
    });
    await withCommands({ AfterAgent: [deniesOnce] }, async (scene) => {
      const options: RunWithHooksOptions<{ stream: true }> = { run: { stream: true }, onMessage: (said) => heard(said) };
      const stream = await runWithHooks(scene.client, agentOf(scripted([assistantMessage('first')])), 'go', options);
      for await (const _event of stream) messages.splice(0);
      expect(stream.finalOutput).toBe('first');
      expect((await message).text).toMatch(/no_effect.*run the tests/);
      expect(reviews(scene)).toMatchObject([{ prompt_response: 'first' }]);
    });
  });
});

test('options of hookAgent count for the model and the turn of a run without options, and new options replace them', async () => {
  await withCommands(
    { BeforeAgent: [says({ systemMessage: 'turn' })], BeforeModel: [says({ systemMessage: 'model' })] },
    async ({ client }) => {
      const [first, second]: string[][] = [[], []];
      const model = scripted([assistantMessage('one')], [assistantMessage('two')]);
      const agent = hookAgent(client, agentOf(model), { onMessage: ({ text }) => first?.push(text) });
      await runWithHooks(client, agent, 'go');
      await runWithHooks(client, agent, 'go', { onMessage: ({ text }) => second?.push(text) });
      expect([first, second]).toEqual([
        ['model', 'turn'],
        ['model', 'turn'],
      ]);
    },
  );
});

test('options of the run are passed on, and the same agent can be run again', async () => {
  await withCommands({ BeforeTool: ['true'] }, async ({ client }) => {
    const contexts: unknown[] = [];
    const read = recordingTool('read', 'x', {
      execute: (_: unknown, context: { context: unknown }) => void contexts.push(context.context),
    });
    const model = callingModel(['read', { path: 'a' }, 'c1']);
    model.enqueue([functionCall('read', { path: 'b' }, { callId: 'c2' })], [assistantMessage('again')]);
    const agent = agentOf(model, [read.tool]);
    await runWithHooks(client, agent, 'go', { run: { context: { user: 'ada' } as never } });
    expect((await runWithHooks(client, agent, 'go')).finalOutput).toBe('again');
    expect(contexts[0]).toEqual({ user: 'ada' });
    await expect(runWithHooks(client, agent, 'go', { run: { maxTurns: 0 } })).rejects.toThrow(/Max turns/);
    void run;
  });
});
