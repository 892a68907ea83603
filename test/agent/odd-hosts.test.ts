import { callModelWithHooks, createHookClient, executeToolWithHooks, runAgentTurnWithHooks } from '@tenterhook/agent';
import { MessageBus } from '@tenterhook/bus';
import { recordingTool, withCommands } from '../support/agent.js';
import { says, settingsOf, withHooks } from '../support/fire-hooks.js';
import { type PlainRequest, plainTranslator } from '../support/plain-translator.js';

const call = { name: 'run_shell', input: { command: 'ls' } };

test('a tool selection that fails closed leaves no tool, also for a client that has only the bus', async () => {
  const guard = { command: 'true', onError: 'block' };
  await withHooks({ settings: settingsOf('BeforeToolSelection', [guard]) }, async ({ hooks }) => {
    const client = createHookClient({ bus: hooks.bus, has: (eventName) => hooks.has(eventName) });
    const translator = { ...plainTranslator(), toHookRequest: () => ({ messages: 'hi' }) as never };
    const request: PlainRequest = { tools: ['rm', 'ls'] };
    const { toolSelection } = await callModelWithHooks(client, { request, translator, call: () => ({ text: 'hi' }) });
    expect(toolSelection).toMatchObject({ mode: 'NONE', allowedFunctionNames: [] });
  });
});

test('a hook that gives back the tool choice it was shown does not undo the restriction of one beside it', async () => {
  const restricts = says({ hookSpecificOutput: { toolConfig: { mode: 'ANY', allowedFunctionNames: ['read'] } } });
  const echoes = `node -e 'let t="";process.stdin.on("data",d=>t+=d).on("end",()=>console.log(JSON.stringify({hookSpecificOutput:{toolConfig:JSON.parse(t).llm_request.toolConfig}})))'`;
  await withCommands({ BeforeToolSelection: [restricts, echoes] }, async ({ client }) => {
    const input = { llm_request: { toolConfig: { mode: 'AUTO', allowedFunctionNames: ['read', 'rm'] } } };
    const { finalOutput } = await client.fire('BeforeToolSelection', input);
    expect(finalOutput?.hookSpecificOutput?.['toolConfig']).toEqual({ mode: 'ANY', allowedFunctionNames: ['read'] });
  });
});

describe('what a tool gives', () => {
  class Read {
    readonly #text = 'hello';
    get llmContent(): string {
      return this.#text;
    }
  }

  test('an instance of a class is read like any other result', async () => {
    await withCommands({ AfterTool: ['cat > seen.json'] }, async ({ client, read }) => {
      const outcome = await executeToolWithHooks(client, { ...call, execute: () => new Read() });
      expect(outcome).toMatchObject({ status: 'executed', result: { llmContent: 'hello' } });
      expect(JSON.parse(read('seen.json') ?? '').tool_response).toEqual({ llmContent: 'hello' });
    });
  });

  test('a list is no result', async () => {
    await withCommands({}, async ({ client }) => {
      const outcome = await executeToolWithHooks(client, { ...call, execute: () => ['a'] as never });
      expect(outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining('a list') });
    });
  });

  test('where no hook looks, the input is handed on as it is, and not copied', async () => {
    const tool = recordingTool();
    const input = { data: Buffer.from('x') };
    await withCommands({}, async ({ client }) => {
      await executeToolWithHooks(client, { ...call, input, execute: tool.execute });
    });
    expect(tool.calls[0]).toBe(input);
  });
});

test('a deny that can be recognised counts, though the result it came in is incomplete', async () => {
  const bus = new MessageBus();
  const tool = recordingTool();
  bus.respond('HOOK_EXECUTION_REQUEST', () => ({ success: true, output: { verdict: { kind: 'deny', reason: 'No!' } } }) as never);
  const outcome = await executeToolWithHooks(createHookClient(bus), { ...call, execute: tool.execute });
  expect(outcome).toMatchObject({ status: 'blocked', reason: 'No!' });
  expect(tool.calls).toEqual([]);
  await bus.close();
});

describe('wrong use is a TypeError that names it, whether or not there are hooks', () => {
  const translator = plainTranslator();
  const client = createHookClient(new MessageBus());
  test.each<[string, () => unknown]>([
    ['onUnavailible', () => createHookClient(new MessageBus(), { onUnavailible: 'deny' } as never)],
    ['execute', () => executeToolWithHooks(client, { ...call } as never)],
    ['client', () => executeToolWithHooks({} as never, { ...call, execute: () => ({ llmContent: '' }) })],
    ['schema', () => executeToolWithHooks(client, { ...call, execute: () => ({ llmContent: '' }), schema: { type: 'object' } as never })],
    ['translator', () => callModelWithHooks(client, { request: {}, call: () => ({}) } as never)],
    ['call', () => callModelWithHooks(client, { request: {}, translator } as never)],
    ['respond', () => runAgentTurnWithHooks(client, { prompt: 'x' } as never)],
  ])('%s', async (name, use) => {
    const used = (async () => use())();
    await expect(used).rejects.toThrow(TypeError);
    await expect(used).rejects.toThrow(name);
  });
});
