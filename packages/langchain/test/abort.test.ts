import { HumanMessage } from '@langchain/core/messages';
import type { HookOutput } from '@tenterhook/protocol';
import { withFunctions } from '../../../test/support/function-hooks.js';
import type { HooksMiddlewareOptions } from '../src/index.js';
import { agentOf, call, recordingTools, scripted } from './scene.js';

/** Resolves when `begin` is called. */
function signalOf() {
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = () => resolve();
  });
  return { begin, begun };
}

/** Waits for the abort of a signal, as a hook or a tool that runs for a long time does. */
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

test.each(['BeforeTool', 'AfterTool', 'BeforeModel', 'AfterModel', 'BeforeAgent', 'AfterAgent'] as const)(
  'L12 an abort ends a hook of %s, and the run rejects with the abort of LangGraph',
  async (eventName) => {
    const { begin, begun } = signalOf();
    const { begin: end, begun: hookEnded } = signalOf();
    const hangs = async (_input: unknown, signal: AbortSignal): Promise<HookOutput> => {
      begin();
      return untilAborted(signal).catch(() => {
        end();
        return {};
      });
    };
    await withFunctions({ [eventName]: [hangs] }, async ({ client }) => {
      const { tools, ran } = recordingTools();
      const { agent } = agentOf(client, scripted([call('read_file', { path: 'a' }, 'c1')], 'done'), { tools });
      const abort = new AbortController();
      const running = agent.invoke({ messages: [new HumanMessage('go')] }, { signal: abort.signal });
      await begun;
      abort.abort();
      await expect(running).rejects.toThrow(/abort/i);
      await hookEnded;
      expect(ran).toEqual(eventName === 'AfterTool' || eventName === 'AfterAgent' ? ['read_file {"path":"a"}'] : []);
    });
  },
);

test('L12 an abort withdraws the question to the user, and the tool does not run', async () => {
  const { begin, begun } = signalOf();
  const withdrawn: unknown[] = [];
  const ask: HooksMiddlewareOptions['ask'] = async (_question, { signal }) => {
    begin();
    return untilAborted(signal).catch((reason: unknown) => {
      withdrawn.push(reason);
      return 'allow' as const;
    });
  };
  await withFunctions({ BeforeTool: [() => ({ decision: 'ask' })] }, async ({ client }) => {
    const { tools, ran } = recordingTools();
    const { agent } = agentOf(client, scripted([call('read_file', { path: 'a' }, 'c1')], 'done'), { tools, options: { ask } });
    const abort = new AbortController();
    const running = agent.invoke({ messages: [new HumanMessage('go')] }, { signal: abort.signal });
    await begun;
    abort.abort();
    await expect(running).rejects.toThrow(/abort/i);
    expect([withdrawn.length, ran]).toEqual([1, []]);
  });
});

test('L12 an abort ends the tool', async () => {
  for (const hooks of [{}, { BeforeTool: [() => ({})] }]) {
    const { begin, begun } = signalOf();
    const { begin: end, begun: toolEnded } = signalOf();
    const read_file = async (_args: unknown, { signal }: { signal: AbortSignal }) => {
      begin();
      return untilAborted(signal).catch((reason: unknown) => {
        end();
        throw reason;
      });
    };
    await withFunctions(hooks, async ({ client }) => {
      const { tools } = recordingTools({ read_file: read_file as never });
      const model = scripted([call('read_file', { path: 'a' }, 'c1')], 'done');
      const { agent } = agentOf(client, model, { tools });
      const abort = new AbortController();
      const running = agent.invoke({ messages: [new HumanMessage('go')] }, { signal: abort.signal });
      await begun;
      abort.abort();
      await expect(running).rejects.toThrow(/abort/i);
      await toolEnded;
      expect(model.callCount).toBe(1);
    });
  }
});
