import { withHooks } from '@tenterhook/ai-sdk';
import { withCommands } from '../../../test/support/agent.js';
import { says } from '../../../test/support/fire-hooks.js';
import { withFunctions } from '../../../test/support/function-hooks.js';
import { readCall, recordedTool } from './support/tools.js';
import { readAll, versions } from './support/versions.js';

const stops = says({ continue: false, stopReason: 'enough for today' });
const stopsA = `jq -e '.tool_input.path == "a.txt"' >/dev/null && ${stops}; true`;

describe.each(versions)('$name', ({ generate, stream, model: script }) => {
  const scene = () => {
    const { tool, inputs } = recordedTool();
    const model = script([{ calls: [readCall('c1'), readCall('c2', 'b.txt')] }, { text: 'Unwanted.' }]);
    return { inputs, model, settings: { model, tools: { read_file: tool }, prompt: 'Read both.' } };
  };

  test.each([
    ['BeforeTool', [{ path: 'b.txt' }]],
    ['AfterTool', [{ path: 'a.txt' }, { path: 'b.txt' }]],
  ] as const)('A9: a stop in %s ends the run before the next model call, and the sibling finishes', async (eventName, ran) => {
    await withCommands({ [eventName]: [stopsA] }, async ({ client }) => {
      const { inputs, model, settings } = scene();
      const result = await generate(withHooks(client, settings));
      expect([result.text, result.finishReason, model.requests.length]).toEqual(['enough for today', 'content-filter', 1]);
      expect(inputs).toEqual(ran);
    });
  });

  test('A9: the same in a stream', async () => {
    await withCommands({ BeforeTool: [stopsA] }, async ({ client }) => {
      const { inputs, model, settings } = scene();
      const result = stream(withHooks(client, settings));
      await readAll(result.fullStream);
      expect([await result.text, model.requests.length, inputs]).toEqual(['enough for today', 1, [{ path: 'b.txt' }]]);
    });
  });

  test.each([
    ['BeforeModel', 0],
    ['AfterModel', 1],
  ] as const)('A9: a stop in %s: no tool runs, and no further model call is made', async (eventName, requests) => {
    await withCommands({ [eventName]: [stops] }, async ({ client }) => {
      const { inputs, model, settings } = scene();
      const result = await generate(withHooks(client, settings));
      expect([result.text, model.requests.length, inputs]).toEqual(['enough for today', requests, []]);
      expect(result.providerMetadata?.['tenterhook']).toEqual({ status: 'stopped', reason: 'enough for today' });
    });
  });

  test('A9: the next turn of the conversation is free again', async () => {
    let count = 0;
    const once = () => (++count === 1 ? { continue: false, stopReason: 'enough' } : {});
    await withFunctions({ BeforeTool: [once] }, async ({ client }) => {
      const { model, settings } = scene();
      const { response } = await generate(
        withHooks(client, { ...settings, prompt: undefined, messages: [{ role: 'user', content: 'Read both.' }] } as never),
      );
      const messages = [{ role: 'user', content: 'Read both.' }, ...response.messages, { role: 'user', content: 'And now?' }];
      const again = await generate(withHooks(client, { model, messages }));
      expect(again.text).toBe('Unwanted.');
    });
  });
});
