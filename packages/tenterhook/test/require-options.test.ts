import { requireOptions } from '../src/require-options.js';

const everyOption = {
  bus: undefined,
  callbacks: { prompt: () => ({}) },
  circuitBreaker: undefined,
  cwd: '.',
  dialect: 'llxprt',
  dialects: [],
  executors: [],
  extensions: [],
  handlers: [],
  http: { allowPrivateAddresses: ['127.0.0.1'] },
  isTrusted: () => true,
  limits: {},
  projectDir: '.',
  sessionId: 's1',
  settings: {},
  sources: [],
  strict: true,
  toolNames: ['write_file', { server: 'git', name: 'commit' }],
  transcriptPath: '',
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
  'an option that is like none': [{ verbose: true }, 'It has bus, callbacks, circuitBreaker, cwd, dialect, dialects,'],
  'a name that every object inherits': [{ constructor: 1 }, 'no option "constructor"'],
  'one wrong option among good ones': [{ ...everyOption, timeoutMs: 5 }, 'no option "timeoutMs"'],
  'watching that is a number': [{ watch: 200 }, '"watch" must be true, false or { debounceMs }'],
  'watching with an option that is unknown': [{ watch: { intervalMs: 5 } }, '"watch" has no option "intervalMs"; it has debounceMs'],
  'watching without a pause': [
    { watch: { debounceMs: 0 } },
    '"watch.debounceMs" must be a number of milliseconds from 1 to 2147483647, and is 0',
  ],
  'watching with a pause that is too long for a timer': [{ watch: { debounceMs: 2147483648 } }, 'from 1 to 2147483647'],
  'watching with a pause that is none': [{ watch: { debounceMs: Number.NaN } }, 'and is NaN'],
  'watching with a pause that is a text': [{ watch: { debounceMs: '200' } }, '"watch.debounceMs" must be a number'],
  'tools that are a text': [{ toolNames: 'write_file' }, '"toolNames" must be an array of texts, and of { name, server } for MCP tools'],
  'a tool that is a number': [{ toolNames: ['write_file', 5] }, '"toolNames[1]" must be a text, or { name, server } for an MCP tool'],
  'a tool without a name': [{ toolNames: [''] }, '"toolNames[0]" must be a text'],
  'a tool that is nothing': [{ toolNames: [null] }, '"toolNames[0]" must be a text'],
  'an engine that is not in an array': [{ handlers: { hooksFor: () => [], run: () => {} } }, '"handlers" must be an array of engines'],
  'a handler that is no engine': [{ handlers: [{ handle: () => {} }] }, '"handlers" must be an array of engines'],
  'an engine that is nothing': [{ handlers: [null] }, '"handlers" must be an array of engines'],
  'an MCP tool without a server': [
    { toolNames: [{ name: 'write_file' }] },
    '"toolNames[0].server" must be a text that is not empty, and is missing; for a tool of the agent itself write its name alone',
  ],
  'an MCP tool without a name': [
    { toolNames: [{ server: 'git' }] },
    '"toolNames[0].name" must be a text that is not empty, and is missing',
  ],
  'an MCP tool whose server is empty': [
    { toolNames: [{ name: 'commit', server: '' }] },
    '"toolNames[0].server" must be a text that is not empty, and is ""',
  ],
  'an MCP tool whose server is misspelled': [
    { toolNames: ['read_file', { name: 'commit', serverName: 'git' }] },
    '"toolNames[1]" has no field "serverName"; it has name, server',
  ],
  'extensions that are no list': [{ extensions: { name: 'x', hooks: {} } }, '"extensions" must be an array'],
  'extensions that are null': [{ extensions: null }, '"extensions" must be an array'],
  'the second of two extensions': [
    { extensions: [{ name: 'x', hooks: {} }, { hooks: {} }] },
    'extensions[1] must be { name, hooks, directory',
  ],
  'an extension with a misspelled field': [{ extensions: [{ name: 'x', hooks: {}, dialekt: 'eca' }] }, 'Did you mean "dialect"?'],
  'a callback that nobody asks for': [{ callbacks: { mcpTool: () => ({}) } }, '"callbacks" has no "mcpTool". Did you mean "mcp_tool"?'],
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
