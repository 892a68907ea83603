import { withHooks } from '@tenterhook/ai-sdk';
import { specific, withFunctions } from '../../../test/support/function-hooks.js';
import type { ScriptedModel } from './support/scripted-model.js';
import { recordedTool } from './support/tools.js';
import { versions, withApprovals } from './support/versions.js';

const readA = { calls: [{ id: 'call_0', name: 'read_file', input: { path: 'a' } }] };
const prompt = { role: 'user', content: 'Read.' };

/** Answers the first event with this, and all others with nothing. */
function first(answer: object) {
  let count = 0;
  return () => {
    count += 1;
    return (count === 1 ? answer : {}) as never;
  };
}

// A provider may number the calls of each answer from 0, and the program calls the SDK for each step.
describe.each(versions)('$name: two conversations of one client that are alike', (version) => {
  const settings = (client: Parameters<typeof withHooks>[0], model: ScriptedModel, tool = recordedTool().tool) => ({
    ...withHooks(client, { model, tools: { read_file: tool } }),
    stopWhen: ({ steps }: { readonly steps: readonly unknown[] }) => steps.length >= 1,
  });
  const answerOf = ({ responseMessages, response }: Awaited<ReturnType<typeof version.generate>>) =>
    JSON.parse(JSON.stringify(responseMessages ?? response.messages)) as object[];

  test('a stop of one of them is not lost', async () => {
    await withFunctions({ BeforeTool: [first({ continue: false, stopReason: 'enough' })] }, async ({ client }) => {
      const histories = [];
      for (let count = 0; count < 2; count += 1) {
        const result = await version.generate({ ...settings(client, version.model([readA])), messages: [prompt] });
        histories.push([prompt, ...answerOf(result)]);
      }
      const model = version.model([{ text: 'unwanted' }]);
      const { text } = await version.generate({ ...settings(client, model), messages: histories[0] });
      expect([text, model.requests.length]).toEqual(['enough', 0]);
    });
  });

  test('a conversation that goes on does not read the texts of one whose call runs', async () => {
    await withFunctions({ AfterTool: [first(specific({ additionalContext: 'about the first' }))] }, async ({ client }) => {
      const result = await version.generate({ ...settings(client, version.model([readA])), messages: [prompt] });
      const history = [prompt, ...answerOf(result)];
      const model = version.model([{ text: 'done' }]);
      // The other conversation goes on while the call of a third one runs, and none of them is known.
      const { tool } = recordedTool(async () => {
        await version.generate({ ...settings(client, model), messages: history });
        return 'text';
      });
      await version.generate({ ...settings(client, version.model([readA]), tool), messages: [prompt] });
      expect(model.requests).toHaveLength(1);
      expect(JSON.stringify(model.requests)).not.toContain('about the first');
    });
  });
});

describe.each(withApprovals)('$name: two conversations of one client that are alike', (version) => {
  test('each reads the texts of its own call that the user was asked about', async () => {
    let count = 0;
    const adds = () => {
      count += 1;
      return specific({ additionalContext: `text ${count}` });
    };
    await withFunctions({ BeforeTool: [() => ({ decision: 'ask' }) as never], AfterTool: [adds as never] }, async ({ client }) => {
      const { tool } = recordedTool();
      const settings = (model: ScriptedModel) => withHooks(client, { model, tools: { read_file: tool } }, { approvals: 'framework' });
      const open = [];
      for (const _ of [1, 2]) open.push(await version.generate({ ...settings(version.model([readA])), messages: [prompt] }));
      const models = [];
      for (const { content, responseMessages, response } of open) {
        const request = content.find(({ type }) => type === 'tool-approval-request');
        const answer = { type: 'tool-approval-response', approvalId: request?.['approvalId'], approved: true };
        const model = version.model([{ text: 'done' }]);
        const messages = [prompt, ...(responseMessages ?? response.messages), { role: 'tool', content: [answer] }];
        await version.generate({ ...settings(model), messages: JSON.parse(JSON.stringify(messages)) });
        models.push(JSON.stringify(model.requests));
      }
      expect(models.map((text) => ['text 1', 'text 2'].map((part) => text.includes(part)))).toEqual([
        [true, false],
        [false, true],
      ]);
    });
  });
});
