import { callModelWithHooks, createHookClient, executeToolWithHooks } from '@tenterhook/agent';
import { type PlainRequest, type PlainResponse, plainTranslator } from '../support/plain-translator.js';
import { keeping, withHandlers } from './engine-scene.js';

/** Tests that what handlers modify is written back to where it was read from (decisions 48a and 71). */

const secret = 'the key is 123';
const modifies = (modified: object) => ({ action: 'Continue' as const, modified });

describe('post_tool_use', () => {
  const response = { llmContent: secret, returnDisplay: `shown: ${secret}`, exit_code: 1, note: 'kept' };
  const fields = { tool_name: 'Bash', tool_input: {}, duration_ms: 5 };

  test('a redacted output takes the place of both texts, and the next handler sees it', async () => {
    const next = keeping();
    await withHandlers(
      { redact: ['post_tool_use', modifies({ output: 'redacted' })], next: ['post_tool_use', next.handle] },
      async ({ handler }) => {
        const { finalOutput } = await handler.fire('AfterTool', { ...fields, tool_response: response });
        const replaced = finalOutput?.hookSpecificOutput?.['updatedToolOutput'];
        expect(replaced).toMatchObject({ llmContent: 'redacted', returnDisplay: 'redacted', exit_code: 1 });
        expect(JSON.stringify(replaced)).not.toContain('123');
        expect(next.payloads[0].result).toEqual({ success: true, output: 'redacted', exit_code: 1, duration_ms: 5 });
        expect(JSON.stringify(next.payloads)).not.toContain('123');
      },
    );
  });

  test.each([{ message: secret, type: 'Failed' }, secret, [secret]])(
    'the original text is nowhere left, where the tool failed with %j either',
    async (error) => {
      await withHandlers({ redact: ['post_tool_use', modifies({ output: 'redacted' })] }, async ({ handler }) => {
        const { finalOutput } = await handler.fire('AfterTool', { ...fields, tool_response: { ...response, stdout: secret, error } });
        const replaced = finalOutput?.hookSpecificOutput?.['updatedToolOutput'] as { error: unknown };
        expect(JSON.stringify(replaced)).not.toContain('123');
        expect(replaced.error).toMatchObject({ message: 'redacted' });
      });
    },
  );

  test('the result that an agent gets has it nowhere', async () => {
    await withHandlers({ redact: ['post_tool_use', modifies({ output: 'redacted' })] }, async ({ hooks }) => {
      const client = createHookClient(hooks);
      for (const error of [undefined, { message: secret }]) {
        const execute = () => ({ llmContent: secret, returnDisplay: secret, ...(error === undefined ? {} : { error }) });
        const { status, result } = await executeToolWithHooks(client, { name: 'Bash', input: {}, execute });
        expect(status).toBe('executed');
        expect(result).toMatchObject({ llmContent: 'redacted', returnDisplay: 'redacted' });
        expect(JSON.stringify(result)).not.toContain('123');
      }
    });
  });

  test.each([
    [{ success: false }, { success: false, output: secret, exit_code: 1, duration_ms: 5 }],
    [
      { exit_code: 7, duration_ms: 9 },
      { success: true, output: secret, exit_code: 7, duration_ms: 9 },
    ],
    [
      { success: false, output: 'no' },
      { success: false, output: 'no', exit_code: 1, duration_ms: 5 },
    ],
  ])('with %j modified, the next handler sees %j', async (modified, result) => {
    const next = keeping();
    await withHandlers(
      { change: ['post_tool_use', modifies(modified)], next: ['post_tool_use', next.handle] },
      async ({ handler, engine }) => {
        const { finalOutput } = await handler.fire('AfterTool', { ...fields, tool_response: response });
        expect(next.payloads[0].result).toEqual(result);
        expect(finalOutput?.hookSpecificOutput?.['updatedToolOutput']).toBeDefined();
        const payload = {
          session_id: 's1',
          tool: 'Bash',
          args: {},
          result: { success: true, output: secret, exit_code: 1, duration_ms: 5 },
        };
        const alone = await engine.fire({ event_type: 'post_tool_use', payload });
        expect(alone).toEqual({ action: 'Continue', modified, warnings: [] });
        expect(next.payloads[1].result).toEqual(result);
      },
    );
  });

  test('a tool that failed can be made one that did not', async () => {
    await withHandlers({ change: ['post_tool_use', modifies({ success: true, output: 'fine' })] }, async ({ handler }) => {
      const { finalOutput } = await handler.fire('AfterTool', { ...fields, tool_response: { llmContent: 'no', error: { message: 'no' } } });
      expect(finalOutput?.hookSpecificOutput?.['updatedToolOutput']).toEqual({ llmContent: 'fine', returnDisplay: 'fine' });
    });
  });

  test('what two handlers modify adds up', async () => {
    const handlers = { a: modifies({ output: 'A', exit_code: 1 }), b: modifies({ exit_code: 2 }) };
    await withHandlers({ a: ['post_tool_use', handlers.a], b: ['post_tool_use', handlers.b] }, async ({ engine }) => {
      const payload = { session_id: 's1', tool: 'Bash', args: {}, result: { success: true, output: secret, duration_ms: 5 } };
      expect(await engine.fire({ event_type: 'post_tool_use', payload })).toMatchObject({ modified: { output: 'A', exit_code: 2 } });
    });
  });

  test('a handler may spread the result that it was shown, with what is null in it', async () => {
    const spread = ({ payload }: { payload: { result: object } }) => modifies({ ...payload.result, output: 'redacted' });
    await withHandlers({ redact: ['post_tool_use', spread] }, async ({ engine }) => {
      const result = { success: true, output: secret, exit_code: null, duration_ms: 5 };
      const payload = { session_id: 's1', tool: 'Bash', args: {}, result };
      const answer = await engine.fire({ event_type: 'post_tool_use', payload });
      expect(answer).toEqual({ action: 'Continue', modified: { success: true, output: 'redacted', duration_ms: 5 }, warnings: [] });
    });
  });

  test('a text that comes back as it was shown leaves the content as it was', async () => {
    const spread = ({ payload }: { payload: { result: object } }) => modifies({ ...payload.result, exit_code: 7 });
    await withHandlers({ change: ['post_tool_use', spread] }, async ({ handler }) => {
      const parts = [{ text: 'a' }, { inlineData: { mimeType: 'image/png' } }];
      const fired = await handler.fire('AfterTool', { ...fields, tool_response: { llmContent: parts, error: { message: 'no' } } });
      expect(fired.finalOutput?.hookSpecificOutput?.['updatedToolOutput']).toEqual({
        llmContent: parts,
        exit_code: 7,
        duration_ms: 5,
        error: { message: 'no' },
      });
    });
  });

  test('a redaction of the wrong type is a failed call, and not one that is lost in silence', async () => {
    await withHandlers({ redact: ['post_tool_use', modifies({ output: null }), { config: { onError: 'block' } }] }, async ({ handler }) => {
      const { verdict, outcomes } = await handler.fire('AfterTool', { ...fields, tool_response: response });
      expect(verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('modified.output must be a string, and is null') });
      expect(outcomes).toMatchObject([{ status: 'failed', failedClosed: true }]);
    });
  });
});

