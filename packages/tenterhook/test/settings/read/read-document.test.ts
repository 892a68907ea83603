import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import type { Diagnostic, SettingsDocument } from '@tenterhook/protocol';
import { type ReadDocument, readDocument } from '../../../src/settings/read/read-document.js';
import { withFiles } from '../settings-rig.js';

/** Reads a file with this text. */
function read(text: string): Promise<ReadDocument> {
  return withFiles({ 'settings.json': text }, ({ at }) => readDocument(at('settings.json'), 'project', true));
}

async function documentIn(text: string): Promise<SettingsDocument> {
  const result = await read(text);
  if (result.state !== 'read') throw new Error(JSON.stringify(result));
  return result.document;
}

function diagnosticsOf(result: ReadDocument): readonly Diagnostic[] {
  return result.state === 'missing' ? [] : result.diagnostics;
}

const values: Record<string, [text: string, value: unknown]> = {
  'plain JSON': ['{ "a": [1, "x", true, null, { "b": 2.5 }] }', { a: [1, 'x', true, null, { b: 2.5 }] }],
  'comments of both kinds': ['// one\n{ /* two */ "a": 1 // three\n}', { a: 1 }],
  'what looks like a comment inside a text': ['{ "a": "http://x /* y */" }', { a: 'http://x /* y */' }],
  'trailing commas in objects and lists': ['{ "a": [1, 2,], }', { a: [1, 2] }],
  'a byte order mark': ['\uFEFF{ "a": 1 }', { a: 1 }],
  'CRLF line ends': ['{\r\n"a": 1\r\n}\r\n', { a: 1 }],
  'a value that is not an object': ['[]', []],
  'of a key that stands twice the last one': ['{ "a": 1, "a": 2 }', { a: 2 }],
};

test.each(Object.entries(values))('reads %s', async (_, [text, value]) => {
  const result = await read(text);
  expect(result).toMatchObject({ state: 'read', document: { source: 'project' } });
  expect(result.state === 'read' && result.document.value).toEqual(value);
});

const broken: Record<string, [text: string, place: { line: number; column: number }, why: string, remedy: string]> = {
  'a missing colon': ['{\n  "hooks" [ ]\n}', { line: 2, column: 11 }, 'a colon is missing after the key', '":"'],
  'the same with CRLF line ends': ['{\r\n\r\n  "hooks" [ ]\r\n}', { line: 3, column: 11 }, 'a colon is missing', '":"'],
  'the same behind a byte order mark': ['\uFEFF{ "hooks" [ ] }', { line: 1, column: 11 }, 'a colon is missing', '":"'],
  'a missing comma between lines': [
    '{\n  "a": 1\n  "b": 2\n}',
    { line: 3, column: 3 },
    'a comma is missing before line 3',
    'at the end of line 2',
  ],
  'a missing comma in a line': ['[1 2]', { line: 1, column: 4 }, 'a comma is missing before this value', 'Write a comma here.'],
  'a word that is not a value': ['{ "a":\n  nul }', { line: 2, column: 3 }, 'nul is not true, false, null or a number', 'double quotes'],
  'a key without quotes': ['{ hooks: {} }', { line: 1, column: 3 }, 'keys and strings need double quotes', 'double quotes'],
  'single quotes': ["{ 'a': 1 }", { line: 1, column: 3 }, 'keys and strings need double quotes', 'double quotes'],
  'a key without a value': ['{ "a": }', { line: 1, column: 8 }, 'a value is missing', 'Write a value'],
  'two commas': ['{ "a": 1,, }', { line: 1, column: 10 }, 'a key is missing', 'remove the comma'],
  'two values': ['{}\n{}', { line: 2, column: 1 }, 'there is text after the end', 'Remove it'],
  'a list without its end': ['[1,\n2', { line: 2, column: 2 }, 'a "]" is missing', 'Write "]"'],
  'an object without its end': ['{ "hooks": {', { line: 1, column: 13 }, 'a "}" is missing', 'Write "}"'],
  'a path of Windows': ['{ "command": "C:\\hooks\\x" }', { line: 1, column: 14 }, 'a backslash in a string', 'twice'],
  'a string that goes on': ['{ "a": "x\n}', { line: 1, column: 8 }, 'a string is not closed', 'double quote'],
  'a tab in a string': ['{ "a": "\t" }', { line: 1, column: 8 }, 'a tab', '\\t'],
  'a comment without its end': ['{ "a": /* x', { line: 1, column: 8 }, 'a comment is not closed', '*/'],
  'a lonely bracket': [']', { line: 1, column: 1 }, 'a value is missing', 'Write a value'],
  'nothing at all': ['', { line: 1, column: 1 }, 'it is empty', 'Write {}'],
  'white space': ['\n \n', { line: 3, column: 1 }, 'it is empty', 'Write {}'],
  'comments alone': ['// nothing yet\n', { line: 2, column: 1 }, 'it is empty', 'Write {}'],
};

