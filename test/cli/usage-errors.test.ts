import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defaultDialects } from '@tenterhook/dialects';
import { freshDirectory } from '../support/fire-hooks.js';
import { runCli } from '../support/run-cli.js';
import { root } from '../support/sources.js';

const cwd = freshDirectory('usage');
beforeAll(() => writeFileSync(join(cwd, 'hooks.json'), '{ "hooks": {} }'));
afterAll(() => rmSync(cwd, { recursive: true }));

const misuse: Record<string, [args: readonly string[], message: string]> = {
  'an unknown option': [['fire', 'BeforeTool', '--jsno'], "unknown option '--jsno'"],
  'an unknown option of list': [['list', '--all'], "unknown option '--all'"],
  'an unknown option before the command': [['--quiet', 'list'], "unknown option '--quiet'"],
  'a missing event': [['fire'], 'Name the event to fire: BeforeTool, AfterTool, '],
  'a missing event of an agent': [['fire', '-d', 'eca'], 'Name the event to fire: sessionStart, sessionEnd, '],
  'an extra argument': [['fire', 'BeforeTool', 'AfterTool'], 'too many arguments'],
  'an extra argument of list': [['list', 'BeforeTool', 'AfterTool'], 'too many arguments'],
  'an input of all events that is not an object': [['explain', '--input', '[]'], '--input must be a JSON object'],
  'an address that is not a host': [
    ['list', '--allow-private-address', 'a/b'],
    '--allow-private-address: "http.allowPrivateAddresses[0]" must be',
  ],
  'an unknown command': [['frie', 'BeforeTool'], "unknown command 'frie'"],
  'an option without its value': [['list', '--cwd'], "option '--cwd <dir>' argument missing"],
  'an input that is not JSON': [['fire', 'BeforeTool', '--input', '{oops'], '--input is not valid JSON'],
  'an input file that is not there': [
    ['fire', 'BeforeTool', '--input', '@none.json'],
    '--input @none.json: The file does not exist. Pass the path of a file',
  ],
  'a migration from nowhere': [
    ['migrate', '--to', 'eca'],
    `--from is missing. Known dialects: ${defaultDialects()
      .map(({ name }) => name)
      .join(', ')}.`,
  ],
  'an unknown agent': [['relay', 'install', '--agent', 'claud'], '--agent: unknown agent "claud". Did you mean "claude-code"?'],
  'an unknown agent that is like no other': [
    ['relay', 'run', '--agent', 'latin', '--event', 'x'],
    '--agent: unknown agent "latin". Known agents: llxprt,',
  ],
  'an unknown dialect': [['fire', 'BeforeTool', '--dialect', 'latin'], '--dialect: unknown dialect "latin". Known dialects: llxprt,'],
  'a dialect that is misspelt': [
    ['list', '--dialect', 'claud-code'],
    '--dialect: unknown dialect "claud-code". Did you mean "claude-code"?',
  ],
  'a directory that is not there': [['validate', '--cwd', 'nowhere'], 'does not exist'],
  'an extension that is not there': [['list', '--extension', 'nowhere'], 'nowhere does not exist. Pass the directory of an extension'],
  'an extension that is a file': [
    ['list', '--extension', 'hooks.json'],
    'hooks.json is not a directory. Pass the directory of an extension',
  ],
  'a file of pins without a name': [['list', '--trust-pins', ''], '--trust-pins is empty. Pass a file'],
  'a project that is trusted, and pins': [
    ['fire', 'BeforeTool', '--trust-project', '--trust-pins', 'pins.json'],
    "option '--trust-project' cannot be used with option '--trust-pins <file>'",
  ],
  'an extension whose directory is empty': [['list', '--extension', ''], '--extension is empty. Pass the directory'],
};

test.each(Object.entries(misuse))('%s: exit 64, the message on stderr, and with --json one JSON document', async (_, [args, message]) => {
  const plain = await runCli(args, { cwd });
  expect({ status: plain.status, stdout: plain.stdout }).toEqual({ status: 64, stdout: '' });
  expect(plain.stderr).toContain(message);

  // --json comes before an option whose value is missing.
  const [command = '', ...rest] = args;
  const json = await runCli(command.startsWith('-') ? [...args, '--json'] : [command, '--json', ...rest], { cwd });
  expect(json.status).toBe(64);
  expect(json.stdout.trimEnd().split('\n')).toHaveLength(1);
  const document: unknown = JSON.parse(json.stdout);
  expect(document).toEqual({
    correlationId: expect.stringMatching(/./),
    success: false,
    error: { code: 'invalid_request', message: expect.stringContaining(message) },
  });
  expect(json.stderr).toContain(message);
});

test.each<[args: readonly string[], hint: string]>([
  [['compare'], '(Did you mean diff?)'],
  [['run', 'BeforeTool'], '(Did you mean fire?)'],
  [['check'], '(Did you mean validate?)'],
  [['doctor'], '(Did you mean validate?)'],
  [['lst'], '(Did you mean list?)'],
  [['fire', 'BeforeTool', 'write_file'], '(The fields of the event are the value of --input, for example --input \'{"tool_name"'],
  [['fire', 'BeforeTool', '--tool', 'write_file'], '(The fields of the event are the value of --input'],
  [['fire', '--event', 'BeforeTool'], '(The event is an argument: tenterhook fire BeforeTool.)'],
  [['fire', 'BeforeTool', '--inpt', '{}'], '(Did you mean --input?)'],
])('%j: the line after the message says %s', async (args, hint) => {
  const { status, stderr } = await runCli(args, { cwd });
  expect(status).toBe(64);
  expect(stderr.split('\n')[1]).toContain(hint);
});

