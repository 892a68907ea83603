import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultDialects } from '@tenterhook/dialects';
import { freshDirectory } from '../support/fire-hooks.js';
import { runCli } from '../support/run-cli.js';

/** Runs a test in an empty project with a home directory without settings. */
async function inProject(use: (cwd: string) => Promise<void>): Promise<void> {
  const cwd = freshDirectory('init');
  try {
    await use(cwd);
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

/** The words of a shell command line. */
function words(command: string): string[] {
  return execFileSync('bash', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
}

test.each(defaultDialects().map(({ name }) => name))(
  'init --dialect %s: what it writes is valid, and the command that it names is denied',
  (dialect) =>
    inProject(async (cwd) => {
      const { status, stdout } = await runCli(['init', '--dialect', dialect], { cwd, home: join(cwd, 'home') });
      expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('guard.mjs: a guard that denies') });

      const checked = await runCli(['validate', '--strict', '--json'], { cwd, home: join(cwd, 'home') });
      expect(JSON.parse(checked.stdout)).toMatchObject({ valid: true, diagnostics: [] });

      const [, ...fire] = words(/^ {2}(tenterhook fire .*)$/m.exec(stdout)?.[1] ?? '');
      const denied = await runCli([...fire, '--exit-code'], { cwd, home: join(cwd, 'home') });
      expect({ status: denied.status, stdout: denied.stdout }).toEqual({
        status: 2,
        stdout: expect.stringContaining('Folders are not deleted here.'),
      });
      const allowed = await runCli([...fire.map((word) => word.replace('rm -rf build', 'rm notes.md && ls -R')), '--exit-code'], {
        cwd,
        home: join(cwd, 'home'),
      });
      expect(allowed.status).toBe(0);
      expect(allowed.stdout).toContain('✓');
    }),
);

test('the guard is executable, and an input that it cannot read is a deny', () =>
  inProject(async (cwd) => {
    await runCli(['init'], { cwd, home: join(cwd, 'home') });
    const script = join(cwd, '.llxprt/hooks/guard.mjs');
    expect(statSync(script).mode & 0o111).not.toBe(0);
    const run = (input: string) => {
      try {
        execFileSync(script, { input, stdio: 'pipe' });
        return 0;
      } catch (error) {
        return (error as { status: number }).status;
      }
    };
    expect(run('no JSON')).toBe(1);
    expect(run('{}')).toBe(0);
    expect(run('{"tool_input":{"command":"cd /tmp; /bin/rm --recursive x"}}')).toBe(2);
    const { hooks } = JSON.parse(readFileSync(join(cwd, '.llxprt/settings.json'), 'utf8'));
    // The settings make a failure of the guard a deny.
    expect(hooks.BeforeTool[0].hooks[0].onError).toBe('block');
  }));

test('settings that exist are not changed, and are printed to be added by hand; the script that they need is written', () =>
  inProject(async (cwd) => {
    mkdirSync(join(cwd, '.claude'));
    writeFileSync(join(cwd, '.claude/settings.json'), '{ "model": "x" }');
    const { status, stdout, stderr } = await runCli(['init', '--dialect', 'claude'], { cwd, home: join(cwd, 'home') });
    expect(status).toBe(1);
    expect(stderr).toContain('error: .claude/settings.json exists already and was not changed. .claude/hooks/guard.mjs was written.');
    expect(JSON.parse(stdout)).toMatchObject({ hooks: { PreToolUse: [{ matcher: 'Bash' }] } });
    expect(readFileSync(join(cwd, '.claude/settings.json'), 'utf8')).toBe('{ "model": "x" }');
    expect(existsSync(join(cwd, '.claude/hooks/guard.mjs'))).toBe(true);
  }));

test('a script that exists is not changed, and nothing else is written: settings would run what init does not know', () =>
  inProject(async (cwd) => {
    mkdirSync(join(cwd, '.claude/hooks'), { recursive: true });
    writeFileSync(join(cwd, '.claude/hooks/guard.mjs'), 'mine');
    const { status, stderr } = await runCli(['init', '--dialect', 'claude'], { cwd });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('was not changed. Nothing was written.') });
    expect(readFileSync(join(cwd, '.claude/hooks/guard.mjs'), 'utf8')).toBe('mine');
    expect(existsSync(join(cwd, '.claude/settings.json'))).toBe(false);
  }));

test('what a link leads to is not written, even if it does not exist', () =>
  inProject(async (cwd) => {
    mkdirSync(join(cwd, '.llxprt/hooks'), { recursive: true });
    symlinkSync(join(cwd, 'elsewhere'), join(cwd, '.llxprt/hooks/guard.mjs'));
    const { status, stderr } = await runCli(['init'], { cwd, home: join(cwd, 'home') });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('.llxprt/hooks/guard.mjs cannot be written: EEXIST') });
    expect(existsSync(join(cwd, 'elsewhere'))).toBe(false);
  }));

test('an empty project names it, and a project with settings does not', () =>
  inProject(async (cwd) => {
    const commands = [['list'], ['validate'], ['explain'], ['explain', 'BeforeTool']];
    for (const args of commands) expect((await runCli(args, { cwd })).stdout).toContain('run tenterhook init');
    const fired = await runCli(['fire', 'SessionEnd', '--input', '{"reason":"exit"}'], { cwd, home: join(cwd, 'home') });
    expect(fired.stderr).toContain('run tenterhook init');
    await runCli(['init'], { cwd, home: join(cwd, 'home') });
    for (const args of commands) expect((await runCli(args, { cwd })).stdout).not.toContain('tenterhook init');
  }));

test('with --json: the files, and the command to try', () =>
  inProject(async (cwd) => {
    const { stdout } = await runCli(['init', '--json', '--dialect', 'eca', '--cwd', cwd], { cwd, home: join(cwd, 'home') });
    expect(JSON.parse(stdout)).toEqual({
      dialect: 'eca',
      files: [join(cwd, '.eca/hooks/guard.mjs'), join(cwd, '.eca/config.json')],
      next: expect.stringContaining(
        `tenterhook fire preToolCall --dialect eca --cwd ${cwd} --settings ${cwd}/.eca/config.json --input '{"tool_name":"shell_command"`,
      ),
    });
    const again = await runCli(['init', '--json', '--dialect', 'eca'], { cwd, home: join(cwd, 'home') });
    expect(JSON.parse(again.stdout)).toMatchObject({
      files: [],
      existing: [join(cwd, '.eca/hooks/guard.mjs'), join(cwd, '.eca/config.json')],
    });
  }));
