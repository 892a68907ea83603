import type { HookDefinition, SettingsDocument } from '@tenterhook/protocol';
import { machine } from '../../eca/eca-rig.js';
import { dialect, good } from '../../gemini-cli/gemini-rig.js';
import { codesOf } from '../../printed.js';

const written = `"\${extensionPath}\${/}x.sh" \${workspacePath} \${OTHER}`;

function read(
  place: Partial<SettingsDocument>,
  fields: Record<string, unknown> = { command: written },
  context = machine(),
): { hook: HookDefinition | undefined; codes: string[] } {
  const value = { hooks: { BeforeTool: [{ hooks: [{ ...good, ...fields }] }] } };
  const { hooks, diagnostics } = dialect.parse({ source: 'extension:x', value, locate: () => undefined, ...place }, context);
  return { hook: hooks[0], codes: codesOf(diagnostics) };
}

const commandOf = (hook: HookDefinition | undefined) => (hook?.action.kind === 'command' ? hook.action.command : undefined);
const envOf = (hook: HookDefinition | undefined) => (hook?.dialectData as { env: unknown } | undefined)?.env;
const filled = `"/ext/x.sh" /srv/app \${OTHER}`;

test.each<[string, Partial<SettingsDocument>]>([
  ['its directory', { directory: '/ext' }],
  ['the folder above hooks', { file: '/ext/hooks/hooks.json' }],
  ['the folder of another file', { file: '/ext/hooks.json' }],
  ['the folder above hooks, of a file that was named', { source: 'settings', file: '/ext/hooks/hooks.json' }],
])('the path of an extension is %s', (_, place) => {
  const { hook, codes } = read(place);
  expect(commandOf(hook)).toBe(filled);
  expect(codes).toEqual([]);
});

test('in settings nothing is filled in', () => {
  expect(commandOf(read({ source: 'project', file: '/srv/app/.gemini/settings.json' }).hook)).toBe(written);
});

test('a path that means something to a shell is left to it as a variable', () => {
  const path = '/ext/it\'s "mine" $(id)';
  const { hook } = read({ directory: path });
  expect(commandOf(hook)).toBe(`"\${extensionPath}/x.sh" /srv/app \${OTHER}`);
  expect(envOf(hook)).toEqual({ extensionPath: path });
  expect(envOf(read({ directory: path }, { env: { WHERE: `\${extensionPath}` } }).hook)).toEqual({ WHERE: path });
});

test('two extensions with one command are two hooks', () => {
  const keys = ['/a b', '/c d'].map((directory) => read({ directory }).hook?.dedupeKey);
  expect(new Set(keys).size).toBe(2);
});

test('on Windows, whose shell has other braces, all is filled in', () => {
  const context = machine({}, { platform: 'win32', projectDir: 'C:\\app' });
  expect(commandOf(read({ directory: 'C:\\my ext' }, undefined, context).hook)).toBe(`"C:\\my ext\\x.sh" C:\\app \${OTHER}`);
});

test('an extension that lies nowhere is said, and the path stays', () => {
  const { hook, codes } = read({});
  expect(codes).toEqual(['invalid_field']);
  expect(commandOf(hook)).toBe(`"\${extensionPath}/x.sh" /srv/app \${OTHER}`);
  expect(read({}, { command: 'x' }).codes).toEqual([]);
});

test('an invalid environment is reported', () => {
  expect(read({ directory: '/a b' }, { command: written, env: 'x' }).codes).toContain('invalid_field');
});

test('hooks in the manifest are said not to be read', () => {
  const { hook, codes } = read({ file: '/ext/gemini-extension.json', directory: '/ext' });
  expect(hook).toBeUndefined();
  expect(codes).toEqual(['misplaced_hooks']);
});
