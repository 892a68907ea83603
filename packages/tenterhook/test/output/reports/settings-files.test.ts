import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHooks } from '../../../src/create.js';
import type { Hooks } from '../../../src/hooks.js';
import { plainStyle } from '../../../src/output/reports/report-style.js';
import { renderSettingsFiles } from '../../../src/output/reports/settings-files.js';

const folder = mkdtempSync(join(tmpdir(), 'tenterhook-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

const group = (...hooks: object[]) => [{ hooks }];
const named = (name: string) => ({ name, command: 'true' });

const contents: Record<string, [content: unknown, consequence: string, ofEvent?: string]> = {
  'no hooks': [{}, 'read, no hooks'],
  'one hook': [{ hooks: { BeforeTool: group(named('a')) } }, 'read, 1 hook', 'read, 1 hook (1 of BeforeTool)'],
  'hooks of another event': [
    { hooks: { AfterTool: group(named('a'), named('b')) } },
    'read, 2 hooks',
    'read, 2 hooks (none of BeforeTool)',
  ],
  'a disabled and an invalid hook': [
    { hooksConfig: { disabled: ['b'] }, hooks: { BeforeTool: group(named('a'), named('b'), {}) } },
    'read, 3 hooks (1 invalid, 1 disabled)',
    'read, 3 hooks (3 of BeforeTool, 1 invalid, 1 disabled)',
  ],
  'hooks that are switched off': [
    { tools: { enableHooks: false }, hooks: { BeforeTool: group(named('a')) } },
    'read, 1 hook (1 switched off)',
    'read, 1 hook (1 of BeforeTool, 1 switched off)',
  ],
  'what is not JSON': ['{ "hooks": {\n  oops } }', 'broken, line 2: The settings file is not valid JSON'],
};

test.each(Object.entries(contents))('a file with %s', async (_, [content, consequence, ofEvent = consequence]) => {
  const file = join(folder, 'settings.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  const hooks = await createHooks({ settings: [file] });
  const lineOf = (loaded: Hooks, eventName?: string) =>
    renderSettingsFiles(loaded, plainStyle, eventName === undefined ? {} : { eventName })[1];
  expect(lineOf(hooks)).toContain(`  ${file}  settings, `);
  expect(lineOf(hooks)).toContain(`: ${consequence}`);
  expect(lineOf(hooks, 'BeforeTool')).toContain(`: ${ofEvent}`);
  await hooks.dispose();
});

test('a file that is missing is shown, and without files there is nothing to show', () => {
  const files = [{ file: '/x/settings.json', source: 'user', dialect: 'llxprt', state: 'missing' as const }];
  expect(renderSettingsFiles({ ...nothing, files }, plainStyle)).toEqual(['Settings files', '  /x/settings.json  user, llxprt: missing']);
  expect(renderSettingsFiles({ ...nothing, files: [] }, plainStyle)).toEqual([]);
});

const missing = (dialect: string, source: string) => ({ file: `/x/${dialect}/${source}.json`, source, dialect, state: 'missing' as const });
const nothing = { hooks: {}, off: {}, diagnostics: [] } as unknown as Pick<Hooks, 'hooks' | 'off' | 'diagnostics'>;
const read = { file: '/x/a.json', source: 'project', dialect: 'llxprt', state: 'read' as const };
const ofPlugin = { file: '/x/plugin.json', source: 'plugin:x', dialect: 'claude-code', state: 'missing' as const };

test('beside files that are there, those that are missing are one line; what was asked for by name is shown', () => {
  const files = [missing('llxprt', 'user'), read, missing('eca', 'project'), missing('eca', 'user'), ofPlugin];
  const folded = [
    'Settings files',
    '  /x/a.json       project, llxprt: read, no hooks',
    '  /x/plugin.json  plugin:x, claude-code: missing',
    '  3 more are missing; --dialect <name> shows where they would be',
  ];
  expect(renderSettingsFiles({ ...nothing, files }, plainStyle)).toEqual(folded);
  expect(renderSettingsFiles({ ...nothing, files }, plainStyle, { dialect: 'eca' })).toHaveLength(1 + files.length);
});

test('where none is there, or one alone is missing, each is shown', () => {
  const none = [missing('llxprt', 'user'), missing('eca', 'project')];
  expect(renderSettingsFiles({ ...nothing, files: none }, plainStyle)).toHaveLength(3);
  expect(renderSettingsFiles({ ...nothing, files: [read, missing('llxprt', 'user')] }, plainStyle)).toHaveLength(3);
});
