import { withHooks } from '@tenterhook/ai-sdk';
import { deny, withFunctions } from '../../../test/support/function-hooks.js';
import { readCall, recordedTool } from './support/tools.js';
import { readAll, versions, withApprovals } from './support/versions.js';

type Hook = (input: Record<string, unknown>) => object;

/** A hook that answers only for the file a.txt. */
const forA =
  (answer: object): Hook =>
  ({ tool_input }) =>
    (tool_input as { path: string }).path === 'a.txt' ? answer : {};

/** A function that returns when it has been called for the other file too. */
function lastOf(path: string) {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { release, run: (input: Record<string, unknown>) => (input['path'] === path ? isReleased.then(() => 'text') : 'text') };
}

// Not all providers give unique ids.
describe.each(versions)('$name: two calls with one id', ({ generate, stream, model: script }) => {
  const scene = (run: (input: Record<string, unknown>) => unknown) => {
    const { tool } = recordedTool(run);
    const model = script([{ calls: [readCall('c1'), readCall('c1', 'b.txt')] }, { text: 'Unwanted.' }]);
    return { model, settings: { model, tools: { read_file: tool }, prompt: 'Read both.' } };
  };
  const stops = forA({ continue: false, stopReason: 'enough' }) as never;

  test.each(['generate', 'stream'] as const)('a stop at the first stays when the second ends later: %s', async (method) => {
    await withFunctions({ BeforeTool: [stops] }, async ({ client }) => {
      const { release, run } = lastOf('b.txt');
      const { model, settings } = scene(run);
      const hooked = withHooks(client, settings, { onMessage: () => {} });
      setImmediate(release);
      const result = method === 'generate' ? await generate(hooked) : stream(hooked);
      if ('fullStream' in result) await readAll(result.fullStream);
      expect([await result.text, model.requests.length]).toEqual(['enough', 1]);
    });
  });

  test('an objection to the result of the first reaches the model when the second ends later', async () => {
    let release = () => {};
    const objects: Hook = (input) => {
      release();
      return forA(deny('the file is old'))(input);
    };
    await withFunctions({ AfterTool: [objects as never] }, async ({ client }) => {
      const second = lastOf('b.txt');
      release = second.release;
      const { model, settings } = scene(second.run);
      await generate(withHooks(client, settings));
      expect(JSON.stringify(model.requests[1]?.prompt)).toContain('the file is old');
    });
  });
});

describe.each(withApprovals)('$name: two calls with one id', ({ generate, stream, model: script }) => {
  test.each([['delete_file', 'read_file'] as const, ['read_file', 'delete_file'] as const])(
    'an approval callback decides about its own tool only: %s, %s',
    async (...names) => {
      const denies: Hook = ({ tool_name }) => (tool_name === 'delete_file' ? deny('never') : {});
      await withFunctions({ BeforeTool: [denies as never] }, async ({ client }) => {
        for (const method of ['generate', 'stream']) {
          const { tool, inputs } = recordedTool();
          const model = script([{ calls: names.map((name) => ({ ...readCall('c1'), name })) }]);
          const tools = { read_file: recordedTool().tool, delete_file: tool };
          const settings = withHooks(client, { model, tools, prompt: 'Go.' }, { approvals: 'framework' });
          if (method === 'generate') await generate(settings);
          else await readAll(stream(settings).fullStream);
          expect([method, inputs]).toEqual([method, []]);
        }
      });
    },
  );

  const equal = [readCall('c1'), readCall('c1')];
  const inTurn = (...answers: readonly object[]): Hook => {
    let at = 0;
    return () => answers[at++] ?? {};
  };

  test.each([
    ['first', [deny('not now'), {}]],
    ['second', [{}, deny('not now')]],
  ] as const)('each of two equal calls has its own decision: the %s is denied', async (_, answers) => {
    for (const method of ['generate', 'stream']) {
      await withFunctions({ BeforeTool: [inTurn(...answers) as never] }, async ({ client }) => {
        const { tool, inputs } = recordedTool();
        const model = script([{ calls: equal }, { text: 'Done.' }]);
        const settings = withHooks(client, { model, tools: { read_file: tool }, prompt: 'Go.' }, { approvals: 'framework' });
        if (method === 'generate') await generate(settings);
        else await readAll(stream(settings).fullStream);
        expect([method, inputs.length, JSON.stringify(model.requests[1]?.prompt).split('not now').length - 1]).toEqual([method, 1, 1]);
      });
    }
  });

  test('of two equal calls that hooks ask about, the user is asked about the first, and the second is refused', async () => {
    const asks: Hook = () => ({ decision: 'ask', reason: 'sure?' });
    await withFunctions({ BeforeTool: [asks as never] }, async ({ client }) => {
      const { tool, inputs } = recordedTool();
      const messages = [{ role: 'user', content: 'Go.' }];
      const settings = (model: object) =>
        withHooks(client, { model, tools: { read_file: tool } } as never, { approvals: 'framework' }) as object;
      const first = await generate({ ...settings(script([{ calls: equal }])), messages });
      const requests = first.content.filter(({ type, isAutomatic }) => type === 'tool-approval-request' && isAutomatic !== true);
      expect([requests.length, inputs.length]).toEqual([1, 0]);
      const answer = JSON.parse(JSON.stringify(first.responseMessages ?? first.response.messages)) as object[];
      const response = { type: 'tool-approval-response', approvalId: requests[0]?.['approvalId'], approved: true };
      const model = script([]);
      await generate({ ...settings(model), messages: [...messages, ...answer, { role: 'tool', content: [response] }] });
      expect(inputs.length).toBe(1);
      expect(JSON.stringify(model.requests[0]?.prompt)).toContain('with an id of its own');
    });
  });
});
