import { callModelWithHooks, createHookClient, executeToolWithHooks } from '@tenterhook/agent';
import { recordingTool } from '../support/agent.js';
import { type PlainRequest, plainTranslator } from '../support/plain-translator.js';
import { withHandlers } from './engine-scene.js';

/** What an agent does with what handlers say. */

test('a call that a handler put off is put before it again as it was, and runs with the input of the agent', async () => {
  const seen: unknown[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: it does what no type allows.
  const puts = ({ payload }: { payload: any }) => {
    seen.push(structuredClone(payload.args));
    payload.args.command = 'changed';
    return seen.length === 1 ? { action: 'Retry' as const, retry_delay_ms: 0 } : undefined;
  };
  await withHandlers({ puts: ['pre_tool_use', puts] }, async ({ hooks }) => {
    const tool = recordingTool();
    const { status } = await executeToolWithHooks(createHookClient(hooks), { name: 'Bash', input: { command: 'ls' }, ...tool });
    expect([status, seen, tool.calls]).toEqual(['executed', [{ command: 'ls' }, { command: 'ls' }], [{ command: 'ls' }]]);
  });
});

test('a handler that puts a call off each time blocks it, and the agent is told when to come again', async () => {
  await withHandlers({ puts: ['pre_tool_use', { action: 'Retry', retry_delay_ms: 0 }] }, async ({ hooks }) => {
    const tool = recordingTool();
    const call = { name: 'Bash', input: {}, maxRetries: 2, ...tool };
    expect(await executeToolWithHooks(createHookClient(hooks), call)).toMatchObject({ status: 'blocked', retryAfterMs: 0 });
    expect(tool.calls).toEqual([]);
  });
});

test('a tool gets the arguments that handlers left, and not those that they left out', async () => {
  const modified = { command: 'ls -l' };
  await withHandlers({ change: ['pre_tool_use', { action: 'Continue', modified }] }, async ({ hooks }) => {
    const tool = recordingTool();
    await executeToolWithHooks(createHookClient(hooks), { name: 'Bash', input: { command: 'ls', timeout: 5 }, ...tool });
    expect(tool.calls).toEqual([modified]);
  });
});

test('a model that a handler blocks is not called', async () => {
  await withHandlers({ guard: ['generate_start', { action: 'Block', reason: 'over budget' }] }, async ({ hooks }) => {
    let calls = 0;
    const request: PlainRequest = { model: 'm-1', messages: [{ role: 'user', content: 'hello' }], tools: [] };
    const call = () => {
      calls += 1;
      return { text: 'hi' };
    };
    const finished = await callModelWithHooks(createHookClient(hooks), { request, translator: plainTranslator(), call });
    expect([finished.status, finished.reason, calls]).toEqual(['blocked', 'over budget', 0]);
  });
});

test('a tool that has run stays run when a handler blocks afterwards, and the model reads the reason', async () => {
  await withHandlers({ late: ['post_tool_use', { action: 'Block', reason: 'not like this' }] }, async ({ hooks }) => {
    const tool = recordingTool({ llmContent: 'out' });
    const { status, result } = await executeToolWithHooks(createHookClient(hooks), { name: 'Bash', input: {}, ...tool });
    expect([status, result.llmContent]).toEqual(['executed', 'out\n\nnot like this']);
  });
});
