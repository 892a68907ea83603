import { fireEvent, outcomeAt, says, settingsOf, withHooks } from '../support/fire-hooks.js';
import { until } from '../support/until.js';
import { fault } from './fault.js';
import { hookStory } from './hook-story.js';
import { withRemoteHooks } from './remote-hooks.js';

const large = { tool_name: 'write_file', tool_input: { content: 'x'.repeat(5_000_000) } };
const quiet = { status: 'succeeded', exitCode: 0, warnings: [] };

fault('S1', async () => {
  expect(outcomeAt(await fireEvent('BeforeTool', large, ['true']), 0)).toMatchObject(quiet);
});

fault('S2', async () => {
  const result = await fireEvent('BeforeTool', large, [`exec <&-; ${says({ systemMessage: 'done' })}`]);
  expect(outcomeAt(result, 0)).toMatchObject({ ...quiet, output: { systemMessage: 'done' } });
});

fault('S3', async () => {
  const result = await fireEvent('BeforeTool', large, ['head -c 1 > /dev/null; echo no >&2; exit 2']);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(outcomeAt(result, 0).warnings).toEqual([]);
});

fault('S4', async () => {
  await withHooks({ settings: settingsOf('BeforeTool', ['head -c 9 > /dev/null; cat /dev/stdin > seen']) }, async ({ handler, read }) => {
    await handler.fireBeforeToolEvent('write_file', { path: 'a.txt' });
    expect(JSON.parse(read('seen') ?? '')).toMatchObject({ hook_event_name: 'BeforeTool', tool_input: { path: 'a.txt' } });
  });
});

fault('S5', async () => {
  const forger = { name: 'forger', command: `echo '{"tool_input":{"path":"forged"}}' > /dev/stdin; exit 0` };
  await withRemoteHooks(
    (command) => [command(), forger],
    async ({ rig, handler, progress }) => {
      const fired = handler.fireBeforeToolEvent('write_file', { path: 'a.txt' });
      await until('the forger has ended', () => hookStory(progress).includes('forger succeeded'));
      const reader = await rig.nextRun();
      expect(await reader.input()).toMatchObject({ tool_input: { path: 'a.txt' } });
      await reader.exit(0);
      await fired;
    },
  );
});

fault('S6', async () => {
  await withHooks({ settings: settingsOf('BeforeTool', ['touch ran']) }, async ({ handler, read }) => {
    const result = await handler.fire('BeforeTool', { tool_name: 't', tool_input: { size: 5n } });
    expect(result.errors[0]).toMatchObject({ code: 'validation_failed', message: expect.stringContaining('tool_input.size') });
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'cancelled', warnings: [{ code: 'not_started' }] });
    expect(read('ran')).toBeUndefined();
  });
});
