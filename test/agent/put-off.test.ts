import { callModelWithHooks, executeToolWithHooks, runAgentTurnWithHooks } from '@tenterhook/agent';
import type { HookOutput } from '@tenterhook/protocol';
import { firedEvents, recordingTool } from '../support/agent.js';
import { withFunctions } from '../support/function-hooks.js';
import { type PlainRequest, plainTranslator } from '../support/plain-translator.js';

const call = { name: 'deploy', input: { to: 'production' } };

/** Denies with `retryAfterMs` as often as said, then has no objection. */
function putOff(times: number, retryAfterMs = 1, reason = 'busy') {
  const inputs: unknown[] = [];
  const hook = (input: Record<string, unknown>): HookOutput => {
    inputs.push(input['tool_input']);
    return inputs.length > times ? {} : { decision: 'deny', reason, hookSpecificOutput: { retryAfterMs } };
  };
  return { inputs, hook };
}

test('a tool that is put off is put before the hooks again, and runs when they have no objection', async () => {
  const { inputs, hook } = putOff(2);
  const tool = recordingTool();
  await withFunctions({ BeforeTool: [hook] }, async ({ client }) => {
    expect((await executeToolWithHooks(client, { ...call, ...tool })).status).toBe('executed');
  });
  expect(inputs).toEqual([call.input, call.input, call.input]);
  expect(tool.calls).toEqual([call.input]);
});

test.each<[number | undefined, number]>([
  [undefined, 4],
  [0, 1],
  [1, 2],
  [5, 6],
])('maxRetries %p: the hooks are asked %d times, then it is blocked', async (maxRetries, times) => {
  const { inputs, hook } = putOff(Number.POSITIVE_INFINITY);
  const tool = recordingTool();
  await withFunctions({ BeforeTool: [hook] }, async ({ client }) => {
    const outcome = await executeToolWithHooks(client, { ...call, ...tool, ...(maxRetries === undefined ? {} : { maxRetries }) });
    expect(outcome).toMatchObject({ status: 'blocked', reason: 'busy', retryAfterMs: 1 });
  });
  expect(inputs).toHaveLength(times);
  expect(tool.calls).toEqual([]);
});

test('a deny without a time, a stop, and a deny after the wait end it at once', async () => {
  const final = (output: HookOutput) => {
    let asked = 0;
    const hook = (): HookOutput => {
      asked += 1;
      return asked === 1 ? { decision: 'deny', hookSpecificOutput: { retryAfterMs: 1 } } : output;
    };
    return { hook, asked: () => asked };
  };
  for (const [output, status] of [
    [{ decision: 'deny', reason: 'never' }, 'blocked'],
    [{ decision: 'deny', continue: false, hookSpecificOutput: { retryAfterMs: 1 } }, 'stopped'],
  ] as const) {
    const { hook, asked } = final(output);
    const tool = recordingTool();
    await withFunctions({ BeforeTool: [hook] }, async ({ client }) => {
      expect((await executeToolWithHooks(client, { ...call, ...tool })).status).toBe(status);
    });
    expect(asked()).toBe(2);
    expect(tool.calls).toEqual([]);
  }
});

test('an abort ends the wait: nothing runs, nobody is asked again', async () => {
  const controller = new AbortController();
  const { inputs, hook } = putOff(1, 60_000);
  const tool = recordingTool();
  await withFunctions({ BeforeTool: [hook] }, async ({ client, hooks }) => {
    // Behind the answer, when the wait for the next try has begun.
    hooks.bus.subscribe('HOOK_EXECUTION_RESPONSE', () => setImmediate(() => controller.abort()));
    const outcome = await executeToolWithHooks(client, { ...call, ...tool, signal: controller.signal });
    expect(outcome).toMatchObject({ status: 'blocked', reason: 'busy' });
  });
  expect(inputs).toHaveLength(1);
  expect(tool.calls).toEqual([]);
});

test('an AfterTool deny with a time is feedback: the tool does not run again', async () => {
  const tool = recordingTool();
  const hook = (): HookOutput => ({ decision: 'deny', reason: 'flaky', hookSpecificOutput: { retryAfterMs: 1 } });
  await withFunctions({ AfterTool: [hook] }, async (scene) => {
    const outcome = await executeToolWithHooks(scene.client, { ...call, ...tool });
    expect(outcome).toMatchObject({ status: 'executed', reason: 'flaky' });
    expect(firedEvents(scene)).toEqual(['AfterTool']);
  });
  expect(tool.calls).toHaveLength(1);
});

test('a model call and a prompt are put off in the same way', async () => {
  const [model, prompt] = [putOff(2), putOff(2)];
  await withFunctions({ BeforeModel: [model.hook], BeforeAgent: [prompt.hook] }, async ({ client }) => {
    const translator = plainTranslator();
    const answer = await callModelWithHooks(client, { request: { model: 'm' }, translator, call: () => ({ text: 'hi' }) });
    expect(answer).toMatchObject({ status: 'responded', response: { text: 'hi' } });
    expect(await runAgentTurnWithHooks(client, { prompt: 'p', respond: () => 'r' })).toMatchObject({ status: 'completed', response: 'r' });
  });
  expect([model.inputs.length, prompt.inputs.length]).toEqual([3, 3]);

  const always = putOff(Number.POSITIVE_INFINITY);
  await withFunctions({ BeforeModel: [always.hook], BeforeAgent: [always.hook] }, async ({ client }) => {
    const request = { request: { model: 'm' } as PlainRequest, translator: plainTranslator(), call: () => ({ text: 'hi' }), maxRetries: 1 };
    expect(await callModelWithHooks(client, request)).toMatchObject({ status: 'blocked', reason: 'busy', retryAfterMs: 1 });
    const turn = { prompt: 'p', respond: () => 'r', maxRetries: 1 };
    expect(await runAgentTurnWithHooks(client, turn)).toMatchObject({ status: 'blocked', reason: 'busy', retryAfterMs: 1, turns: 0 });
  });
  expect(always.inputs).toHaveLength(4);
});
