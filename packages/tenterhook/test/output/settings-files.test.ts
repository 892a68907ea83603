import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHooks, type Hooks } from '../../src/create-hooks.js';
import { plainPaint } from '../../src/output/palette.js';
import { renderSettingsFiles } from '../../src/output/settings-files.js';

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
  'what is no JSON': ['{ "hooks": {\n  oops } }', 'broken, line 2: The settings file is not JSON'],
};

test.each(Object.entries(contents))('a file with %s', async (_, [content, consequence, ofEvent = consequence]) => {
  const file = join(folder, 'settings.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  const hooks = await createHooks({ settings: [file] });
  const lineOf = (loaded: Hooks, eventName?: string) => renderSettingsFiles(loaded, plainPaint, eventName)[1];
  expect(lineOf(hooks)).toContain(`  ${file}  settings, `);
  expect(lineOf(hooks)).toContain(`: ${consequence}`);
  expect(lineOf(hooks, 'BeforeTool')).toContain(`: ${ofEvent}`);
  await hooks.dispose();
});

test('a file that is missing is shown, and without files there is nothing to show', () => {
  const nothing = { hooks: {}, off: {}, diagnostics: [] } as unknown as Pick<Hooks, 'hooks' | 'off' | 'diagnostics'>;
  const files = [{ file: '/x/settings.json', source: 'user', dialect: 'llxprt', state: 'missing' as const }];
  expect(renderSettingsFiles({ ...nothing, files }, plainPaint)).toEqual(['Settings files', '  /x/settings.json  user, llxprt: missing']);
  expect(renderSettingsFiles({ ...nothing, files: [] }, plainPaint)).toEqual([]);
});
