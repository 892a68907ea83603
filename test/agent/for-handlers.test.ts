import {
  anthropicTranslator,
  callModelWithHooks,
  createHookClient,
  endSessionWithHooks,
  executeToolWithHooks,
  genAiTranslator,
  openAiChatTranslator,
  openAiResponsesTranslator,
  startSessionWithHooks,
  type ToolCall,
} from '@tenterhook/agent';
import type { HookEventName } from '@tenterhook/protocol';
import { type AgentScene, recordingTool, withCommands } from '../support/agent.js';
import { says } from '../support/fire-hooks.js';
import { deny, withFunctions } from '../support/function-hooks.js';
import { type PlainRequest, type PlainResponse, plainTranslator } from '../support/plain-translator.js';

/** Reads the optional fields of an event, which hooks may read but the agent does not need (decision 71). */

const seen = ({ read }: AgentScene, file: string) => JSON.parse(read(file) ?? '{}') as Record<string, unknown>;

describe('recent_tools', () => {
  const execute = () => ({ llmContent: 'done' });
  const fails = () => {
    throw new Error('disk full');
  };

  /** Returns what BeforeTool hooks receive, an entry for each call. */
  async function toldWith(use: (scene: AgentScene) => Promise<unknown>): Promise<unknown[]> {
    const reported: unknown[] = [];
    const hook = (input: Record<string, unknown>) => {
      reported.push(input['recent_tools']);
      return input['tool_name'] === 'refused' ? deny('no') : {};
    };
    await withFunctions({ BeforeTool: [hook] }, use);
    return reported;
  }

  test('a hook reads the names of the tools that ran before, the newest last', async () => {
    await withCommands({ BeforeTool: ['cat > seen.json'] }, async (scene) => {
      for (const name of ['read_file', 'write_file']) await executeToolWithHooks(scene.client, { name, input: {}, execute });
      expect(seen(scene, 'seen.json')).toMatchObject({ tool_name: 'write_file', recent_tools: ['read_file'] });
    });
  });

  test('the first call has no earlier ones, a tool that failed counts, one that did not run does not', async () => {
    const reported = await toldWith(async ({ client }) => {
      await executeToolWithHooks(client, { name: 'failing', input: {}, execute: fails });
      await executeToolWithHooks(client, { name: 'refused', input: {}, execute });
      await executeToolWithHooks(client, { name: 'last', input: {}, execute });
    });
    expect(reported).toEqual([[], ['failing'], ['failing']]);
  });

  test.each<[string, Partial<ToolCall>]>([
    ['the host', { approval: 'deny' }],
    ['the user', { approval: 'ask' }],
    ['the tool selection', { toolSelection: { mode: 'NONE' } }],
    ['its own input', { schema: { '~standard': { validate: () => ({ issues: [{ message: 'no' }] }) } } }],
    ['a signal', { signal: AbortSignal.abort() }],
  ])('one that %s kept from running is not among them', async (_, refusal) => {
    const reported = await toldWith(async ({ client }) => {
      const tool = recordingTool();
      await executeToolWithHooks(client, { name: 'kept', input: {}, ...tool, ...refusal });
      expect(tool.calls).toEqual([]);
      await executeToolWithHooks(client, { name: 'last', input: {}, execute });
    });
    expect(reported.at(-1)).toEqual([]);
  });

  test('a tool that is still running is listed', async () => {
    const reported = await toldWith(async ({ client }) => {
      const subagent = async () => {
        await executeToolWithHooks(client, { name: 'inner', input: {}, execute });
        return { llmContent: 'done' };
      };
      await executeToolWithHooks(client, { name: 'outer', input: {}, execute: subagent });
    });
    expect(reported).toEqual([[], ['outer']]);
  });

  test('they are ten at most, also where BeforeTool has hooks only later', async () => {
    await withCommands({}, async (scene) => {
      const { client, hooks } = scene;
      for (let each = 1; each <= 12; each += 1) await executeToolWithHooks(client, { name: `t${each}`, input: {}, execute });
      const hook = { command: 'cat > seen.json' };
      await hooks.extensions.add({ name: 'late', hooks: { BeforeTool: [{ hooks: [hook] }] }, active: true });
      await executeToolWithHooks(client, { name: 'last', input: {}, execute });
      const ten = Array.from({ length: 10 }, (_, index) => `t${index + 3}`);
      expect(seen(scene, 'seen.json')['recent_tools']).toEqual(ten);
    });
  });

  test('each client remembers its own', async () => {
    const reported = await toldWith(async ({ client, hooks }) => {
      await executeToolWithHooks(client, { name: 'mine', input: {}, execute });
      await executeToolWithHooks(createHookClient(hooks), { name: 'theirs', input: {}, execute });
    });
    expect(reported).toEqual([[], []]);
  });

  test('a name that is not a text keeps no later tool from running', async () => {
    await withCommands({ AfterTool: ['true'] }, async ({ client, hooks }) => {
      await executeToolWithHooks(client, { name: 7 as never, input: {}, execute });
      await hooks.extensions.add({ name: 'late', hooks: { BeforeTool: [{ hooks: [{ command: 'true' }] }] }, active: true });
      const { status } = await executeToolWithHooks(client, { name: 'last', input: {}, execute });
      expect(status).toBe('executed');
    });
  });
});