test.each(Object.entries(broken))('%s is a diagnostic with line and column', async (_, [text, place, why, remedy]) => {
  const [first, ...others] = diagnosticsOf(await read(text));
  expect(first).toMatchObject({ code: 'invalid_json', severity: 'error', source: 'project', ...place });
  expect(first?.file).toMatch(/settings\.json$/);
  expect(first?.message).toContain(why);
  expect(first?.remedy).toContain(remedy);
  expect(others).toEqual([]);
});

test.each([5_000, 100_000])('%i levels of nesting are a diagnostic', async (levels) => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const result = await read(`${open.repeat(levels)}1${close.repeat(levels)}`);
    expect(result).toMatchObject({ state: 'broken', diagnostics: [{ code: 'invalid_json', severity: 'error' }] });
    expect(diagnosticsOf(result)[0]?.remedy).toBe('Nest it less deeply.');
  }
});

test('a key that stands twice is an error that names both places', async () => {
  const text = '{\n  "hooks": { "BeforeTool": [] },\n  "tools": {},\n  "hooks": {}\n}';
  const [duplicate, ...others] = diagnosticsOf(await read(text));
  expect(duplicate).toMatchObject({ code: 'duplicate_key', severity: 'error', line: 4, column: 3 });
  expect(duplicate?.message).toContain('"hooks" is on line 2');
  expect(others).toEqual([]);
});

test('the places of 300,000 keys of an object are found: a search for each would take minutes', async () => {
  const keys = Array.from({ length: 300_000 }, (_, index) => `k${index}`);
  const text = `{ "a": {\n${keys.map((key) => `"${key}": 1`).join(',\n')} } }`;
  const result = await withFiles({ 'settings.json': text }, ({ at }) => readDocument(at('settings.json'), 'user', true));
  const document = result.state === 'read' ? result.document : undefined;
  const wrong = keys.filter((key, index) => document?.locate(['a', key])?.line !== index + 2);
  expect(wrong).toEqual([]);
});

test('of thousands of duplicate keys the first hundred are errors, and one more has the number of the others', async () => {
  const found = diagnosticsOf(await read(`{ "a": {\n${'"b": 1,\n'.repeat(120_000)}"b": 2 } }`));
  expect(found).toHaveLength(101);
  expect(found.at(99)).toMatchObject({ code: 'duplicate_key', line: 102, message: expect.stringContaining('is on line 101') });
  expect(found.at(100)).toMatchObject({
    code: 'duplicate_key',
    severity: 'error',
    line: 103,
    message: '119900 more keys are duplicates, here and below; only the last value of each is used.',
  });
});

test('duplicate keys are found at every depth, in lists too, and each repetition by itself', async () => {
  const found = diagnosticsOf(await read('{ "a": [{ "b": 1,\n"b": 2,\n"b": 3 }] }'));
  expect(found.map(({ line, message }) => [line, /line \d/.exec(message)?.[0]])).toEqual([
    [2, 'line 1'],
    [3, 'line 2'],
  ]);
});

test('the same key in two objects is not a duplicate, nor is one that differs in case or is named like a method', async () => {
  const text = '{ "a": { "x": 1 }, "b": { "x": 1, "X": 1 }, "constructor": 1, "toString": 2, "__proto__": {} }';
  expect(diagnosticsOf(await read(text))).toEqual([]);
});

test('`__proto__` is a key like others', async () => {
  const { value } = await documentIn('{ "__proto__": { "enableHooks": true }, "tools": { "__proto__": null } }');
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.keys(value as object)).toEqual(['__proto__', 'tools']);
  expect(value).not.toHaveProperty('enableHooks');
  expect(({} as { enableHooks?: boolean }).enableHooks).toBeUndefined();
});

