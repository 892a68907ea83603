import { requireExtension, requireOptions } from '../src/require-options.js';

const everyOption = {
  bus: undefined,
  circuitBreaker: undefined,
  cwd: '.',
  dialect: 'llxprt',
  dialects: [],
  executors: [],
  extensions: [],
  handlers: [],
  isTrusted: () => true,
  limits: {},
  projectDir: '.',
  sessionId: 's1',
  settings: {},
  sources: [],
  strict: true,
  transcriptPath: '',
  watch: false,
};

test('every option there is passes, and no option at all', () => {
  expect(() => requireOptions(everyOption)).not.toThrow();
  expect(() => requireOptions({})).not.toThrow();
});

const wrong: Record<string, [options: object, message: string]> = {
  'a misspelled option': [{ setings: {} }, 'createHooks has no option "setings". Did you mean "settings"?'],
  'an option in other letters': [{ projectdir: '.' }, 'Did you mean "projectDir"?'],
  'an option in the singular': [{ handler: [] }, 'Did you mean "handlers"?'],
  'an option that is like none': [{ verbose: true }, 'It has bus, circuitBreaker, cwd, dialect, dialects,'],
  'a name that every object inherits': [{ constructor: 1 }, 'no option "constructor"'],
  'one wrong option among good ones': [{ ...everyOption, timeoutMs: 5 }, 'no option "timeoutMs"'],
  'watching, which nothing does yet': [{ watch: true }, 'call reload()'],
  'extensions that are no list': [{ extensions: { name: 'x', hooks: {} } }, '"extensions" must be an array'],
  'extensions that are null': [{ extensions: null }, '"extensions" must be an array'],
  'the second of two extensions': [{ extensions: [{ name: 'x', hooks: {} }, { hooks: {} }] }, 'extensions[1] must be { name, hooks'],
};

test.each(Object.entries(wrong))('%s is a TypeError that says what to write', (_, [options, message]) => {
  expect(() => requireOptions(options)).toThrow(TypeError);
  expect(() => requireOptions(options)).toThrow(message);
});

const malformed: Record<string, unknown> = {
  nothing: undefined,
  null: null,
  'a text': 'linter',
  'a list': [],
  'without a name': { hooks: {} },
  'with a name that is no text': { name: 1, hooks: {} },
  'with an empty name': { name: '', hooks: {} },
  'without hooks': { name: 'linter' },
};

test.each(Object.entries(malformed))('an extension: %s is a TypeError', (_, extension) => {
  expect(() => requireExtension(extension, 'the extension')).toThrow(TypeError);
});