const request: PlainRequest = { model: 'm-1', messages: [{ role: 'user', content: 'hello' }], tools: ['read_file'] };
const response: PlainResponse = { text: 'hi' };
const answer = () => response;
const bothModelEvents = { BeforeModel: ['cat > before.json'], AfterModel: ['cat > after.json'] };

describe('model_provider', () => {
  const providers: [string, { modelProvider?: string }, { provider?: string }, string | undefined][] = [
    ['what the agent says', { modelProvider: 'acme' }, {}, 'acme'],
    ['what the agent says, before what the translator knows', { modelProvider: 'acme' }, { provider: 'google' }, 'acme'],
    ['what the translator knows', {}, { provider: 'google' }, 'google'],
    ['nothing, if it is unknown', {}, {}, undefined],
  ];
  test.each(providers)('hooks before and after the model read %s', async (_, said, known, provider) => {
    await withCommands(bothModelEvents, async (scene) => {
      const translator = { ...plainTranslator(), ...known };
      await callModelWithHooks(scene.client, { request, translator, call: answer, ...said });
      expect(['before.json', 'after.json'].map((file) => seen(scene, file)['model_provider'])).toEqual([provider, provider]);
      expect(['before.json', 'after.json'].map((file) => seen(scene, file)['available_tools'])).toEqual([['read_file'], ['read_file']]);
    });
  });

  test('a format that one provider speaks is known by it; chat completions are spoken by many', () => {
    const providersOf = [anthropicTranslator(), genAiTranslator(), openAiChatTranslator(), openAiResponsesTranslator()].map(
      ({ name, provider }) => [name, provider],
    );
    expect(providersOf).toEqual([
      ['anthropic', 'anthropic'],
      ['genai', 'google'],
      ['openai-chat', undefined],
      ['openai-responses', undefined],
    ]);
  });

  test('one that is not a text is a TypeError, whether or not there are hooks', async () => {
    await withCommands({}, async ({ client }) => {
      const called = callModelWithHooks(client, { request, translator: plainTranslator(), call: answer, modelProvider: 7 as never });
      await expect(called).rejects.toThrow(TypeError);
      await expect(called).rejects.toThrow('modelProvider');
    });
  });
});