test('locate() finds a value, and for what is missing its nearest parent', async () => {
  const { locate } = await documentIn('{\r\n  "hooks": {\r\n    "BeforeTool": [\r\n      { "command": "x" }\r\n    ]\r\n  }\r\n}');
  expect(locate(['hooks', 'BeforeTool', 0, 'command'])).toEqual({ line: 4, column: 20 });
  expect(locate(['hooks', 'BeforeTool', 0, 'timeout'])).toEqual({ line: 4, column: 7 });
  expect(locate(['hooks', 'BeforeTool', 7, 'hooks', 3])).toEqual({ line: 3, column: 19 });
  expect(locate(['tools', 'enableHooks'])).toEqual({ line: 1, column: 1 });
  expect(locate([])).toEqual({ line: 1, column: 1 });
});

test('locate() takes of a key that stands twice the one that counts', async () => {
  const { locate } = await documentIn('{ "hooks": { "a": 1 },\n"hooks":\n{ "b": [1,\n2] } }');
  expect(locate(['hooks', 'b', 1])).toEqual({ line: 4, column: 1 });
  expect(locate(['hooks', 'a'])).toEqual({ line: 3, column: 1 });
  expect(locate(['hooks', 'b', 'length'])).toEqual({ line: 3, column: 8 });
});

test('10,000 hooks are read, and the last one is found', async () => {
  const hooks = Array.from({ length: 10_000 }, (_, index) => `{ "command": "echo ${index}" }`);
  const { value, locate } = await documentIn(`{ "hooks": [\n${hooks.join(',\n')}\n] }`);
  expect((value as { hooks: unknown[] }).hooks).toHaveLength(10_000);
  expect(locate(['hooks', 9_999, 'command'])).toEqual({ line: 10_001, column: 14 });
});

test('a file that is not there is normal where it was only looked for, and an error where it was named', async () => {
  await withFiles({}, async ({ at }) => {
    expect(await readDocument(at('none.json'), 'project', false)).toEqual({ state: 'missing' });
    expect(await readDocument(at('none.json'), 'settings', true)).toMatchObject({
      state: 'broken',
      diagnostics: [{ code: 'unreadable_file', message: expect.stringContaining('does not exist'), file: at('none.json') }],
    });
  });
});

const unreadable: Record<string, (file: string) => void> = {
  'a directory': (file) => mkdirSync(file),
  'a link to itself': (file) => symlinkSync(file, file),
};

test.each(Object.entries(unreadable))('%s is an unreadable file, named or only looked for', async (_, make) => {
  await withFiles({}, async ({ at }) => {
    make(at('settings.json'));
    for (const required of [true, false]) {
      const result = await readDocument(at('settings.json'), 'user', required);
      expect(result).toMatchObject({ state: 'broken', diagnostics: [{ code: 'unreadable_file', source: 'user' }] });
    }
  });
});

test('a file that may not be read is an unreadable file; root can read every file', async () => {
  await withFiles({ 'settings.json': '{}' }, async ({ at }) => {
    chmodSync(at('settings.json'), 0);
    const result = await readDocument(at('settings.json'), 'project', false);
    const isRoot = process.getuid?.() === 0;
    expect(result).toMatchObject(isRoot ? { state: 'read' } : { state: 'broken', diagnostics: [{ code: 'unreadable_file' }] });
  });
});

test('a file with the ending .toml is read as TOML, and its values have lines', async () => {
  await withFiles({ 'config.toml': '# rules\n[[hooks.Stop]]\nmatcher = "a"\n', 'broken.toml': 'a = 1\nb = "x\n' }, async ({ at }) => {
    const result = await readDocument(at('config.toml'), 'project', false);
    if (result.state !== 'read') throw new Error(JSON.stringify(result));
    expect(result.document.value).toEqual({ hooks: { Stop: [{ matcher: 'a' }] } });
    expect(result.document.locate(['hooks', 'Stop', 0, 'matcher'])).toEqual({ line: 3, column: 1 });
    const broken = await readDocument(at('broken.toml'), 'project', false);
    const [diagnostic] = diagnosticsOf(broken);
    expect(diagnostic).toMatchObject({ code: 'invalid_json', severity: 'error', file: at('broken.toml'), line: 2 });
    expect(diagnostic?.message).toContain('not valid TOML');
  });
});
