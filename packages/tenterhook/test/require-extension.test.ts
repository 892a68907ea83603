import { requireExtension, requireReadable } from '../src/require-extension.js';
import type { Extension } from '../src/settings/extensions/extension.js';
import { fakeDialect } from './settings/settings-rig.js';

const malformed: Record<string, [extension: unknown, message: string]> = {
  nothing: [undefined, 'the extension must be { name, hooks, directory, dialect, active, frontMatterOf } with a name'],
  null: [null, 'the extension must be {'],
  'a text': ['linter', 'the extension must be {'],
  'a list': [[], 'the extension must be {'],
  'without a name': [{ hooks: {} }, 'with a name, and with hooks or a directory'],
  'with a name that is no text': [{ name: 1, hooks: {} }, 'the extension must be {'],
  'with an empty name': [{ name: '', hooks: {} }, 'the extension must be {'],
  'without hooks and directory': [
    { name: 'linter' },
    'the extension, "linter", has neither "hooks" nor a "directory" to read them from. Give it hooks, or the directory that it lies in.',
  ],
  'whose hooks are undefined': [{ name: 'linter', hooks: undefined }, 'has neither "hooks" nor a "directory"'],
  'with an empty dialect': [{ name: 'linter', hooks: {}, dialect: '' }, '"the extension.dialect" must be the name of a dialect'],
  'with a dialect that is no name': [{ name: 'x', hooks: {}, dialect: {} }, 'such as "llxprt", and is object'],
  'with a directory that is null': [{ name: 'linter', hooks: {}, directory: null }, 'must be an absolute path, and is null'],
  'with a directory that is no text': [{ name: 'x', directory: 7 }, '"the extension.directory" must be an absolute path, and is 7'],
  'with a relative directory': [{ name: 'x', directory: 'x' }, '"the extension.directory" must be an absolute path, and is "x"'],
  'with front matter of something else': [
    { name: 'x', hooks: {}, frontMatterOf: 'agent' },
    '"the extension.frontMatterOf" must be "skill" or "subagent", and is "agent"',
  ],
  'with a misspelled field': [{ name: 'x', directory: '/opt/x', frontmatterOf: 'skill' }, 'Did you mean "frontMatterOf"?'],
};

test.each(Object.entries(malformed))('an extension: %s is a TypeError that says what to write', (_, [extension, message]) => {
  expect(() => requireExtension(extension, 'the extension')).toThrow(TypeError);
  expect(() => requireExtension(extension, 'the extension')).toThrow(message);
});

test.each<object>([
  { name: 'linter', hooks: {}, active: true, dialect: 'eca', directory: '/opt/linter', frontMatterOf: 'skill' },
  { name: 'linter', hooks: {}, active: undefined, dialect: undefined, directory: undefined, frontMatterOf: undefined },
  { name: 'linter', directory: '/opt/linter' },
  { name: 'linter', hooks: undefined, directory: '/opt/linter' },
  { name: 'linter', hooks: {}, version: '1', path: '/opt/x' },
])('%j is an extension: fields may be left open, and others are the host’s', (extension) => {
  expect(() => requireExtension(extension, 'the extension')).not.toThrow();
});

const silent = fakeDialect('silent', {});
const reader = fakeDialect('reader', {}, { extensionFiles: () => [] });
const unreadable: Record<string, [extension: Extension, message: string]> = {
  'of a dialect that is not loaded': [
    { name: 'x', hooks: {}, dialect: 'noth' },
    'has the dialect "noth", which is not loaded; loaded are silent.',
  ],
  'without hooks, of a dialect that reads none from a directory': [
    { name: 'x', directory: '/opt/x', dialect: 'silent' },
    'x has no "hooks", and the dialect "silent" does not read them from a directory. Hand them over as "hooks".',
  ],
  'without hooks, where no dialect reads any from a directory': [
    { name: 'x', directory: '/opt/x' },
    'x has no "hooks", and none of the dialects that are loaded reads them from a directory.',
  ],
};

test.each(Object.entries(unreadable))('an extension %s is a TypeError', (_, [extension, message]) => {
  expect(() => requireReadable(extension, 'x', [silent])).toThrow(TypeError);
  expect(() => requireReadable(extension, 'x', [silent])).toThrow(message);
});

test('an extension that one of the dialects can read is none', () => {
  expect(() => requireReadable({ name: 'x', directory: '/opt/x' }, 'x', [silent, reader])).not.toThrow();
  expect(() => requireReadable({ name: 'x', directory: '/opt/x', dialect: 'reader' }, 'x', [silent, reader])).not.toThrow();
  expect(() => requireReadable({ name: 'x', hooks: {}, dialect: 'silent' }, 'x', [silent, reader])).not.toThrow();
});