describe('generate_start', () => {
  const rewritten = async (modified: object, messages: unknown[]) =>
    withHandlers({ change: ['generate_start', modifies(modified)] }, async ({ handler }) => {
      const { finalOutput } = await handler.fire('BeforeModel', { llm_request: { model: 'm-1', messages, config: { topP: 1 } } });
      const request = finalOutput?.hookSpecificOutput?.['llm_request'] as { messages: unknown; model: string; config: unknown };
      expect(request).toMatchObject({ model: 'm-1', config: { topP: 1 } });
      return request.messages;
    });
  const user = (content: unknown) => ({ role: 'user', content });
  const system = (content: unknown) => ({ role: 'system', content });

  test.each<[string, object, unknown[], unknown[]]>([
    [
      'the last prompt',
      { prompt: 'new' },
      [user('a'), { role: 'model', content: 'b' }, user('c')],
      [user('a'), { role: 'model', content: 'b' }, user('new')],
    ],
    ['a prompt that was none', { prompt: 'new' }, [system('s')], [system('s'), user('new')]],
    ['a system prompt', { system_prompt: 'new' }, [system('s'), user('a')], [system('new'), user('a')]],
    ['a system prompt that was none', { system_prompt: 'new' }, [user('a')], [system('new'), user('a')]],
    [
      'several system messages',
      { system_prompt: 'new' },
      [user('a'), system('s'), user('b'), system('t')],
      [user('a'), system('new'), user('b')],
    ],
    ['both', { prompt: 'p', system_prompt: 's' }, [user('a')], [system('s'), user('p')]],
    ['structured content', { prompt: 'new' }, [user([{ text: 'a' }, { text: 'b' }])], [user('new')]],
    [
      'what comes back as it was shown',
      { prompt: 'ab', system_prompt: 's\n\nt' },
      [system('s'), system('t'), user([{ text: 'a' }, { text: 'b' }])],
      [system('s'), system('t'), user([{ text: 'a' }, { text: 'b' }])],
    ],
    ['nothing at all', { prompt: 'new' }, [], [user('new')]],
  ])('%s: with %j modified, %j become %j', async (_, modified, messages, expected) => {
    expect(await rewritten(modified, messages)).toEqual(expected);
  });

  test('the next handler sees it, and the model gets it', async () => {
    const next = keeping();
    const handlers = {
      change: ['generate_start', modifies({ prompt: 'new', system_prompt: null })] as const,
      next: ['generate_start', next.handle] as const,
    };
    await withHandlers({ change: [...handlers.change], next: [...handlers.next] }, async ({ hooks }) => {
      const sent: PlainRequest[] = [];
      const request: PlainRequest = { model: 'm-1', messages: [{ role: 'user', content: 'old' }], tools: [] };
      const call = (given: PlainRequest): PlainResponse => {
        sent.push(given);
        return { text: 'hi' };
      };
      await callModelWithHooks(createHookClient(hooks), { request, translator: plainTranslator(), call });
      expect(next.payloads[0].prompt).toBe('new');
      expect(JSON.stringify(sent)).toContain('new');
      expect(JSON.stringify(sent)).not.toContain('old');
    });
  });
});

