import { type HookRig, hookRig } from '@tenterhook/testing';
import { settingsOf, withHooks } from './support/fire-hooks.js';

let rig: HookRig;
beforeEach(async () => {
  rig = await hookRig();
});
afterEach(() => rig.close());

test('the third hook waits while the limit is two', async () => {
  // Commands that are equal would be one hook: the labels make them differ.
  const settings = settingsOf('BeforeTool', ['a', 'b', 'c'].map(rig.command));
  await withHooks({ limits: { concurrency: 2 }, settings }, async ({ handler, progress }) => {
    const fired = handler.fireBeforeToolEvent('write_file', { path: 'a.txt' });
    const [first, second] = await Promise.all([rig.nextRun(), rig.nextRun()]);
    expect([first.label, second.label].sort()).toEqual(['a', 'b']);
    expect(await first.input()).toMatchObject({ tool_name: 'write_file', tool_input: { path: 'a.txt' } });
    await first.exit(0);
    const third = await rig.nextRun();
    const happened = progress.map(({ kind }) => kind);
    expect(happened).toEqual(['planned', 'hook-started', 'hook-started', 'hook-finished', 'hook-started']);
    await second.exit(0);
    await third.stderr('no');
    await third.exit(2);
    const result = await fired;
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: [result.outcomes[2]?.hookId] });
  });
});
