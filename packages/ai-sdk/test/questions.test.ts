import { withHooks } from '@tenterhook/ai-sdk';
import { withCommands } from '../../../test/support/agent.js';
import { says } from '../../../test/support/fire-hooks.js';
import { readCall, recordedTool } from './support/tools.js';
import { outputIn, versions } from './support/versions.js';

const asks = says({ decision: 'ask', reason: 'sure?', hookSpecificOutput: { tool_input: { path: 'safe.txt' } } });

describe.each(versions)('$name', ({ generate, model: script }) => {
  const run = async (client: Parameters<typeof withHooks>[0], options: Parameters<typeof withHooks>[2]) => {
    const { tool, inputs } = recordedTool();
    const model = script([{ calls: [readCall('c1')] }]);
    await generate(withHooks(client, { model, tools: { read_file: tool }, prompt: 'Read.' }, options));
    return { inputs, output: outputIn(model.requests[1], 'c1')?.['value'] };
  };

  test('A12: an ask is a deny if no user can be asked', async () => {
    await withCommands({ BeforeTool: [asks] }, async ({ client }) => {
      expect(await run(client, {})).toEqual({ inputs: [], output: expect.stringContaining('no user could be asked. sure?') });
    });
  });

  test('A12: the user sees the rewritten input, and only "allow" runs the tool', async () => {
    await withCommands({ BeforeTool: [asks] }, async ({ client }) => {
      const questions: object[] = [];
      const ask = (question: object) => {
        questions.push(question);
        return 'allow' as const;
      };
      expect(await run(client, { ask })).toEqual({ inputs: [{ path: 'safe.txt' }], output: 'read' });
      expect(questions).toMatchObject([{ eventName: 'BeforeTool', subject: 'read_file', input: { path: 'safe.txt' }, reason: 'sure?' }]);
      expect(await run(client, { ask: () => 'deny' })).toMatchObject({ inputs: [], output: expect.stringContaining('did not allow') });
      const broken = () => {
        throw new Error('no terminal');
      };
      expect(await run(client, { ask: broken })).toMatchObject({ inputs: [], output: expect.stringContaining('no terminal') });
    });
  });
});
