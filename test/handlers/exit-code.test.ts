import { createHookClient, executeToolWithHooks } from '@tenterhook/agent';
import { keeping, withHandlers } from './engine-scene.js';

const shell = { name: 'Bash', input: { command: 'make' }, execute: () => ({ llmContent: 'out', exit_code: 3 }) };

test('the exit code of a shell tool reaches handlers of post_tool_use, and one that they write reaches the agent', async () => {
  const before = keeping({ action: 'Continue', modified: { exit_code: 0 } });
  const after = keeping();
  await withHandlers({ before: ['post_tool_use', before.handle], after: ['post_tool_use', after.handle] }, async ({ hooks }) => {
    const outcome = await executeToolWithHooks(createHookClient(hooks), shell);
    expect(outcome).toMatchObject({ status: 'executed', result: { llmContent: 'out', exit_code: 0 } });
  });
  expect([before, after].map(({ payloads }) => payloads[0].result.exit_code)).toEqual([3, 0]);
});

test('it stays where only the text is rewritten, and one that is no number is none', async () => {
  const redacts = keeping({ action: 'Continue', modified: { output: '***' } });
  await withHandlers({ redacts: ['post_tool_use', redacts.handle] }, async ({ hooks }) => {
    const client = createHookClient(hooks);
    const { result } = await executeToolWithHooks(client, shell);
    expect(result).toMatchObject({ llmContent: '***', exit_code: 3 });
    await executeToolWithHooks(client, { ...shell, execute: () => ({ llmContent: 'out', exit_code: 'three' as never }) });
  });
  expect(redacts.payloads.map(({ result }) => result.exit_code)).toEqual([3, undefined]);
});
