import { hookedAgent, withHooks } from '@tenterhook/ai-sdk';
import { withCommands } from '../../../test/support/agent.js';
import { says } from '../../../test/support/fire-hooks.js';
import { withFunctions } from '../../../test/support/function-hooks.js';
import { readCall, recordedTool } from './support/tools.js';
import { outputIn, readAll, versions } from './support/versions.js';

describe.each(versions)('$name', ({ agent: makeAgent, model: script, createSteering, name }) => {
  const textIn = (model: ReturnType<typeof script>, at = 0) => JSON.stringify(model.requests[at]?.prompt);

  test('A17: a blocked prompt rejects before anything is sent', async () => {
    await withCommands({ BeforeAgent: [`echo 'not on Sundays' >&2; exit 2`] }, async ({ client }) => {
      const model = script([]);
      const agent = hookedAgent(client, makeAgent({ model }));
      for (const method of ['generate', 'stream'] as const) {
        await expect(agent[method]({ prompt: 'Hi.' })).rejects.toMatchObject({ name: 'HookBlockedError', reason: 'not on Sundays' });
      }
      expect(model.requests).toEqual([]);
    });
  });

  test('A17: a prompt is replaced and gets context, as a text and as the last message; files stay', async () => {
    await withFunctions(
      { BeforeAgent: [() => ({ hookSpecificOutput: { replacedPrompt: 'Hello.', additionalContext: 'It is Monday.' } })] },
      async ({ client }) => {
        const model = script([]);
        const agent = hookedAgent(client, makeAgent({ model }));
        await agent.generate({ prompt: 'Hi opensesame.' });
        await (await agent.stream({ prompt: 'Hi opensesame.' })).text;
        const file = { type: 'file', mediaType: 'text/plain', data: 'AAAA' };
        const messages = [
          { role: 'user', content: 'Before.' },
          { role: 'assistant', content: 'Yes.' },
          { role: 'user', content: [{ type: 'text', text: 'Hi opensesame.' }, file] },
        ];
        // AI SDK 5 takes messages as the prompt, and the later versions also as messages.
        await agent.generate(name === 'v5' ? { prompt: messages } : { messages });
        for (const at of [0, 1, 2]) {
          expect(textIn(model, at)).not.toContain('opensesame');
          expect(textIn(model, at)).toContain('Hello.\\n\\n<hook_context>\\nIt is Monday.\\n</hook_context>');
        }
        expect(textIn(model, 2)).toContain('Before.');
        expect(textIn(model, 2)).toContain('text/plain');
        expect(messages[2]!.content).toEqual([{ type: 'text', text: 'Hi opensesame.' }, file]);
      },
    );
  });

  test('A17: a stop of BeforeAgent rejects with its reason, and an abort with its own', async () => {
    await withCommands({ BeforeAgent: [says({ continue: false, stopReason: 'closed' })] }, async ({ client }) => {
      const agent = hookedAgent(client, makeAgent({ model: script([]) }));
      await expect(agent.generate({ prompt: 'Hi.' })).rejects.toMatchObject({ name: 'HookBlockedError', reason: 'closed' });
    });
    await withCommands({ BeforeAgent: ['true'] }, async ({ client }) => {
      const reason = new Error('left');
      const agent = hookedAgent(client, makeAgent({ model: script([]) }));
      await expect(agent.generate({ prompt: 'Hi.', abortSignal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    });
  });

  test('A17: a hook of AfterAgent makes the agent continue, with the whole conversation', async () => {
    const seen: unknown[][] = [];
    const hook = ({ prompt, prompt_response, stop_hook_active, loop_count }: Record<string, unknown>) => {
      seen.push([prompt, prompt_response, stop_hook_active, loop_count]);
      return seen.length < 3 ? { decision: 'deny' as const, reason: `Run the tests ${seen.length}.` } : {};
    };
    await withFunctions({ AfterAgent: [hook] }, async ({ client }) => {
      const { tool, inputs } = recordedTool('text of a');
      const model = script([{ calls: [readCall('c1')] }, { text: 'First.' }, { text: 'Second.' }, { text: 'Third.' }]);
      const agent = hookedAgent(client, makeAgent(withHooks(client, { model, tools: { read_file: tool } })));
      const result = await agent.generate({ prompt: 'Go.' });
      expect([result.text, inputs.length]).toEqual(['Third.', 1]);
      expect(seen).toEqual([
        ['Go.', 'First.', false, undefined],
        ['Go.', 'Second.', true, 1],
        ['Go.', 'Third.', true, 2],
      ]);
      const last = model.requests.at(-1)!;
      expect(last.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user', 'assistant', 'user']);
      expect(outputIn(last, 'c1')?.['value']).toBe('text of a');
      expect(JSON.stringify(last.prompt.at(-1))).toContain('Run the tests 2.');
    });
  });

  test('A17: the agent continues at most eight times', async () => {
    const { count, hook } = counter();
    await withFunctions({ AfterAgent: [hook] }, async ({ client }) => {
      const model = script([]);
      const settings = { model, stopWhen: ({ steps }: { steps: unknown[] }) => steps.length >= 50 };
      await hookedAgent(client, makeAgent(settings)).generate({ prompt: 'Go.' });
      expect([model.requests.length, count()]).toEqual([9, 9]);
    });
  });

  test('A17: after a stop, and after tool calls that are not run here, AfterAgent is not fired', async () => {
    const { count, hook } = counter();
    await withFunctions({ AfterAgent: [hook], AfterTool: [() => ({ continue: false, stopReason: 'enough' })] }, async ({ client }) => {
      const model = script([{ calls: [readCall('c1')] }]);
      const agent = hookedAgent(client, makeAgent(withHooks(client, { model, tools: { read_file: recordedTool().tool } })));
      expect((await agent.generate({ prompt: 'Go.' })).text).toBe('enough');
      const waiting = script([{ calls: [readCall('c1')] }]);
      const tools = { read_file: { inputSchema: recordedTool().tool.inputSchema } };
      await hookedAgent(client, makeAgent(withHooks(client, { model: waiting, tools }))).generate({ prompt: 'Go.' });
      expect(count()).toBe(0);
    });
  });

  if (createSteering !== undefined) {
    test.each(['generate', 'stream'] as const)('A17: with steering, the agent continues in one and the same run: %s', async (method) => {
      const { hook } = counter(2);
      await withFunctions({ AfterAgent: [hook] }, async ({ client }) => {
        const model = script([{ text: 'First.' }, { text: 'Second.' }, { text: 'Third.' }]);
        const steps: string[] = [];
        const agent = hookedAgent(client, makeAgent({ model, stopWhen: ({ steps }: { steps: unknown[] }) => steps.length >= 50 }), {
          createSteering,
        });
        const options = { prompt: 'Go.', onStepEnd: ({ text }: { text: string }) => steps.push(text) };
        const text = method === 'generate' ? (await agent.generate(options)).text : await streamText(await agent.stream(options));
        expect([text, steps]).toEqual([method === 'generate' ? 'Third.' : 'First.Second.Third.', ['First.', 'Second.', 'Third.']]);
        expect(JSON.stringify(model.requests[2]!.prompt.at(-1))).toContain('Once more.');
      });
    });

    test('A17: with steering, the agent continues at most eight times', async () => {
      const { count, hook } = counter();
      await withFunctions({ AfterAgent: [hook] }, async ({ client }) => {
        const model = script([]);
        const agent = hookedAgent(client, makeAgent({ model, stopWhen: ({ steps }: { steps: unknown[] }) => steps.length >= 50 }), {
          createSteering,
        });
        await readAll((await agent.stream({ prompt: 'Go.' })).fullStream);
        expect([model.requests.length, count()]).toEqual([9, 9]);
      });
    });
  }

  test('A17: without steering, a hook that wants a streaming agent to continue has no effect, and the user is received', async () => {
    const { count, hook } = counter();
    await withFunctions({ AfterAgent: [hook] }, async ({ client }) => {
      const received: object[] = [];
      const steps: string[] = [];
      const model = script([{ text: 'First.' }]);
      const ofAgent = { onStepFinish: ({ text }: { text: string }) => steps.push(text) };
      const agent = hookedAgent(client, makeAgent({ model, ...ofAgent }), { onMessage: (message) => received.push(message) });
      await readAll((await agent.stream({ prompt: 'Go.' })).fullStream);
      expect([model.requests.length, count(), steps]).toEqual([1, 1, ['First.']]);
      expect(received).toEqual([{ text: expect.stringMatching(/\(no_effect\): Once more\./), audience: 'user', eventName: 'AfterAgent' }]);
    });
  });

  test('an agent without hooks of turns is called as it is', async () => {
    await withFunctions({}, async ({ client }) => {
      const agent = makeAgent({ model: script([]) });
      const given: unknown[] = [];
      const original = agent.generate;
      agent.generate = (options) => {
        given.push(options);
        return original.call(agent, options);
      };
      const hooked = hookedAgent(client, agent);
      const options = { prompt: 'Hi.' };
      expect((await hooked.generate(options)).text).toBe('Done.');
      expect(given[0]).toBe(options);
      expect(hooked).toBeInstanceOf((agent as object).constructor);
    });
  });

  test('a run that continues after results fires no BeforeAgent', async () => {
    const prompts: unknown[] = [];
    const hook = ({ prompt }: Record<string, unknown>) => {
      prompts.push(prompt);
      return {};
    };
    await withFunctions({ BeforeAgent: [hook], AfterAgent: [hook] }, async ({ client }) => {
      const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'read_file', input: { path: 'a.txt' } };
      const result = { type: 'tool-result', toolCallId: 'c1', toolName: 'read_file', output: { type: 'text', value: 'a' } };
      const messages = [
        { role: 'user', content: 'Read.' },
        { role: 'assistant', content: [call] },
        { role: 'tool', content: [result] },
      ];
      const model = script([]);
      await hookedAgent(client, makeAgent({ model })).generate(name === 'v5' ? { prompt: messages } : { messages });
      expect(prompts).toEqual(['Read.']);
    });
  });
});

test('wrong use is a TypeError', () => {
  const agent = versions[0]!.agent({ model: versions[0]!.model([]) });
  expect(() => hookedAgent({} as never, agent)).toThrow('hookedAgent: the first argument must be a client');
  expect(() => hookedAgent(() => ({}) as never, {} as never)).toThrow('hookedAgent: the agent must have generate() and stream()');
  expect(() => hookedAgent(() => ({}) as never, agent, { approvals: 'framework' } as never)).toThrow(
    'hookedAgent has no option "approvals"',
  );
});

async function streamText(result: { fullStream: AsyncIterable<Record<string, unknown>> }): Promise<string> {
  return (await readAll(result.fullStream))
    .map((part) => (part['type'] === 'text-delta' ? String(part['text'] ?? part['delta']) : ''))
    .join('');
}

/** A hook that makes the agent continue, this many times or always. */
function counter(times = Number.POSITIVE_INFINITY) {
  let count = 0;
  const hook = () => {
    count += 1;
    return count <= times ? { decision: 'deny' as const, reason: 'Once more.' } : {};
  };
  return { count: () => count, hook };
}
