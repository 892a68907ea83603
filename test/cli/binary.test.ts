import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { noOtherHome } from '../support/environment.js';
import { freshDirectory } from '../support/fire-hooks.js';
import { bin, spawnCli } from '../support/run-cli.js';
import { root } from '../support/sources.js';

// Other tests run commands in the process of the test. What needs a process of its own is tested here, in interrupt.test.ts and in
// closed-stdout.test.ts.

const cwd = freshDirectory('binary');
const denying = { hooks: { BeforeTool: [{ hooks: [{ name: 'guard', command: 'grep -q a.txt && exit 2' }] }] } };
beforeAll(() => writeFileSync(join(cwd, 'hooks.json'), JSON.stringify(denying)));
afterAll(() => rmSync(cwd, { recursive: true }));

const fire = ['fire', 'BeforeTool', '--settings', 'hooks.json', '--json', '--exit-code'];
const input = '{"tool_name":"write_file","tool_input":{"path":"a.txt"}}';

test('--version prints the version of the package', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'packages/tenterhook/package.json'), 'utf8')) as { version: string };
  expect(spawnCli(['--version'], { cwd })).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
});

test('an event is read from stdin, and the verdict is the exit status', () => {
  const { status, stdout } = spawnCli([...fire, '--input', '-'], { cwd, stdin: input });
  expect(status).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ output: { verdict: { kind: 'deny' }, outcomes: [{ name: 'guard', status: 'blocked' }] } });
});

test('a closed stdin is not an error of a command that reads none of it', () => {
  const env = { ...process.env, ...noOtherHome, HOME: cwd };
  const shell = spawnSync('bash', ['-c', '"$0" "$@" <&-', process.execPath, bin, ...fire, '--input', input], {
    cwd,
    env,
    encoding: 'utf8',
  });
  expect({ status: shell.status, stderr: shell.stderr }).toEqual({ status: 2, stderr: '' });
});

test('wrong use ends with 64, and unusable settings with 1', () => {
  expect(spawnCli(['list', '--all'], { cwd }).status).toBe(64);
  expect(spawnCli(['list', '--settings', 'none.json'], { cwd }).status).toBe(1);
});

test('without a terminal there are no colours', () => {
  const { stdout } = spawnCli(['fire', 'BeforeTool', '--settings', 'hooks.json', '--input', input], { cwd, env: { NO_COLOR: '' } });
  expect(stdout).toContain('deny by guard');
  expect(stdout).not.toContain('\u001b');
});
