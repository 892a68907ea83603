import { dialectContext } from '../../../src/settings/discover/dialect-context.js';
import { SettingsSource } from '../../../src/settings/settings-source.js';
import { inPlace, toolHooks } from '../../hooks-rig.js';
import { north, withFiles } from '../settings-rig.js';

const guard = { tools: { enableHooks: true }, ...toolHooks({ name: 'guard', command: 'exit 2' }) };
const file = 'project/.llxprt/settings.json';

const garbage: Record<string, [content: string, path: string]> = {
  'a list': ['[]', ''],
  'a number': ['42', ''],
  null: ['null', ''],
  'a text': ['"x"', ''],
  'hooks that are a number': ['{ "tools": { "enableHooks": true }, "hooks": 5 }', 'hooks'],
  'hooks that are a list': ['{ "tools": { "enableHooks": true }, "hooks": [] }', 'hooks'],
  'hooks that are null': ['{ "hooks": null }', 'hooks'],
  'tools that are a number': [JSON.stringify({ ...guard, tools: 5 }), 'tools'],
  'a switch that is a text': [JSON.stringify({ ...guard, tools: { enableHooks: 'yes' } }), 'tools.enableHooks'],
  'a hooksConfig that is a list': [JSON.stringify({ ...guard, hooksConfig: [] }), 'hooksConfig'],
  'a list of disabled hooks that is a text': [JSON.stringify({ ...guard, hooksConfig: { disabled: 'guard' } }), 'hooksConfig.disabled'],
  'groups that are a text': ['{ "tools": { "enableHooks": true }, "hooks": { "BeforeTool": "garbage" } }', 'hooks.BeforeTool'],
  'groups that are one group': [JSON.stringify({ ...guard, hooks: { BeforeTool: guard.hooks } }), 'hooks.BeforeTool'],
};

test.each(Object.entries(garbage))(
  'a file that becomes %s keeps its last good state, as long as it is so, with a diagnostic',
  async (_, [content, path]) => {
    await inPlace(async ({ write, create }) => {
      write(file, guard);
      const hooks = await create();
      const ids = () => hooks.hooks.BeforeTool.map((hook) => `${hook.id} ${hook.skip?.skipReason ?? 'on'}`);
      const good = ids();
      expect(good).toEqual(['llxprt/project/BeforeTool/guard on']);
      write(file, content);
      for (const _again of ['once', 'twice']) {
        await hooks.reload();
        expect(ids()).toEqual(good);
        expect(hooks.files[0]).toMatchObject({ source: 'project', state: 'broken' });
        expect(hooks.diagnostics).toContainEqual(
          expect.objectContaining({ severity: 'error', path, message: expect.stringMatching(/last good state stays in use\.$/) }),
        );
      }
      write(file, { tools: { enableHooks: true } });
      await hooks.reload();
      expect([ids(), hooks.diagnostics, hooks.files[0]?.state]).toEqual([[], [], 'read']);
    });
  },
);

test.each(Object.entries(garbage))(
  'a file that is %s from the start has no good state, counts as before, and claims none',
  async (_, [content]) => {
    await inPlace(async ({ write, create }) => {
      write(file, content);
      const hooks = await create();
      const before = [hooks.files[0]?.state, hooks.diagnostics];
      expect(before[0]).toBe('read');
      expect(JSON.stringify(before)).not.toContain('last good');
      await hooks.reload();
      expect([hooks.files[0]?.state, hooks.diagnostics]).toEqual(before);
    });
  },
);

test('a bad hook, a bad group and an unknown event drop alone: the new document is in force', async () => {
  await inPlace(async ({ write, create }) => {
    write(file, guard);
    const hooks = await create();
    const groups = [{ hooks: [{ name: 'new', command: 'true' }, 5, { command: 7 }] }, 'garbage', { hooks: 5 }, { matcher: 5, hooks: [] }];
    write(file, { ...guard, hooksConfig: { disabled: ['x', 5] }, hooks: { BeforeTool: groups, PreToolUse: 5 } });
    await hooks.reload();
    const on = hooks.hooks.BeforeTool.filter((hook) => hook.skip === undefined);
    expect(on.map((hook) => hook.id)).toEqual(['llxprt/project/BeforeTool/new']);
    expect(hooks.files[0]?.state).toBe('read');
    expect(JSON.stringify(hooks.diagnostics)).not.toContain('last good');
  });
});

test('what the kept state has to say is still said, once', async () => {
  await inPlace(async ({ write, create }) => {
    write(file, { ...guard, hooks: { BeforeTool: [{ hooks: [{ name: 'guard', command: 'exit 2', timeout: 5 }] }] } });
    const hooks = await create();
    write(file, '{ "hooks": { "BeforeTool": 5, "AfterTool": [{ "hooks": [{ "command": "true", "timeout": 5 }] }] } }');
    await hooks.reload();
    expect(hooks.diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
      ['invalid_group', 'error'],
      ['suspicious_timeout', 'warning'],
    ]);
  });
});

test('what a dialect throws on it has not accepted: the last good state stays', async () => {
  await withFiles({ '.north/hooks.json': { hooks: { Rise: ['a'] } } }, async ({ path, write }) => {
    const source = new SettingsSource({ dialects: [north], context: dialectContext(path) }, []);
    await source.reload();
    write('.north/hooks.json', '{ "hooks": { "Rise": 5 } }');
    await source.reload();
    expect(source.hooksFor('SessionStart')).toHaveLength(1);
    expect(source.files).toMatchObject([{ dialect: 'north', state: 'broken' }]);
    expect(source.diagnostics).toMatchObject([
      { code: 'dialect_failed', message: expect.stringMatching(/\)\. The file's last good state stays in use\.$/) },
    ]);
  });
});
