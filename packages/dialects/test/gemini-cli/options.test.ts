import { geminiCli } from '../../src/gemini-cli/index.js';

test.each<[string, unknown, string]>([
  ['no object', 'x', 'the options must be an object'],
  ['an option in other letters', { systemfile: '/x' }, 'Did you mean "systemFile"?'],
  ['an unknown option', { colour: 1 }, 'Its options are tools, systemFile, plansDir, redactEnvironment.'],
  [
    'tools that are a list',
    { tools: ['bash'] },
    '"tools" must be an object that maps names of the host\'s tools to Gemini CLI\'s names: { bash: "run_shell_command" }',
  ],
  ['a tool without a name', { tools: { bash: { keys: {} } } }, '"tools" must be'],
  ['a relative file', { systemFile: 'x.json' }, '"systemFile" must be an absolute path'],
  ['a folder that is not a text', { plansDir: 7 }, '"plansDir" must be an absolute path'],
  ['a redaction that is a text', { redactEnvironment: 'yes' }, '"redactEnvironment" must be true, false, or'],
  ['lists of something else', { redactEnvironment: { allowed: [7] } }, '"redactEnvironment" must be'],
  ['another list', { redactEnvironment: { allow: ['A'] } }, '"redactEnvironment" must be'],
])('%s is refused', (_, options, message) => {
  const make = () => geminiCli(options as object);
  expect(make).toThrow(TypeError);
  expect(make).toThrow(message);
});

test('what is right is taken', () => {
  expect(geminiCli({ tools: { bash: 'run_shell_command', sh: { as: 'x', keys: { a: 'b' } } } }).name).toBe('gemini-cli');
  const redactEnvironment = { allowed: ['A'], blocked: ['B'] };
  expect(geminiCli({ systemFile: '/etc/x.json', plansDir: '/srv/plans', redactEnvironment }).name).toBe('gemini-cli');
  expect(geminiCli({ redactEnvironment: false }).name).toBe('gemini-cli');
});
