import { MessageBus } from '@tenterhook/bus';
import { claudeCode, llxprt } from '@tenterhook/dialects';
import { createHooks } from '../../src/create.js';
import { requireOptions } from '../../src/open/require-options.js';
import type { Extension } from '../../src/settings/extensions/extension.js';
import { type ExtensionPlace, requireExtension, requireReadable } from '../../src/settings/extensions/require-extension.js';
import { fakeDialect } from '../settings/settings-rig.js';

const everyOption = {
  advanced: { cwd: '.', transcriptPath: '', sources: [], executors: [] },
  bus: new MessageBus(),
  callbacks: { prompt: () => ({}) },
  circuitBreaker: undefined,
  dialect: 'llxprt',
  dialects: [llxprt()],
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
  'no object at all': ['llxprt' as unknown as object, 'The options of createHooks must be an object, and are "llxprt"'],
  'null instead of an object': [null as unknown as object, 'The options of createHooks must be an object, and are null'],
  'a session id that is a number': [{ sessionId: 3 }, 'createHooks: "sessionId" must be a non-empty string, and is 3.'],
  'an empty session id': [{ sessionId: '' }, '"sessionId" must be a non-empty string, and is "".'],
  'a project that is a URL object': [{ projectDir: new URL('file:///') }, '"projectDir" must be a non-empty string, and is an object.'],
  'settings that are a number': [{ settings: 5 }, '"settings" must be an object, or an array of objects and file names, and is 5.'],
  'settings with a function among them': [
    { settings: [{}, () => {}] },
    '"settings[1]" must be an object or a file name, and is a function.',
  ],
  'a dialect by its object': [{ dialect: { name: 'eca' } }, '"dialect" must be the name of a dialect, such as "llxprt", and is an object.'],
  'one dialect that is not in an array': [
    { dialects: {} },
    '"dialects" must be an array of dialects, such as [llxprt(), claudeCode()], and is',
  ],
  'a dialect by its name': [{ dialects: ['claude-code'] }, '"dialects[0]" must be a dialect, such as claudeCode(), and is "claude-code".'],
  'a factory of a dialect that was not called': [
    { dialects: [llxprt(), claudeCode] },
    '"dialects[1]" must be a dialect, and is a function. Call it: claudeCode().',
  ],
  'strictness that is a text': [{ strict: 'yes' }, '"strict" must be true or false, and is "yes".'],
  'a bus that is an empty object': [{ bus: {} }, '"bus" must be a MessageBus, and is an object.'],
  'a trust check that is a boolean': [{ isTrusted: true }, '"isTrusted" must be a function, and is true.'],
  'limits that are a number': [{ limits: 3 }, '"limits" must be { concurrency, queued, killGraceMs, stdoutBytes, stderrBytes }, and is 3.'],
  'a working directory that is a number': [{ advanced: { cwd: 3 } }, '"advanced.cwd" must be a non-empty string, and is 3.'],
  'a transcript that is null': [{ advanced: { transcriptPath: null } }, '"advanced.transcriptPath" must be a string, and is null.'],
  'a source that is not in an array': [
    { advanced: { sources: {} } },
    '"advanced.sources" must be an array of sources of hooks, and is an object.',
  ],
  'an executor without a kind': [
    { advanced: { executors: [() => {}] } },
    '"advanced.executors" must be an array of executors, and is an array',
  ],
  'an unknown callback': [{ callbacks: { mcpTool: () => ({}) } }, '"callbacks" has no "mcpTool". Did you mean "mcp_tool"?'],
};

test.each(Object.entries(wrong))('%s is a TypeError that says what to write', (_, [options, message]) => {
  expect(() => requireOptions(options)).toThrow(TypeError);
  expect(() => requireOptions(options)).toThrow(message);
});

test.each([true, false, {}, { debounceMs: 1 }, { debounceMs: undefined }])('watch may be %j', (watch) => {
  expect(() => requireOptions({ watch })).not.toThrow();
});

test.each([null, 'chat', []])('the options of an agent may not be %j', async (options) => {
  await using hooks = await createHooks({ settings: {} });
  expect(() => hooks.agent(options as object)).toThrow(TypeError);
  expect(() => hooks.agent(options as object)).toThrow(/^The options of agent\(\) must be an object, and are /);
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
    'extensions.add: the extension, "linter", has neither "hooks" nor a "directory" to read them from. Pass its hooks, or its directory.',
  ],
  'whose hooks are undefined': [{ name: 'linter', hooks: undefined }, 'has neither "hooks" nor a "directory"'],
  'with an empty dialect': [{ name: 'linter', hooks: {}, dialect: '' }, '"dialect" must be the name of a dialect'],
  'with a dialect that is not a name': [{ name: 'x', hooks: {}, dialect: {} }, 'such as "llxprt", and is an object'],
  'with a directory that is null': [{ name: 'linter', hooks: {}, directory: null }, 'must be an absolute path, and is null'],
  'with a directory that is not a text': [{ name: 'x', directory: 7 }, '"directory" must be an absolute path, and is 7'],
  'with a relative directory': [{ name: 'x', directory: 'x' }, '"directory" must be an absolute path, and is "x"'],
  'with front matter of something else': [
    { name: 'x', hooks: {}, frontMatterOf: 'agent' },
    '"frontMatterOf" must be "skill" or "subagent", and is "agent"',
  ],
  'with a misspelled field': [{ name: 'x', directory: '/opt/x', frontmatterOf: 'skill' }, 'Did you mean "frontMatterOf"?'],
};

