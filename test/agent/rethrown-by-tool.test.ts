import { reviewToolCallWithHooks, runReviewedToolWithHooks } from '@tenterhook/agent';
import { firedEvents, withCommands } from '../support/agent.js';

test('what a host throws on is not a failure of the tool: the same object is thrown, and AfterTool is not fired', async () => {
  const suspended = { suspended: true };
  const execute = () => Promise.reject(suspended);
  await withCommands({ BeforeTool: ['true'], AfterTool: ['true'] }, async (scene) => {
    const reviewed = await reviewToolCallWithHooks(scene.client, { name: 'read_file', input: {} });
    const run = runReviewedToolWithHooks(scene.client, reviewed, { execute, rethrows: (thrown) => thrown === suspended });
    await expect(run).rejects.toBe(suspended);
    expect(firedEvents(scene)).toEqual(['BeforeTool']);
    const finished = await runReviewedToolWithHooks(scene.client, reviewed, { execute, rethrows: () => false });
    expect([finished.status, finished.thrown]).toEqual(['failed', suspended]);
    expect(firedEvents(scene)).toEqual(['BeforeTool', 'AfterTool']);
  });
});
