import { claudeCode, defaultDialects } from '@tenterhook/dialects';
import { inPlace, nextChange } from './hooks-rig.js';

const group = (command: string) => [{ hooks: [{ type: 'command', command }] }];

test('a plugin brings its hooks in files of its own, which know where they lie', async () => {
  await inPlace(async ({ create, write, at }) => {
    const file = write('plug/hooks/hooks.json', { hooks: { PreToolUse: group('echo "$CLAUDE_PLUGIN_ROOT" >&2; exit 2') } });
    const claude = claudeCode({ plugins: { plug: { dataDirectory: at('data') } } });
    const hooks = await create({
      settings: {},
      // Without this option, the data directory of the plugin would be in the home directory of the user who runs the tests.
      dialects: defaultDialects().map((each) => (each.name === claude.name ? claude : each)),
      extensions: [{ name: 'plug', directory: at('plug') }],
    });
    expect(hooks.files).toEqual([{ file, source: 'plugin:plug', dialect: 'claude-code', state: 'read' }]);
    const { verdict } = await hooks.getEventHandler().fireBeforeToolEvent('write_file', {});
    expect(verdict).toMatchObject({ kind: 'deny', reason: at('plug'), by: ['claude-code/plugin:plug/BeforeTool/0.0'] });
  });
});

test('hooks that are handed over have the source of their format, too', async () => {
  await inPlace(async ({ create }) => {
    const hooks = await create({
      settings: {},
      dialects: defaultDialects(),
      extensions: [
        { name: 'a', hooks: { PreToolUse: group('true') } },
        { name: 'b', hooks: { BeforeTool: group('true') }, dialect: 'llxprt' },
      ],
    });
    expect(hooks.hooks.BeforeTool.map(({ id }) => id)).toEqual([
      'llxprt/extension:b/BeforeTool/0.0',
      'claude-code/plugin:a/BeforeTool/0.0',
    ]);
  });
});

test('with watch, what is changed in its directory counts', async () => {
  await inPlace(async ({ create, write, at }) => {
    write('plug/.claude-plugin/plugin.json', { name: 'plug' });
    const hooks = await create({
      settings: {},
      dialects: [claudeCode()],
      extensions: [{ name: 'plug', directory: at('plug') }],
      watch: { debounceMs: 10 },
    });
    expect(hooks.diagnostics).toMatchObject([{ code: 'unreadable_file', source: 'plugin:plug' }]);
    const alive = setInterval(() => {}, 1000);
    const changed = nextChange(hooks);
    write('plug/hooks/hooks.json', { hooks: { Stop: group('true') } });
    expect(await changed).toMatchObject({ cause: 'watch', diagnostics: [] });
    clearInterval(alive);
    expect(hooks.has('AfterAgent')).toBe(true);
  });
});

test('an extension that nothing can be read of is a TypeError, at once and at run time', async () => {
  await inPlace(async ({ create, at }) => {
    const extension = { name: 'x', directory: at('x'), dialect: 'eca' };
    const message = 'has no "hooks", and the dialect "eca" does not read them from a directory';
    await expect(create({ settings: {}, dialects: defaultDialects(), extensions: [extension] })).rejects.toThrow(message);
    const hooks = await create({ settings: {}, dialects: defaultDialects() });
    await expect(hooks.extensions.add(extension)).rejects.toThrow(TypeError);
    await expect(hooks.extensions.add({ name: 'x' })).rejects.toThrow('has neither "hooks" nor a "directory"');
  });
});
