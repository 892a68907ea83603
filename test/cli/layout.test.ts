import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { run } from '../../packages/tenterhook/src/cli/run.js';
import { noOtherHome } from '../support/environment.js';
import { freshDirectory } from '../support/fire-hooks.js';
import { withTrust } from '../support/run-cli.js';

const cwd = freshDirectory('layout');
afterAll(() => rmSync(cwd, { recursive: true }));
mkdirSync(join(cwd, '.llxprt'));
mkdirSync(join(cwd, '.claude'));
const command = '"$LLXPRT_PROJECT_DIR"/scripts/check-everything-before-the-agent-writes.sh --strict --report summary';
const hooks = {
  BeforeTool: [
    { matcher: '^write_file$', hooks: [{ name: 'a-guard-with-a-name-that-takes-some-room', command, timeout: 5000 }] },
    { hooks: [{ name: 'typo', type: 'Command', command: 'true' }] },
  ],
  SessionStart: [{ matcher: 'startup', hooks: [{ name: 'notes', command: 'echo hi' }] }],
};
writeFileSync(join(cwd, '.llxprt/settings.json'), JSON.stringify({ tools: { enableHooks: true }, hooks }, null, 1));
const claude = { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true', timeot: 1 }] }] } };
writeFileSync(join(cwd, '.claude/settings.json'), JSON.stringify(claude, null, 1));

interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** Returns what a command prints on terminals of this width or, without a width, to a stream that is not a terminal. */
async function print(args: readonly string[], columns?: number, env: Record<string, string> = {}): Promise<Printed> {
  const stream = () => Object.assign(new PassThrough(), columns === undefined ? {} : { isTTY: true as const, columns });
  const [stdout, stderr] = [stream(), stream()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const { FORCE_COLOR: _force, NO_COLOR: _none, ...others } = process.env;
  await run(withTrust(args), { cwd, env: { ...others, ...noOtherHome, HOME: join(cwd, 'home'), TERM: 'xterm', ...env }, stdout, stderr });
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { stdout: out, stderr: err };
}

const commands = [
  ['list'],
  ['validate'],
  ['explain'],
  ['explain', 'BeforeTool'],
  ['events'],
  ['events', 'SubagentStop'],
  ['migrate', '--from', 'llxprt', '--to', 'claude-code'],
];

describe.each([40, 80, 100])('on a terminal of %s columns', (columns) => {
  test.each(commands.map((args) => [args.join(' '), args] as const))('%s fits, and breaks lines between words', async (_, args) => {
    const wide = await print(args, 1_000);
    const { stdout } = await print(args, columns);
    const lines = stripVTControlCharacters(stdout).split('\n');
    // Lines that users copy are not wrapped: commands and JSON.
    const isForCopying = (line: string) => /^( {2}tenterhook fire|\s*["{}[\]])/.test(line);
    expect(lines.filter((line) => line.length > columns && !isForCopying(line))).toEqual([]);
    // Words that fit into a line are not broken.
    const wordsOf = (shown: string) =>
      stripVTControlCharacters(shown)
        .split(/\s+/)
        .filter((word) => word.length < columns - 10)
        .sort();
    const whole = wordsOf(wide.stdout);
    expect(whole.filter((word) => !wordsOf(stdout).includes(word))).toEqual([]);
  });
});

test('elsewhere a fact is on one line, without colours', async () => {
  const { stdout } = await print(['list']);
  expect(stdout).toContain(`      $ ${command}\n`);
  expect(stdout).not.toContain('\u001b');
});

test('error, warning and note look different on a terminal; NO_COLOR and FORCE_COLOR count', async () => {
  const { stdout } = await print(['validate', '--tool', 'read_file'], 100);
  const looks = ['error', 'warning', 'note'].map((word) => new RegExp(`\\u001b\\[(\\d+)m${word} *\\u001b`).exec(stdout)?.[1]);
  expect(new Set(looks.filter((look) => look !== undefined)).size).toBe(looks.filter((look) => look !== undefined).length);
  expect(looks.slice(0, 2)).toEqual(['31', '33']);
  expect((await print(['validate'], 100, { NO_COLOR: '1' })).stdout).not.toContain('\u001b');
  expect((await print(['list'], undefined, { FORCE_COLOR: '1' })).stdout).toContain('\u001b[32m●');
});

test('a message on stderr is wrapped on a terminal, and its severity has a colour', async () => {
  const { stderr } = await print(['fire', 'AfterAgent', '--input', '{"prompt":"p","prompt_response":"r","stop_hook_active":false}'], 60);
  expect(stderr).toMatch(/^tenterhook: \u001b\[36mnote\u001b\[39m: No hook is configured for AfterAgent\./m);
  for (const line of stripVTControlCharacters(stderr).split('\n')) expect(line.length).toBeLessThanOrEqual(60);
});

test('files in the current directory are named by their path from there, files elsewhere by their whole path', async () => {
  const { stdout } = await print(['list']);
  expect(stdout).toContain('  .llxprt/settings.json  project, llxprt: read');
  expect(stdout).not.toContain(cwd);
  const explained = await print(['explain', 'BeforeTool', '--input', '{"tool_name":"write_file"}']);
  expect(explained.stdout).toContain('project, llxprt · .llxprt/settings.json:');
  const elsewhere = await print(['list', '--dialect', 'llxprt']);
  expect(elsewhere.stdout).toContain('/etc/llxprt-code/settings.json');
  // JSON contains absolute paths, which programs need.
  expect(JSON.parse((await print(['list', '--json'])).stdout).files[0].file).toBe(join(cwd, '.llxprt/settings.json'));
});

test('a legend says what the marks mean that are shown', async () => {
  expect((await print(['list'])).stdout).toContain('\n● on   ○ does not run\n');
  expect((await print(['explain', 'BeforeTool'])).stdout).toContain('\n○ would not run   ? depends on the input\n');
  expect((await print(['explain', 'SessionStart', '--input', '{"source":"startup"}'])).stdout).toContain('\n● would run\n');
});
