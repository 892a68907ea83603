import { createHooks } from '../src/create.js';
import { requireCallbacks, requireExtension, requireOptions, requireReadable } from '../src/require-options.js';
import type { Extension } from '../src/settings/extensions/extension.js';
import { fakeDialect } from './settings/settings-rig.js';

const everyOption = {
  advanced: { cwd: '.', transcriptPath: '', sources: [], executors: [] },
  bus: undefined,
  callbacks: { prompt: () => ({}) },
  circuitBreaker: undefined,
  dialect: 'llxprt',
  dialects: [],
  extensions: [],
  handlers: [],
  http: { allowPrivateAddresses: ['127.0.0.1'], env: ['HOOK_TOKEN'] },
  isTrusted: () => true,
  limits: {},
  projectDir: '.',
  sessionId: 's1',
  settings: {},
  strict: true,
  toolNames: ['write_file', { server: 'git', name: 'commit' }],
  watch: { debounceMs: 50 },
};

test('every option there is passes, and no option at all', () => {
  expect(() => requireOptions(everyOption)).not.toThrow();
  expect(() => requireOptions({})).not.toThrow();
});

const wrong: Record<string, [options: object, message: string]> = {
  'a misspelled option': [{ setings: {} }, 'createHooks has no option "setings". Did you mean "settings"?'],
  'an option in other letters': [{ projectdir: '.' }, 'Did you mean "projectDir"?'],
  'an option in the singular': [{ handler: [] }, 'Did you mean "handlers"?'],
  'an option that is like none': [
    { verbose: true },
    'Its options are projectDir, sessionId, settings, handlers, toolNames, watch, dialect,',
  ],
  ...Object.fromEntries(
    ['cwd', 'transcriptPath', 'sources', 'executors'].map((option) => [
      `${option} outside of its group`,
      [{ [option]: undefined }, `"${option}" is an option of "advanced". Write createHooks({ advanced: { ${option} } }).`],
    ]),
  ),
  'a misspelled option of a group, outside of it': [{ source: [] }, 'Did you mean "sources"?'],
  'a group that is a text': [{ advanced: 'cwd' }, '"advanced" must be { cwd, transcriptPath, sources, executors }, and is "cwd"'],
  'a misspelled option of a group': [{ advanced: { executor: [] } }, '"advanced" has no option "executor". Did you mean "executors"?'],
  'an option that the group does not have': [{ advanced: { bus: undefined } }, 'has no option "bus". Write createHooks({ bus })'],
  'a name that every object inherits': [{ constructor: 1 }, 'no option "constructor"'],
  'one wrong option among good ones': [{ ...everyOption, timeoutMs: 5 }, 'no option "timeoutMs"'],
  'watching that is a number': [{ watch: 200 }, '"watch" must be true, false or { debounceMs }'],
  'watching with an option that is unknown': [{ watch: { intervalMs: 5 } }, '"watch" has no option "intervalMs"; its option is debounceMs'],
  'watching without a pause': [
    { watch: { debounceMs: 0 } },
    '"watch.debounceMs" must be a number of milliseconds from 1 to 2147483647, and is 0',
  ],
  'watching with a pause that is too long for a timer': [{ watch: { debounceMs: 2147483648 } }, 'from 1 to 2147483647'],
  'watching with an invalid pause': [{ watch: { debounceMs: Number.NaN } }, 'and is NaN'],
  'watching with a pause that is a text': [{ watch: { debounceMs: '200' } }, '"watch.debounceMs" must be a number'],
  'tools that are a text': [{ toolNames: 'write_file' }, '"toolNames" must be an array of strings, and of { name, server } for MCP tools'],
  'a tool that is a number': [{ toolNames: ['write_file', 5] }, '"toolNames[1]" must be a string, or { name, server } for an MCP tool'],
  'a tool without a name': [{ toolNames: [''] }, '"toolNames[0]" must be a string'],
  'a tool that is nothing': [{ toolNames: [null] }, '"toolNames[0]" must be a string'],
  'an engine that is not in an array': [{ handlers: { hooksFor: () => [], run: () => {} } }, '"handlers" must be an array of engines'],
  'a handler that is not an engine': [{ handlers: [{ handle: () => {} }] }, '"handlers" must be an array of engines'],
  'an engine that is nothing': [{ handlers: [null] }, '"handlers" must be an array of engines'],
  'an MCP tool without a server': [
    { toolNames: [{ name: 'write_file' }] },
    '"toolNames[0].server" must be a non-empty string, and is missing; for a tool of the agent itself write only its name',
  ],
  'an MCP tool without a name': [{ toolNames: [{ server: 'git' }] }, '"toolNames[0].name" must be a non-empty string, and is missing'],
  'an MCP tool whose server is empty': [
    { toolNames: [{ name: 'commit', server: '' }] },
    '"toolNames[0].server" must be a non-empty string, and is ""',
  ],
  'an MCP tool whose server is misspelled': [
    { toolNames: ['read_file', { name: 'commit', serverName: 'git' }] },
    '"toolNames[1]" has no field "serverName"; its fields are name, server',
  ],
  'extensions that are not a list': [{ extensions: { name: 'x', hooks: {} } }, '"extensions" must be an array'],
  'extensions that are null': [{ extensions: null }, '"extensions" must be an array'],
  'the second of two extensions': [
    { extensions: [{ name: 'x', hooks: {} }, { hooks: {} }] },
    'extensions[1] must be { name, hooks, directory',
  ],
  'an extension with a misspelled field': [{ extensions: [{ name: 'x', hooks: {}, dialekt: 'eca' }] }, 'Did you mean "dialect"?'],
  'an unknown callback': [{ callbacks: { mcpTool: () => ({}) } }, '"callbacks" has no "mcpTool". Did you mean "mcp_tool"?'],
};

