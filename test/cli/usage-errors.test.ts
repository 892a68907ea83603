import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory } from '../support/fire-hooks.js';
import { runCli } from '../support/run-cli.js';

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
  'an input of all events that is no object': [['explain', '--input', '[]'], '--input must be a JSON object'],
  'an address that is no host': [
    ['list', '--allow-private-address', 'a/b'],
    '--allow-private-address: "http.allowPrivateAddresses[0]" must be',
  ],
  'an unknown command': [['frie', 'BeforeTool'], "unknown command 'frie'"],
  'an option without its value': [['list', '--cwd'], "option '--cwd <dir>' argument missing"],
  'an input that is not JSON': [['fire', 'BeforeTool', '--input', '{oops'], '--input is not valid JSON'],
  'an input file that is not there': [['fire', 'BeforeTool', '--input', '@none.json'], '--input @none.json'],
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

test('--help and --version are not errors, and no JSON', async () => {
  for (const args of [['--help'], ['fire', '--help', '--json'], ['--version']]) {
    const { status, stdout, stderr } = await runCli(args, { cwd });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).not.toContain('"success"');
  }
});