test.each(['fire', 'explain', 'list'])('%s with the name of a hook in place of the event names the event', async (command) => {
  const hooks = { BeforeTool: [{ hooks: [{ name: 'guard', command: 'exit 2' }] }] };
  writeFileSync(join(cwd, 'guard.json'), JSON.stringify({ tools: { enableHooks: true }, hooks }));
  const { status, stderr } = await runCli([command, 'guard', '--settings', 'guard.json'], { cwd });
  expect(status).toBe(1);
  expect(stderr).toContain('There is no event "guard".');
  expect(stderr).toContain('"guard" is the name of a hook; its event is BeforeTool.');
});

test('an event of one agent with two letters swapped is suggested, as in its settings', async () => {
  const { stderr } = await runCli(['fire', 'Stpo'], { cwd });
  expect(stderr).toContain('There is no event "Stpo". Did you mean "Stop"? It is an event of Claude Code');
});

test('a missing field: the message names the field that was probably meant', async () => {
  const input = '{"toolName":"write_file","tool_input":{},"unrelated":1}';
  const { status, stdout } = await runCli(['fire', 'BeforeTool', '--input', input], { cwd });
  expect(status).toBe(1);
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    'tool_name: It is missing, and must be a string. The input has "toolName". Write "tool_name".',
  );
});

test('a schema of an unknown dialect, which is an argument, not an option', async () => {
  const { status, stderr } = await runCli(['schema', 'foo'], { cwd });
  expect(status).toBe(64);
  expect(stderr).toContain('schema: unknown dialect "foo". Known dialects: ');
});

test('fire --help lists every exit status of the page', async () => {
  const { stdout } = await runCli(['fire', '--help'], { cwd });
  const page = readFileSync(join(root, 'docs/command-line.md'), 'utf8');
  const ofFire = page.slice(page.indexOf('## tenterhook fire'), page.indexOf('\n## ', page.indexOf('## tenterhook fire') + 1));
  const documented = [...ofFire.matchAll(/^\| (\d+(?: \+ n)?) \|/gm)].map(([, status]) => status as string);
  expect(documented).toEqual(['0', '1', '2', '3', '64', '70', '128 + n']);
  const help = stdout.slice(stdout.indexOf('Exit status:'));
  for (const status of documented) expect(help).toMatch(new RegExp(`(?:^|\\s)${status.replace('+', '\\+')}[,\\s]`));
});

describe('settings files that are not settings', () => {
  const settingsOf = (name: string, text: string | Buffer) => {
    const directory = mkdtempSync(join(cwd, 'files-'));
    mkdirSync(join(directory, dirname(name)), { recursive: true });
    writeFileSync(join(directory, name), text);
    return directory;
  };
  const validate = async (directory: string, ...args: string[]) => {
    const { status, stdout } = await runCli(['validate', ...args], { cwd: directory, home: cwd });
    return { status, said: stdout.replace(/\s+/g, ' ') };
  };

  test('a named file that does not exist is not counted as found', async () => {
    const { status, said } = await validate(cwd, 'nope.json');
    expect(status).toBe(1);
    expect(said).toContain('nope.json settings, format unknown: broken, The settings file does not exist.');
    expect(said).toContain('0 of 1 settings file found: 1 error');
  });

  test('a named directory: pass a file in it', async () => {
    const { said } = await validate(settingsOf('.llxprt/settings.json', '{}'), '.llxprt');
    expect(said).toContain('is a directory. Pass a file in it, such as settings.json.');
  });

  test('UTF-16', async () => {
    const text = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('{ "hooks": {} }', 'utf16le')]);
    for (const bytes of [text, text.subarray(2)]) {
      const { status, said } = await validate(settingsOf('.llxprt/settings.json', bytes));
      expect(status).toBe(1);
      expect(said).toContain('The settings file is not valid JSON: it is in UTF-16. Save it as UTF-8.');
    }
  });

  test('YAML', async () => {
    const { said } = await validate(settingsOf('.llxprt/settings.json', '# hooks\nhooks:\n  BeforeTool: []\n'));
    expect(said).toContain('The settings file is not valid JSON: it looks like YAML. Write JSON: { "hooks": { … } }.');
  });

  test('in a subdirectory, the settings of the project are a warning that names --cwd, and init is not suggested', async () => {
    const directory = settingsOf('.llxprt/settings.json', '{ "hooks": {} }');
    mkdirSync(join(directory, 'src'));
    const { status, said } = await validate(join(directory, 'src'), '--strict');
    expect(status).toBe(1);
    expect(said).toContain('(--cwd at the command line, projectDir in the agent)');
    expect(said).not.toContain('tenterhook init');
  });

  test.each(['.llxprt/settings.jsonc', '.llxprt/setting.json'])('%s is a warning if nothing is read in its place', async (name) => {
    const directory = settingsOf(name, '{ "hooks": {} }');
    expect((await validate(directory, '--strict')).status).toBe(1);
    writeFileSync(join(directory, '.llxprt/settings.json'), '{}');
    expect((await validate(directory, '--strict')).status).toBe(0);
  });

  test('a file at the root that could belong to two formats is reported once, with both places', async () => {
    const { said } = await validate(settingsOf('settings.json', '{ "hooks": {} }'));
    expect(said.match(/This file is not read/g)).toHaveLength(1);
    expect(said).toContain('the settings of this level are read from .llxprt/settings.json or .gemini/settings.json.');
  });
});

test('--help and --version are not errors, and no JSON', async () => {
  for (const args of [['--help'], ['fire', '--help', '--json'], ['--version']]) {
    const { status, stdout, stderr } = await runCli(args, { cwd });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).not.toContain('"success"');
  }
});