test.each(Object.entries(wrong))('%s is a TypeError that says what to write', (_, [options, message]) => {
  expect(() => requireOptions(options)).toThrow(TypeError);
  expect(() => requireOptions(options)).toThrow(message);
});

test.each([true, false, {}, { debounceMs: 1 }, { debounceMs: undefined }])('watch may be %j', (watch) => {
  expect(() => requireOptions({ watch })).not.toThrow();
});

test('an extension may be a manifest of the host, with fields of its own', () => {
  expect(() => requireOptions({ extensions: [{ name: 'x', hooks: {}, version: '1', path: '/opt/x' }] })).not.toThrow();
});

const malformed: Record<string, [extension: unknown, message: string]> = {
  nothing: [undefined, 'the extension must be { name, hooks, directory, dialect, active, frontMatterOf } with a name'],
  null: [null, 'the extension must be {'],
  'a text': ['linter', 'the extension must be {'],
  'a list': [[], 'the extension must be {'],
  'without a name': [{ hooks: {} }, 'with a name, and with hooks or a directory'],
  'with a name that is not a text': [{ name: 1, hooks: {} }, 'the extension must be {'],
  'with an empty name': [{ name: '', hooks: {} }, 'the extension must be {'],
  'without hooks and directory': [
    { name: 'linter' },
    'the extension, "linter", has neither "hooks" nor a "directory" to read them from. Pass its hooks, or its directory.',
  ],
  'whose hooks are undefined': [{ name: 'linter', hooks: undefined }, 'has neither "hooks" nor a "directory"'],
  'with an empty dialect': [{ name: 'linter', hooks: {}, dialect: '' }, '"the extension.dialect" must be the name of a dialect'],
  'with a dialect that is not a name': [{ name: 'x', hooks: {}, dialect: {} }, 'such as "llxprt", and is object'],
  'with a directory that is null': [{ name: 'linter', hooks: {}, directory: null }, 'must be an absolute path, and is null'],
  'with a directory that is not a text': [{ name: 'x', directory: 7 }, '"the extension.directory" must be an absolute path, and is 7'],
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
    'has the dialect "noth", which is not loaded. Loaded dialects: silent.',
  ],
  'without hooks, of a dialect that reads none from a directory': [
    { name: 'x', directory: '/opt/x', dialect: 'silent' },
    'x has no "hooks", and the dialect "silent" does not read them from a directory. Pass them as "hooks".',
  ],
  'without hooks, where no dialect reads any from a directory': [
    { name: 'x', directory: '/opt/x' },
    'x has no "hooks", and no loaded dialect reads them from a directory.',
  ],
};

test.each(Object.entries(unreadable))('an extension %s is a TypeError', (_, [extension, message]) => {
  expect(() => requireReadable(extension, 'x', [silent])).toThrow(TypeError);
  expect(() => requireReadable(extension, 'x', [silent])).toThrow(message);
});

test('an extension that one of the dialects can read is not a problem', () => {
  expect(() => requireReadable({ name: 'x', directory: '/opt/x' }, 'x', [silent, reader])).not.toThrow();
  expect(() => requireReadable({ name: 'x', directory: '/opt/x', dialect: 'reader' }, 'x', [silent, reader])).not.toThrow();
  expect(() => requireReadable({ name: 'x', hooks: {}, dialect: 'silent' }, 'x', [silent, reader])).not.toThrow();
});

const answer = () => ({});

test.each([undefined, {}, { prompt: answer }, { prompt: answer, agent: answer, mcp_tool: answer }, { look_at_screen: answer }])(
  'callbacks may be %p',
  (callbacks) => {
    expect(() => requireCallbacks(callbacks)).not.toThrow();
  },
);

test.each([
  ['promt', 'prompt'],
  ['Agent', 'agent'],
  ['mcpTool', 'mcp_tool'],
  ['mcp-tool', 'mcp_tool'],
])('a slip in the name of a callback, "%s", is a TypeError that has the right one', (slip, right) => {
  expect(() => requireCallbacks({ [slip]: answer })).toThrow(TypeError);
  expect(() => requireCallbacks({ [slip]: answer })).toThrow(`createHooks: "callbacks" has no "${slip}". Did you mean "${right}"?`);
});

test.each([
  [{ callbacks: { prompt: 'gpt' } }, 'createHooks: "callbacks.prompt" must be a function, and is gpt.'],
  [{ callbacks: [] }, 'createHooks: "callbacks" must be'],
  [{ circuitBreaker: { failures: 0 } }, 'createHooks: "circuitBreaker.failures" must be'],
  [{ http: true }, 'createHooks: "http" must be { allowPrivateAddresses, env }'],
  [{ http: { allowPrivateAddress: true } }, 'createHooks: "http" has no option "allowPrivateAddress"'],
  [{ http: { allowPrivateAddresses: '127.0.0.1' } }, 'createHooks: "http.allowPrivateAddresses" must be true, false or an array'],
])('an invalid value, %j, is a TypeError of createHooks', async (options, message) => {
  await expect(createHooks({ settings: {}, ...(options as object) })).rejects.toThrow(TypeError);
  await expect(createHooks({ settings: {}, ...(options as object) })).rejects.toThrow(message);
});
