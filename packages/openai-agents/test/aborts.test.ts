import { type FunctionTool, type Model, RunContext, run } from '@openai/agents';
import type { HookEventName } from '@tenterhook/protocol';
import { withCommands } from '../../../test/support/agent.js';
import { withFunctions } from '../../../test/support/function-hooks.js';
import { runWithHooks } from '../src/index.js';
import { assistantMessage, callingModel, hookedAgent, recordingTool, scripted } from './scene.js';

const readA = ['read', { path: 'a' }, 'c1'] as const;

/** A hook that aborts the run when it starts, and ends only because of the abort. */
function abortingHook() {
  const controller = new AbortController();
  const ended: string[] = [];
  const hook = (_input: unknown, signal: AbortSignal) =>
    new Promise<object>((end) => {
      signal.addEventListener('abort', () => {
        ended.push('aborted');
        end({});
      });
      controller.abort(new DOMException('the user left', 'AbortError'));
    });
  return { controller, ended, hook: hook as never };
}

describe('O11: an abort', () => {
  test.each([
    ['in needsApproval', 'BeforeTool', { approvals: 'framework' as const }],
    ['in invoke', 'BeforeTool', {}],
    ['after the tool', 'AfterTool', {}],
    ['before the model call', 'BeforeModel', {}],
    ['after the model call', 'AfterModel', {}],
  ] as const)('ends the hook that runs %s, and the run rejects with the abort', async (_, eventName, options) => {
    for (const stream of [false, true]) {
      const { controller, ended, hook } = abortingHook();
      await withFunctions({ [eventName as HookEventName]: [hook] }, async ({ client }) => {
        const [read, model] = [recordingTool('read'), callingModel(readA)];
        const agent = hookedAgent(client, model, [read.tool], options);
        const failure = await runAborted(agent, stream, controller.signal);
        expect([ended, failure]).toEqual([['aborted'], 'AbortError']);
        expect(read.inputs).toEqual(eventName === 'AfterTool' ? [{ path: 'a' }] : []);
        expect(model.calls.length).toBe(eventName === 'BeforeModel' ? 0 : 1);
      });
    }
  });

  test('ends the question to the user, and the tool does not run', async () => {
    const controller = new AbortController();
    const signals: boolean[] = [];
    const ask = (_question: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<'allow'>((answer) => {
        signal.addEventListener('abort', () => {
          signals.push(signal.aborted);
          answer('allow');
        });
        controller.abort();
      });
    await withCommands({ BeforeTool: [`echo '{"decision":"ask","reason":"sure?"}'`] }, async ({ client }) => {
      const read = recordingTool('read');
      const agent = hookedAgent(client, callingModel(readA), [read.tool], { ask });
      expect(await runAborted(agent, false, controller.signal)).toBe('AbortError');
      expect([signals, read.inputs]).toEqual([[true], []]);
    });
  });

  test('ends the hook that runs after the agent, and runWithHooks rejects with the reason', async () => {
    const { controller, ended, hook } = abortingHook();
    await withFunctions({ AfterAgent: [hook] }, async ({ client }) => {
      const agent = hookedAgent(client, scripted([assistantMessage('hi')]), []);
      const failure: unknown = await runWithHooks(client, agent, 'go', { run: { signal: controller.signal } }).catch((error) => error);
      expect(ended).toEqual(['aborted']);
      expect(failure).toBe(controller.signal.reason);
    });
  });

  test('the tool receives the abort, and what it throws is thrown on', async () => {
    const controller = new AbortController();
    await withCommands({ BeforeTool: ['true'], AfterTool: ['true'] }, async ({ client }) => {
      const aborted = new Promise((_, fail) => controller.signal.addEventListener('abort', () => fail(controller.signal.reason)));
      aborted.catch(() => {});
      const read = recordingTool('read', aborted);
      const agent = hookedAgent(client, callingModel(readA), [read.tool]);
      const running = runAborted(agent, false, controller.signal);
      controller.abort();
      expect(await running).toBe('AbortError');
    });
  });
});

test('a hooked model and a hooked tool reject with the very reason of the signal', async () => {
  const wait = (_input: unknown, signal: AbortSignal) => new Promise<object>((end) => signal.addEventListener('abort', () => end({})));
  for (const eventName of ['BeforeModel', 'AfterModel', 'BeforeTool'] as const) {
    const controller = new AbortController();
    const hook = (input: unknown, signal: AbortSignal) => {
      const waiting = wait(input, signal);
      controller.abort(reason);
      return waiting;
    };
    const reason = new RangeError('the user left');
    await withFunctions({ [eventName]: [hook as never] }, async ({ client }) => {
      const agent = hookedAgent(client, callingModel(readA), [recordingTool('read').tool]);
      const { signal } = controller;
      const request = { input: 'go', modelSettings: {}, tools: [], handoffs: [], outputType: 'text', tracing: false, signal } as never;
      const [tool] = (await agent.getAllTools(new RunContext())) as [FunctionTool];
      const details = { signal, toolCall: { callId: 'c1' } } as never;
      const called =
        eventName === 'BeforeTool' ? tool.invoke(new RunContext(), '{"path":"a"}', details) : (agent.model as Model).getResponse(request);
      await expect(called).rejects.toBe(reason);
    });
  }
});

/** Runs the agent, and returns the name of what the run throws, or "none". A stream of the SDK ends without an error after an abort. */
async function runAborted(agent: ReturnType<typeof hookedAgent>, stream: boolean, signal: AbortSignal): Promise<string> {
  try {
    if (!stream) {
      await run(agent, 'go', { signal });
      return 'none';
    }
    const streamed = await run(agent, 'go', { signal, stream: true });
    await streamed.completed;
    return streamed.cancelled ? 'AbortError' : 'none';
  } catch (error) {
    return (error as Error).name;
  }
}
