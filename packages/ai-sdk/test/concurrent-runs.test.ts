import { withHooks } from '@tenterhook/ai-sdk';
import { specific, withFunctions } from '../../../test/support/function-hooks.js';
import type { ScriptedModel } from './support/scripted-model.js';
import { recordedTool } from './support/tools.js';
import { readAll, type Version, versions, withApprovals } from './support/versions.js';

type Input = Record<string, unknown>;
const pathOf = ({ tool_input }: Input) => (tool_input as { path?: string } | undefined)?.path;
const call = (name: string, path: string, id = 'call_0') => ({ id, name, input: { path } });
const noted = (requests: ScriptedModel['requests']) => JSON.stringify(requests.map(({ prompt }) => prompt));

/** Runs an agent to its end, as one result or as a stream. */
async function run({ generate, stream }: Version, method: 'generate' | 'stream', settings: object): Promise<string> {
  if (method === 'generate') return (await generate(settings)).text;
  const result = stream(settings);
  await readAll(result.fullStream);
  return result.text;
}

// A provider may number the calls of each answer from 0.
describe.each(versions)('$name: two runs of one client whose calls have the same ids', (version) => {
  test.each(['generate', 'stream'] as const)('each has its own selection: %s', async (method) => {
    const selects = (input: Input) =>
      JSON.stringify(input).includes('only read') ? specific({ toolConfig: { mode: 'ANY', allowedFunctionNames: ['read_file'] } }) : {};
    await withFunctions({ BeforeToolSelection: [selects as never] }, async ({ client }) => {
      const [read, write, other] = [recordedTool(), recordedTool(), recordedTool()];
      const second = version.model([{ calls: [call('write_file', 'b')] }]);
      const gate = async () => {
        await run(version, method, { ...withHooks(client, { model: second, tools: { write_file: other.tool } }), prompt: 'anything' });
      };
      // The call is made, and has not run, when the other run comes in between.
      const tools = { read_file: read.tool, write_file: { ...write.tool, onInputAvailable: gate } };
      const first = version.model([{ calls: [call('write_file', 'a')] }]);
      await run(version, method, { ...withHooks(client, { model: first, tools }), prompt: 'only read' });
      expect([write.inputs, other.inputs]).toEqual([[], [{ path: 'b' }]]);
    });
  });

  test.each(['generate', 'stream'] as const)(
    'each has its own selection, although a function of the app gives both the same messages: %s',
    async (method) => {
      let count = 0;
      const selectsFirst = () => {
        count += 1;
        return count === 1 ? specific({ toolConfig: { mode: 'ANY', allowedFunctionNames: ['read_file'] } }) : {};
      };
      await withFunctions({ BeforeToolSelection: [selectsFirst as never] }, async ({ client }) => {
        const [write, other] = [recordedTool(), recordedTool()];
        const messages = [{ role: 'user', content: 'go' }];
        const prepareStep = () => ({ messages });
        const settings = (path: string, tool: object) => ({
          ...withHooks(client, { model: version.model([{ calls: [call('write_file', path)] }]), tools: { write_file: tool }, prepareStep }),
          prompt: 'go',
          stopWhen: ({ steps }: { readonly steps: readonly unknown[] }) => steps.length >= 1,
        });
        const gate = async () => void (await run(version, method, settings('b', other.tool)));
        await run(version, method, settings('a', { ...write.tool, onInputAvailable: gate }));
        expect([write.inputs, other.inputs]).toEqual([[], [{ path: 'b' }]]);
      });
    },
  );

  test.each(['generate', 'stream'] as const)('each has its own stop and its own texts: %s', async (method) => {
    const stops = (input: Input) => (pathOf(input) === 'stop' ? { continue: false, stopReason: 'enough' } : {});
    const adds = (input: Input) => (pathOf(input) === 'stop' ? {} : specific({ additionalContext: `about ${pathOf(input)}` }));
    await withFunctions({ BeforeTool: [stops as never], AfterTool: [adds as never] }, async ({ client }) => {
      const second = version.model([{ calls: [call('read_file', 'b')] }, { text: 'second' }]);
      let secondText = '';
      const { tool } = recordedTool(async ({ path }: Input) => {
        if (path === 'gate') secondText = await run(version, method, { ...withHooks(client, { model: second, tools }), prompt: 'go' });
        return 'text';
      });
      const tools = { read_file: tool };
      const first = version.model([{ calls: [call('read_file', 'stop'), call('read_file', 'gate', 'call_1')] }]);
      const firstText = await run(version, method, { ...withHooks(client, { model: first, tools }), prompt: 'go' });
      expect([firstText, secondText]).toEqual(['enough', 'second']);

      const third = version.model([{ calls: [call('read_file', 'c'), call('read_file', 'gate', 'call_1')] }, { text: 'third' }]);
      await run(version, method, { ...withHooks(client, { model: third, tools }), prompt: 'go' });
      expect([noted(third.requests).includes('about c'), noted(second.requests).includes('about b')]).toEqual([true, true]);
      expect(noted(second.requests)).not.toContain('about c');
      expect(noted(third.requests)).not.toContain('about b');
    });
  });

  test('a later run of a conversation reads the texts of its own earlier run', async () => {
    const adds = ({ tool_input, ...input }: Input) =>
      specific({ additionalContext: `about ${String((tool_input as { path: string }).path)} ${'tool_response' in input}` });
    await withFunctions({ AfterTool: [adds as never] }, async ({ client }) => {
      const { tool } = recordedTool();
      const settings = (model: ScriptedModel) => withHooks(client, { model, tools: { read_file: tool } });
      const histories = await Promise.all(
        ['a', 'b'].map(async (path) => {
          const messages = [{ role: 'user', content: `Read ${path}.` }];
          const { response, responseMessages } = await version.generate({
            ...settings(version.model([{ calls: [call('read_file', path)] }, { text: path }])),
            messages,
          });
          return [...messages, ...(responseMessages ?? response.messages), { role: 'user', content: 'And now?' }];
        }),
      );
      const models = await Promise.all(
        histories.map(async (messages) => {
          const model = version.model([{ text: 'Done.' }]);
          await version.generate({ ...settings(model), messages: JSON.parse(JSON.stringify(messages)) });
          return noted(model.requests);
        }),
      );
      expect(models.map((text) => ['about a', 'about b'].map((part) => text.includes(part)))).toEqual([
        [true, false],
        [false, true],
      ]);
    });
  });

  test('the texts of two conversations that are alike reach neither of them later', async () => {
    let count = 0;
    const adds = () => {
      count += 1;
      return specific({ additionalContext: `count ${count}` });
    };
    await withFunctions({ AfterTool: [adds as never] }, async ({ client }) => {
      const { tool } = recordedTool();
      const settings = (model: ScriptedModel) => withHooks(client, { model, tools: { read_file: tool } });
      const messages = [{ role: 'user', content: 'Read.' }];
      const turns = [{ calls: [call('read_file', 'a')] }, { text: 'done' }];
      const model = version.model([{ text: 'Done.' }]);
      const [first] = [
        await version.generate({ ...settings(version.model(turns)), messages }),
        await version.generate({ ...settings(version.model(turns)), messages }),
      ];
      const answer = first.responseMessages ?? first.response.messages;
      await version.generate({ ...settings(model), messages: [...messages, ...answer, { role: 'user', content: 'And now?' }] });
      expect(noted(model.requests)).not.toContain('count');
    });
  });
});

describe.each(withApprovals)('$name: two runs of one client whose calls have the same ids', (version) => {
  test('each has its own decision of an approval callback', async () => {
    let count = 0;
    const deniesSecond = (input: Input) => {
      if (pathOf(input) !== 'a') return {};
      count += 1;
      return count === 1 ? {} : { decision: 'deny', reason: 'only once' };
    };
    await withFunctions({ BeforeTool: [deniesSecond as never] }, async ({ client }) => {
      const [first, second] = [recordedTool(), recordedTool()];
      const script = () => version.model([{ calls: [call('read_file', 'a'), call('gate', 'g', 'call_1')] }]);
      const settings = (read: object, needsApproval: () => Promise<boolean>) =>
        withHooks(
          client,
          { model: script(), tools: { read_file: read, gate: { ...recordedTool().tool, needsApproval } } },
          { approvals: 'framework' },
        );
      const other = async () => false;
      // The first call has a decision, and has not run, when the other run comes in between.
      const gate = async () => {
        await version.generate({ ...settings(second.tool, other), prompt: 'go' });
        return false;
      };
      await version.generate({ ...settings(first.tool, gate), prompt: 'go' });
      expect([first.inputs, second.inputs]).toEqual([[{ path: 'a' }], []]);
    });
  });
});