test.each(Object.entries(malformed))('an extension: %s is a TypeError that says what to write', (_, [extension, message]) => {
  expect(() => requireExtension(extension, { caller: 'extensions.add' })).toThrow(TypeError);
  expect(() => requireExtension(extension, { caller: 'extensions.add' })).toThrow(message);
});

test.each<object>([
  { name: 'linter', hooks: {}, active: true, dialect: 'eca', directory: '/opt/linter', frontMatterOf: 'skill' },
  { name: 'linter', hooks: {}, active: undefined, dialect: undefined, directory: undefined, frontMatterOf: undefined },
  { name: 'linter', directory: '/opt/linter' },
  { name: 'linter', hooks: undefined, directory: '/opt/linter' },
  { name: 'linter', hooks: {}, version: '1', path: '/opt/x' },
])('%j is an extension: fields may be left open, and others are the host’s', (extension) => {
  expect(() => requireExtension(extension, { caller: 'extensions.add' })).not.toThrow();
});

const silent = fakeDialect('silent', {});
const reader = fakeDialect('reader', {}, { extensionFiles: () => [] });
const place: ExtensionPlace = { caller: 'createHooks', path: 'x' };
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
  expect(() => requireReadable(extension, place, [silent])).toThrow(TypeError);
  expect(() => requireReadable(extension, place, [silent])).toThrow(message);
});

test('an extension that one of the dialects can read is not a problem', () => {
  expect(() => requireReadable({ name: 'x', directory: '/opt/x' }, place, [silent, reader])).not.toThrow();
  expect(() => requireReadable({ name: 'x', directory: '/opt/x', dialect: 'reader' }, place, [silent, reader])).not.toThrow();
  expect(() => requireReadable({ name: 'x', hooks: {}, dialect: 'silent' }, place, [silent, reader])).not.toThrow();
});

const answer = () => ({});

test.each([undefined, {}, { prompt: answer }, { prompt: answer, agent: answer, mcp_tool: answer }, { look_at_screen: answer }])(
  'callbacks may be %p',
  (callbacks) => {
    expect(() => requireOptions({ callbacks })).not.toThrow();
  },
);

test.each([
  ['promt', 'prompt'],
  ['Agent', 'agent'],
  ['mcpTool', 'mcp_tool'],
  ['mcp-tool', 'mcp_tool'],
])('a slip in the name of a callback, "%s", is a TypeError that has the right one', (slip, right) => {
  expect(() => requireOptions({ callbacks: { [slip]: answer } })).toThrow(TypeError);
  expect(() => requireOptions({ callbacks: { [slip]: answer } })).toThrow(
    `createHooks: "callbacks" has no "${slip}". Did you mean "${right}"?`,
  );
});

test.each([
  [{ callbacks: { prompt: 'gpt' } }, 'createHooks: "callbacks.prompt" must be a function, and is gpt.'],
  [{ callbacks: [] }, 'createHooks: "callbacks" must be'],
  [{ circuitBreaker: { failures: 0 } }, 'createHooks: "circuitBreaker.failures" must be'],
  [{ http: true }, 'createHooks: "http" must be { allowPrivateAddresses, env }'],
  [{ http: { allowPrivateAddress: true } }, 'createHooks: "http" has no option "allowPrivateAddress"'],
  [{ http: { allowPrivateAddresses: '127.0.0.1' } }, 'createHooks: "http.allowPrivateAddresses" must be true, false or an array'],
  [{ limits: { concurrency: 0 } }, 'createHooks: "limits.concurrency" must be an integer from 1 to'],
  [{ limits: { concurency: 1 } }, 'createHooks: "limits" has no option "concurency". Did you mean "concurrency"?'],
  [{ dialect: 'claude-coed' }, 'createHooks: "dialect" is "claude-coed", which is not loaded. Did you mean "claude-code"?'],
  [{ dialect: 'gemini' }, 'createHooks: "dialect" is "gemini", which is not loaded. Did you mean "gemini-cli"?'],
  [{ isTrusted: true }, 'createHooks: "isTrusted" must be a function'],
])('an invalid value, %j, is a TypeError of createHooks', async (options, message) => {
  await expect(createHooks({ settings: {}, ...(options as object) })).rejects.toThrow(TypeError);
  await expect(createHooks({ settings: {}, ...(options as object) })).rejects.toThrow(message);
});