describe('generate_end', () => {
  test('a filtered text takes the place of the old one, and the tool calls stay', async () => {
    const next = keeping();
    const call = { functionCall: { name: 'Bash', args: {} } };
    const response = { text: secret, candidates: [{ content: { role: 'model', parts: [secret, call] }, finishReason: 'STOP' }] };
    await withHandlers(
      { redact: ['generate_end', modifies({ response_text: 'redacted' })], next: ['generate_end', next.handle] },
      async ({ handler }) => {
        const fields = { llm_request: {}, llm_response: response, tool_calls: [{ name: 'Bash', args: {} }] };
        const { finalOutput } = await handler.fire('AfterModel', fields);
        expect(finalOutput?.hookSpecificOutput?.['llm_response']).toEqual({
          text: 'redacted',
          candidates: [{ content: { role: 'model', parts: ['redacted', call] }, finishReason: 'STOP' }],
        });
        expect(next.payloads).toMatchObject([{ response_text: 'redacted', tool_calls: [{ name: 'Bash' }] }]);
      },
    );
  });
});

test.each([
  ['session_start', 'SessionStart', { source: 'startup' }],
  ['session_end', 'SessionEnd', { reason: 'exit' }],
] as const)('%s: nothing of it can be modified, with a warning', async (type, eventName, fields) => {
  await withHandlers({ change: [type, modifies({ model_name: 'm-2' })] }, async ({ handler }) => {
    const { outcomes, changes, finalOutput } = await handler.fire(eventName, fields);
    expect(outcomes).toMatchObject([
      { status: 'succeeded', warnings: [{ code: 'no_effect', message: expect.stringContaining('model_name') }] },
    ]);
    expect([changes, finalOutput?.hookSpecificOutput]).toEqual([[], undefined]);
  });
});

test('of the other events, fields that cannot be modified are warned of, and those that can be count', async () => {
  await withHandlers({ change: ['generate_end', modifies({ response_text: 'new', usage: {}, prompt: 'p' })] }, async ({ handler }) => {
    const { outcomes, finalOutput } = await handler.fireAfterModelEvent({}, { text: 'old' });
    expect(outcomes[0]?.warnings.map(({ code }) => code)).toEqual(['no_effect', 'no_effect']);
    expect(finalOutput?.hookSpecificOutput).toEqual({ llm_response: { text: 'new' } });
  });
});