describe('tool_calls', () => {
  const withCalls = (toolCalls: () => { name: string; args: Record<string, unknown> }[]) => ({ ...plainTranslator(), toolCalls });

  test('hooks of AfterModel read what the model called, and an empty list where it called nothing', async () => {
    for (const calls of [[{ name: 'run_shell', args: { command: 'ls' } }], []]) {
      await withCommands(bothModelEvents, async (scene) => {
        await callModelWithHooks(scene.client, { request, translator: withCalls(() => calls), call: answer });
        expect(seen(scene, 'after.json')['tool_calls']).toEqual(calls);
        expect(seen(scene, 'before.json')).not.toHaveProperty('tool_calls');
      });
    }
  });

  test('a translator without the method leaves the field away', async () => {
    await withCommands(bothModelEvents, async (scene) => {
      await callModelWithHooks(scene.client, { request, translator: plainTranslator(), call: answer });
      expect(seen(scene, 'after.json')).not.toHaveProperty('tool_calls');
    });
  });

  test('a translator that cannot read its calls does not cost the answer, nor what hooks make of it', async () => {
    const broken = withCalls(() => {
      throw new Error('no calls here');
    });
    const redacts = `cat > after.json; ${says({ hookSpecificOutput: { llm_response: { text: 'redacted' } } })}`;
    await withCommands({ AfterModel: [redacts] }, async (scene) => {
      const outcome = await callModelWithHooks(scene.client, { request, translator: broken, call: answer });
      expect(outcome).toMatchObject({ response: { text: 'redacted' }, userMessages: [] });
      expect(seen(scene, 'after.json')).not.toHaveProperty('tool_calls');
    });
  });

  test('nothing is looked for where AfterModel has no hooks', async () => {
    let looks = 0;
    const translator = withCalls(() => {
      looks += 1;
      return [];
    });
    await withCommands({ BeforeModel: ['true'] }, async ({ client }) => {
      await callModelWithHooks(client, { request, translator, call: answer });
    });
    expect(looks).toBe(0);
  });

  test('arguments that cannot be written as JSON do not keep hooks from the answer', async () => {
    const depth = 100_000;
    const text = `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const deep = {
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            content: 'the key is 123' as string | null,
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'run_shell', arguments: text } }],
          },
        },
      ],
    };
    const redacts = `cat > after.json; ${says({ hookSpecificOutput: { llm_response: { text: 'redacted' } } })}`;
    await withCommands({ AfterModel: [redacts] }, async (scene) => {
      const outcome = await callModelWithHooks(scene.client, {
        request: { model: 'm-1', messages: [] },
        translator: openAiChatTranslator<{ model: string; messages: object[] }, typeof deep>(),
        call: () => deep,
      });
      expect(outcome).toMatchObject({ userMessages: [], response: { choices: [{ message: { content: 'redacted' } }] } });
      expect(seen(scene, 'after.json')['tool_calls']).toEqual([{ name: 'run_shell', args: {} }]);
    });
    const odd = withCalls(() => [{ name: 'add', args: { n: 1n } }]);
    await withCommands(bothModelEvents, async (scene) => {
      await callModelWithHooks(scene.client, { request, translator: odd, call: answer });
      expect(seen(scene, 'after.json')['tool_calls']).toEqual([{ name: 'add', args: {} }]);
    });
  });

  test('an event with other tool calls in it reaches its hooks nevertheless', async () => {
    await withCommands(bothModelEvents, async (scene) => {
      const fields = { llm_request: { model: 'm-1' }, llm_response: { text: 'hi' }, tool_calls: ['run_shell', { function: 'x' }] };
      expect(await scene.client.fire('AfterModel', fields)).toMatchObject({ success: true });
      expect(seen(scene, 'after.json')['tool_calls']).toEqual(fields.tool_calls);
    });
  });
});

describe('sessions', () => {
  test('hooks of SessionStart read which model it is, and its instructions', async () => {
    await withCommands({ SessionStart: ['cat > seen.json'] }, async (scene) => {
      const model = { provider: 'acme', name: 'm-1' };
      await startSessionWithHooks(scene.client, 'startup', { model, systemPrompt: 'Be brief.' });
      const fields = { source: 'startup', model_provider: 'acme', model_name: 'm-1', system_prompt: 'Be brief.' };
      expect(seen(scene, 'seen.json')).toMatchObject(fields);
    });
  });

  test.each([
    [undefined, {}],
    [null, {}],
    [{}, {}],
    [{ model: {} }, {}],
    [{ model: { name: 'm-1' } }, { model_name: 'm-1' }],
    [{ systemPrompt: '' }, { system_prompt: '' }],
  ])('of %j they read no more than was said', async (options, fields) => {
    await withCommands({ SessionStart: ['cat > seen.json'] }, async (scene) => {
      await startSessionWithHooks(scene.client, 'resume', options as undefined);
      const { session_id, transcript_path, cwd, hook_event_name, timestamp, ...own } = seen(scene, 'seen.json');
      expect(own).toEqual({ source: 'resume', ...fields });
    });
  });

  test('the counts of SessionEnd are left to the agent that counts', async () => {
    await withCommands({ SessionEnd: ['cat > seen.json'] }, async (scene) => {
      const counts = { total_tokens: 12, total_tool_calls: 3, duration_ms: 4.5 };
      await scene.client.fire('SessionEnd', { reason: 'exit', ...counts });
      expect(seen(scene, 'seen.json')).toMatchObject(counts);
      await endSessionWithHooks(scene.client, 'exit');
      for (const field of Object.keys(counts)) expect(seen(scene, 'seen.json')).not.toHaveProperty(field);
    });
  });

  test.each([
    ['SessionStart', { source: 'startup', system_prompt: [{ type: 'text' }], model_provider: null }],
    ['SessionEnd', { reason: 'exit', total_tokens: 'many', duration_ms: null }],
  ] as const)('%s with something else in these fields is fired nevertheless: its hooks do not read them', async (eventName, fields) => {
    await withCommands({ [eventName]: ['true'] }, async ({ client }) => {
      expect((await client.fire(eventName as HookEventName, fields)).outcomes).toMatchObject([{ status: 'succeeded' }]);
    });
  });
});
