import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hooks } from 'tenterhook';
import { freshDirectory, outcomeAt, settingsOf, warningCodes, withHooks } from '../support/fire-hooks.js';

// Reasons why a hook does not fire that no command line shows. The other reasons are in the scenarios
// test/cli/scenarios/field-failure-*.txt.

test('field failure 22: a hook of a source that is not trusted is an outcome with file and command, and does not run', async () => {
  const folder = freshDirectory('trust');
  const file = join(folder, 'settings.json');
  writeFileSync(file, JSON.stringify(settingsOf('BeforeTool', [{ name: 'guard', command: 'echo ran >> ran; exit 2' }])));
  await withHooks({ settings: [file], isTrusted: (source) => source !== 'settings' }, async ({ hooks, handler, read }) => {
    const result = await handler.fireBeforeToolEvent('write_file', {});
    const outcome = outcomeAt(result, 0);
    expect(outcome).toMatchObject({ status: 'skipped', skipReason: 'untrusted', command: 'echo ran >> ran; exit 2' });
    expect(warningCodes(outcome)).toEqual(['untrusted']);
    expect(outcome.warnings[0]?.message).toContain(file);
    expect(result.verdict.kind).toBe('none');
    expect(read('ran')).toBeUndefined();

    expect(hooks.explain('BeforeTool', { tool_name: 'write_file' }).hooks).toMatchObject([
      { wouldRun: false, skipReason: 'untrusted', file, reason: expect.stringContaining('its source "settings" is not trusted') },
    ]);
  });
  rmSync(folder, { recursive: true });
});

test('field failure 24: a call through MCP fires like any other, and brings its context along', async () => {
  const settings = settingsOf('BeforeTool', ['cat > seen.json'], { matcher: '^mcp__.*' });
  await withHooks({ settings }, async ({ handler, read }) => {
    const result = await handler.fireBeforeToolEvent('mcp__files__write', { path: 'a.txt' }, { server_name: 'files' });
    expect(outcomeAt(result, 0).status).toBe('succeeded');
    expect(JSON.parse(read('seen.json') ?? '')).toMatchObject({
      tool_name: 'mcp__files__write',
      tool_input: { path: 'a.txt' },
      mcp_context: { server_name: 'files' },
    });
    expect(outcomeAt(await handler.fireBeforeToolEvent('write_file', {}), 0).skipReason).toBe('matcher');
  });
  await withHooks({ settings: settingsOf('AfterTool', ['cat > seen.json'], { matcher: 'mcp__files__*' }) }, async ({ handler, read }) => {
    await handler.fireAfterToolEvent('mcp__files__write', {}, { llmContent: 'done' }, { server_name: 'files' });
    expect(JSON.parse(read('seen.json') ?? '')).toMatchObject({ mcp_context: { server_name: 'files' } });
  });
});

test('field failure 25: the first event after createHooks() has all hooks, and so has the first after an extension was added', async () => {
  const extensions = [{ name: 'first', hooks: { BeforeTool: [{ hooks: [{ name: 'of-extension', command: 'exit 2' }] }] } }];
  await withHooks({ settings: settingsOf('BeforeTool', [{ name: 'of-settings', command: 'exit 2' }]), extensions }, async (scene) => {
    const { hooks, handler } = scene;
    const first = await handler.fireBeforeToolEvent('write_file', {});
    expect(first.verdict.by).toEqual(['llxprt/settings/BeforeTool/of-settings', 'llxprt/extension:first/BeforeTool/of-extension']);

    await hooks.extensions.add({ name: 'second', hooks: { SessionStart: [{ hooks: [{ command: 'echo late but there' }] }] } });
    const result = await handler.fireSessionStartEvent('startup');
    expect(result.finalOutput?.systemMessage).toBe('late but there');
  });
});

test('field failure 28: a hook that is disabled stays so from event to event, and comes back with reload() alone', async () => {
  const folder = freshDirectory('disabled');
  const file = join(folder, 'settings.json');
  const hook = settingsOf('BeforeTool', [{ name: 'guard', command: 'exit 2' }]);
  const write = (value: object) => writeFileSync(file, JSON.stringify(value));
  const guard = async (hooks: Hooks) => outcomeAt(await hooks.getEventHandler().fireBeforeToolEvent('write_file', {}), 0);

  write({ ...hook, hooksConfig: { disabled: ['guard'] } });
  await withHooks({ settings: [file] }, async ({ hooks }) => {
    for (const _ of [1, 2, 3]) {
      const outcome = await guard(hooks);
      expect(outcome).toMatchObject({ status: 'skipped', skipReason: 'disabled' });
      expect(outcome.warnings[0]?.message).toBe(`"guard" is listed in hooksConfig.disabled of ${file}:1.`);
    }
    write(hook);
    expect((await guard(hooks)).skipReason).toBe('disabled');
    await hooks.reload();
    expect((await guard(hooks)).status).toBe('blocked');
  });
  rmSync(folder, { recursive: true });
});
