import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freshDirectory } from '../support/fire-hooks.js';
import { runCli } from '../support/run-cli.js';

type Migrate = (...args: readonly string[]) => ReturnType<typeof runCli>;

/** Creates a project with settings of Claude Code, and runs the command line in it. */
async function withClaude(settings: object, use: (migrate: Migrate, root: string) => Promise<void>): Promise<void> {
  const root = freshDirectory('migrate');
  const file = join(root, '.claude/settings.json');
  mkdirSync(dirname(file), { recursive: true });
  mkdirSync(join(root, 'home'));
  writeFileSync(file, JSON.stringify(settings));
  try {
    await use((...args) => runCli(['migrate', '--from', 'claude-code', ...args], { cwd: root, home: join(root, 'home') }), root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const group = (hook: object, matcher: unknown = 'Bash') => ({ matcher, hooks: [hook] });
const guard = { type: 'command', command: 'guard.sh' };
const scripts = 'Only the settings are converted, not the scripts.';
const differences = 'The scripts still read and print the format of';

test('that scripts have to be changed stands at the beginning, and what at the end', async () => {
  await withClaude({ hooks: { PreToolUse: [group(guard)] } }, async (migrate) => {
    const { stdout } = await migrate('--to', 'llxprt');
    const [title, second] = stdout.split('\n');
    expect(title).toContain('1 hook, 1 converts');
    expect(second).toContain(scripts);
    expect(stdout).toContain(differences);
  });
});

test('where nothing converts, nothing is said of scripts', async () => {
  await withClaude({ hooks: { PreToolUse: [group({ ...guard, if: 'Bash(git *)' })] } }, async (migrate) => {
    expect((await migrate('--to', 'llxprt')).stdout).not.toMatch(new RegExp(`${scripts}|${differences}`));
  });
  await withClaude({ hooks: { PreToolUse: [group(guard)] } }, async (migrate) => {
    await migrate('--to', 'llxprt', '--write');
    const { stdout } = await migrate('--to', 'llxprt', '--write');
    expect(stdout).toContain('nothing to add');
    expect(stdout).not.toMatch(new RegExp(`${scripts}|${differences}|added twice`));
    expect(JSON.parse((await migrate('--to', 'llxprt', '--json')).stdout).differences).toEqual([]);
  });
});

test('what was written runs twice in an agent that reads both formats; that is said with the file to clear, and when settings are loaded', async () => {
  await withClaude({ hooks: { PreToolUse: [group(guard)] } }, async (migrate, root) => {
    expect((await migrate('--to', 'gemini-cli')).stdout).not.toContain('added twice');
    const { stdout } = await migrate('--to', 'gemini-cli', '--write');
    expect(stdout).toContain('An agent that reads both formats runs the added hooks twice');
    expect(stdout).toContain(`remove the original hooks (format of Claude Code) from ${join(root, '.claude/settings.json')}`);
    const { diagnostics } = JSON.parse((await runCli(['validate', '--json'], { cwd: root, home: join(root, 'home') })).stdout);
    expect(diagnostics).toMatchObject([{ code: 'repeated_command', file: join(root, '.gemini/settings.json') }]);
  });
});

test('an error that is shown with its hook is shown nowhere else; one of no hook is on stderr', async () => {
  await withClaude({ hooks: { PreToolUse: [group(guard, 'a(')], Nope: [group(guard)] } }, async (migrate) => {
    const { status, stdout, stderr } = await migrate('--to', 'llxprt');
    expect(status).toBe(0);
    expect(stdout).toContain('The matcher "a(" is invalid');
    expect(stderr).not.toContain('a(');
    expect(stderr).toContain('Unknown event "Nope"');
  });
});

test.each([
  [{ type: 'prompt', prompt: 'Is it\nfine?' }, 'prompt "Is it fine?"'],
  [{ type: 'agent', prompt: 'x'.repeat(500) }, `agent "${'x'.repeat(10)}`],
  [{ type: 'mcp_tool', server: 'gh', tool: 'check' }, 'mcp_tool gh/check'],
  [{ type: 'http', url: 'https://example.org/x' }, 'https://example.org/x'],
])('%j is shown by what it is', async (hook, label) => {
  await withClaude({ hooks: { PreToolUse: [group(hook)] } }, async (migrate) => {
    const line = (await migrate('--to', 'llxprt')).stdout.split('\n')[1] ?? '';
    expect(line).toContain(`✗ PreToolUse  ${label}`);
    expect(line.length).toBeLessThan(140);
  });
});
