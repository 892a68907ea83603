import { eca, llxprt } from '@tenterhook/dialects';
import type { Dialect } from '@tenterhook/protocol';
import fc from 'fast-check';
import { createHooks } from '../../../src/create.js';
import { dialectContext } from '../../../src/settings/discover/dialect-context.js';
import { loadSettings } from '../../../src/settings/load-settings.js';
import { toDocument } from '../../../src/settings/read/read-document.js';
import { recogniseDialect } from '../../../src/settings/read/recognise-dialect.js';
import { withFiles } from '../settings-rig.js';

const dialects = [llxprt(), eca()];
const context = dialectContext('/srv/app');
const ecaHook = (type: string, shell = 'true') => ({ type, actions: [{ type: 'shell', shell }] });

const hookKey = fc.constantFrom('BeforeTool', 'SessionStart', 'preToolCall', 'guard', 'PreToolUse', '__proto__');
const hookValue = fc.oneof(
  fc.constantFrom<unknown>([], [{ hooks: [{ command: 'true' }] }], [{ matcher: 'x', hooks: [] }], [ecaHook('preToolCall')]),
  fc.constantFrom<unknown>(ecaHook('preToolCall'), ecaHook('chatStart'), ecaHook('BeforeTool'), { type: 'preToolCall' }, { hooks: [] }, 7),
);
const hookEntries = fc.uniqueArray(fc.tuple(hookKey, hookValue), { minLength: 1, maxLength: 4, selector: ([key]) => key });

test('a document with hooks that only one dialect reads without an error is read in that one, and nothing is said', () => {
  fc.assert(
    fc.property(hookEntries, (entries) => {
      const document = toDocument({ hooks: Object.fromEntries(entries) }, 'settings');
      const isValidIn = (dialect: Dialect) => dialect.parse(document, context).diagnostics.every(({ severity }) => severity !== 'error');
      const valid = dialects.filter(isValidIn);
      fc.pre(valid.length === 1);
      const { dialect, note } = recogniseDialect(document, dialects, context);
      expect([dialect.name, note]).toEqual([valid[0]?.name, undefined]);
    }),
    { numRuns: 300 },
  );
});

test.each([{}, { hooks: {} }, { tools: { enableHooks: true } }, { providers: { openai: {} } }])(
  'settings without hooks, %j, are read as the native ones, and nothing is said',
  (value) => {
    const { dialect, note } = recogniseDialect(toDocument(value, 'settings'), dialects, context);
    expect([dialect.name, note]).toEqual(['llxprt', undefined]);
  },
);

test('extensions and given objects are recognised one by one', async () => {
  const extensions = [
    { name: 'one', hooks: { guard: ecaHook('preToolCall', 'echo no >&2; exit 2') } },
    { name: 'two', hooks: { BeforeTool: [{ hooks: [{ name: 'log', command: 'true' }] }] } },
  ];
  const hooks = await createHooks({ dialects, settings: { hooks: { welcome: ecaHook('chatStart') } }, extensions });
  expect(hooks.diagnostics).toEqual([]);
  expect(hooks.hooks.SessionStart.map(({ id }) => id)).toEqual(['eca/settings/SessionStart/welcome']);
  const { outcomes, verdict } = await hooks.getEventHandler().fireBeforeToolEvent('write_file', {});
  expect(outcomes.map(({ hookId, status }) => [hookId, status])).toEqual([
    ['llxprt/extension:two/BeforeTool/log', 'succeeded'],
    ['eca/extension:one/BeforeTool/guard', 'blocked'],
  ]);
  expect(verdict).toMatchObject({ kind: 'deny', reason: 'no', by: ['eca/extension:one/BeforeTool/guard'] });
  await hooks.extensions.add({ name: 'two', hooks: { other: ecaHook('preToolCall') } });
  expect(hooks.hooks.BeforeTool.map(({ id }) => id)).toEqual(['eca/extension:one/BeforeTool/guard', 'eca/extension:two/BeforeTool/other']);
  await hooks.dispose();
});

test("without a home directory the user's ECA file is read where XDG_CONFIG_HOME says, and the note is about the others", async () => {
  await withFiles({ 'xdg/eca/config.json': { hooks: { guard: ecaHook('preToolCall') } } }, async ({ path, at }) => {
    const environment = { XDG_CONFIG_HOME: at('xdg') };
    const homeless = { ...dialectContext(path), home: '', environment };
    const loaded = await loadSettings({ dialects, context: homeless, extensions: [], lastGood: new Map() });
    expect(loaded.hooks.map(({ id }) => id)).toEqual(['eca/user/BeforeTool/guard']);
    expect(loaded.diagnostics).toMatchObject([{ code: 'no_home', message: expect.stringContaining('read for llxprt.') }]);
    const without = { ...homeless, environment: {} };
    const { files } = await loadSettings({ dialects, context: without, extensions: [], lastGood: new Map() });
    expect(files.map(({ dialect, source }) => [dialect, source])).toEqual([
      ['llxprt', 'project'],
      ['llxprt', 'system'],
      ['eca', 'project'],
    ]);
  });
});

test('the tools that the agent has, MCP tools included, are tried as each dialect sees them', async () => {
  const native = (matcher: string) => ({ matcher, hooks: [{ name: matcher, command: 'true' }] });
  const settings = [
    { hooks: { BeforeTool: [native('^mcp__docs__search$'), native('^commit$'), native('^comit$'), native('Bash')] } },
    {
      hooks: {
        docs: { ...ecaHook('preToolCall'), matcher: 'docs__.*' },
        git: { ...ecaHook('preToolCall'), matcher: 'git__commit' },
        shell: { ...ecaHook('preToolCall'), matcher: 'eca__shell_command' },
        wrong: { ...ecaHook('preToolCall'), matcher: 'gti__commit' },
      },
    },
  ];
  const toolNames = ['run_shell_command', 'mcp__docs__search', { name: 'commit', server: 'git' }];
  const hooks = await createHooks({ dialects, settings, toolNames });
  const unmatched = hooks.diagnostics.filter(({ code }) => code === 'unmatched_matcher');
  expect(unmatched.map(({ path, remedy }) => [path, remedy])).toEqual([
    ['hooks.BeforeTool[3].matcher', 'Write "run_shell_command".'],
    ['hooks.BeforeTool[2].hooks[0]', 'Did you mean "commit"?'],
    ['hooks.wrong.actions[0]', 'Did you mean "git__commit"?'],
  ]);
  await hooks.dispose();
});
