import { withHooks } from '@tenterhook/ai-sdk';
import { withClient, withCommands } from '../../../test/support/agent.js';
import { says } from '../../../test/support/fire-hooks.js';
import { withFunctions } from '../../../test/support/function-hooks.js';
import { redactingHooks } from './support/redacting-hooks.js';
import { readCall, recordedTool } from './support/tools.js';
import { outputIn, readAll, versions } from './support/versions.js';

const key = 'sk-1234';

describe.each(versions)('$name', ({ generate, stream, model: script }) => {
  describe.each(Object.entries(redactingHooks))('A3: redaction by hooks of %s', (_, options) => {
    test.each([
      ['a text', `the key is ${key}`],
      ['an object', { text: `the key is ${key}`, size: 9 }],
    ])('of %s leaves the original nowhere', async (_kind, output) => {
      await withClient(options(), async ({ client }) => {
        const { tool } = recordedTool(output);
        const model = script([{ calls: [readCall('c1')] }]);
        const { steps, response } = await generate(withHooks(client, { model, tools: { read_file: tool }, prompt: 'Read.' }));
        const written = JSON.stringify([steps, response.messages, model.requests]);
        expect(written).not.toContain(key);
        expect(written).toContain('[removed]');
      });
    });
  });

  test('A3: an object that a hook rewrote as JSON is an object again', async () => {
    await withClient(redactingHooks['a handler']!(), async ({ client }) => {
      const { tool } = recordedTool({ text: `the key is ${key}`, size: 9 });
      const model = script([{ calls: [readCall('c1')] }]);
      const { steps } = await generate(withHooks(client, { model, tools: { read_file: tool }, prompt: 'Read.' }));
      expect(steps[0]!.toolResults[0]!.output).toEqual({ text: 'the key is [removed]', size: 9 });
    });
  });

  test('A3: nothing of the original is in the parts of a stream and of its messages for a UI', async () => {
    await withClient(redactingHooks['a handler']!(), async ({ client }) => {
      const { tool } = recordedTool(`the key is ${key}`);
      const settings = () =>
        withHooks(client, { model: script([{ calls: [readCall('c1')] }]), tools: { read_file: tool }, prompt: 'Read.' });
      const parts = await readAll(stream(settings()).fullStream);
      const ofUi = await readAll(stream(settings()).toUIMessageStream());
      for (const written of [JSON.stringify(parts), JSON.stringify(ofUi)]) {
        expect(written).not.toContain(key);
        expect(written).toContain('[removed]');
      }
    });
  });

  test('A3: what a failed tool said is replaced too', async () => {
    await withClient(redactingHooks['a handler']!(), async ({ client }) => {
      const fails = () => {
        throw new RangeError(`no access with ${key}`);
      };
      const model = script([{ calls: [readCall('c1')] }]);
      const { steps } = await generate(withHooks(client, { model, tools: { read_file: recordedTool(fails).tool }, prompt: 'Read.' }));
      const error = steps[0]!.content.find(({ type }) => type === 'tool-error')?.['error'] as Error;
      expect(`${error.message} ${error.stack} ${JSON.stringify(model.requests)}`).not.toContain(key);
      expect(outputIn(model.requests[1], 'c1')).toMatchObject({
        type: 'error-text',
        value: expect.stringMatching(/no access with \[removed\]$/),
      });
    });
  });

  test('A3: a result that hooks cannot read is withheld', async () => {
    await withFunctions({ AfterTool: [() => ({})] }, async ({ client }) => {
      const model = script([{ calls: [readCall('c1')] }]);
      const { tool } = recordedTool({ stream: new ReadableStream() });
      const { steps } = await generate(withHooks(client, { model, tools: { read_file: tool }, prompt: 'Read.' }));
      expect(steps[0]!.toolResults[0]!.output).toMatch(/^read_file ran\. Its result was withheld/);
    });
  });

  describe('A4: what hooks add', () => {
    const two = (output: unknown) => ({
      turns: [{ calls: [readCall('c1')] }, { calls: [readCall('c2', 'b.txt')] }],
      ...recordedTool(output),
    });
    const hooks = {
      AfterTool: [
        `jq -e '.tool_use_id == "c1"' >/dev/null && ${says({ decision: 'deny', reason: 'too long', hookSpecificOutput: { additionalContext: 'see <b.txt>' } })}; true`,
      ],
    };
    const block = '<hook_context>\nsee &lt;b.txt&gt;\n</hook_context>\ntoo long';

    test('comes after a text once, in the next request and in those after it, and the app has the output of the tool', async () => {
      await withCommands(hooks, async ({ client }) => {
        const { tool, turns } = two('text of a');
        const model = script(turns);
        const { steps, response } = await generate(withHooks(client, { model, tools: { read_file: tool }, prompt: 'Read.' }));
        expect(steps[0]!.toolResults[0]!.output).toBe('text of a');
        expect(JSON.stringify(response.messages)).not.toContain('hook_context');
        for (const request of model.requests.slice(1)) expect(outputIn(request, 'c1')?.['value']).toBe(`text of a\n\n${block}`);
        expect(outputIn(model.requests[2], 'c2')?.['value']).toBe('text of a');
        expect(model.requests).toHaveLength(3);
      });
    });

    test('becomes a text of its own after an object, which stays the object of the tool', async () => {
      await withCommands(hooks, async ({ client }) => {
        const output = { lines: ['a'] };
        const { tool, turns } = two(output);
        const model = script(turns);
        const { steps } = await generate(withHooks(client, { model, tools: { read_file: tool }, prompt: 'Read.' }));
        expect(steps[0]!.toolResults[0]!.output).toBe(output);
        expect(outputIn(model.requests[2], 'c1')).toEqual({
          type: 'content',
          value: [
            { type: 'text', text: '{"lines":["a"]}' },
            { type: 'text', text: block },
          ],
        });
      });
    });

    test('belongs to the session: another client with the same id of a call has none of it', async () => {
      await withCommands(hooks, async ({ client }) => {
        const { tool, turns } = two('text of a');
        await generate(withHooks(client, { model: script(turns), tools: { read_file: tool }, prompt: 'Read.' }));
        await withCommands({}, async ({ client: other }) => {
          const model = script(turns);
          await generate(withHooks(other, { model, tools: { read_file: tool }, prompt: 'Read.' }));
          expect(outputIn(model.requests[1], 'c1')?.['value']).toBe('text of a');
        });
      });
    });

    test('is not written after the result of a later call with the same id', async () => {
      let count = 0;
      const once = () => (++count === 1 ? { hookSpecificOutput: { additionalContext: 'first' } } : {});
      await withFunctions({ AfterTool: [once] }, async ({ client }) => {
        const first = script([{ calls: [readCall('c1')] }]);
        const second = script([{ calls: [readCall('c1')] }]);
        for (const model of [first, second]) {
          await generate(withHooks(client, { model, tools: { read_file: recordedTool('text').tool }, prompt: 'Read.' }));
        }
        expect(outputIn(first.requests[1], 'c1')?.['value']).toContain('first');
        expect(outputIn(second.requests[1], 'c1')?.['value']).toBe('text');
      });
    });

    test('messages for everyone reach the model as a note and the app, those for the user only the app', async () => {
      const said = { systemMessage: 'checked', hookSpecificOutput: { userMessage: 'look' } };
      await withFunctions({ AfterTool: [() => said] }, async ({ client }) => {
        const received: object[] = [];
        const model = script([{ calls: [readCall('c1')] }]);
        const settings = { model, tools: { read_file: recordedTool('text').tool }, prompt: 'Read.' };
        await generate(withHooks(client, settings, { onMessage: (message) => received.push(message) }));
        expect(outputIn(model.requests[1], 'c1')?.['value']).toBe('text\n\n<hook_context>\nchecked\n</hook_context>');
        expect(received).toEqual([
          { text: 'checked', audience: 'everyone', eventName: 'AfterTool' },
          { text: 'look', audience: 'user', eventName: 'AfterTool' },
        ]);
      });
    });
  });
});
