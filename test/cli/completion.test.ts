import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory } from '../support/fire-hooks.js';
import { runCli } from '../support/run-cli.js';

const cwd = freshDirectory('completion');
let script = '';
beforeAll(async () => {
  mkdirSync(join(cwd, 'project'));
  writeFileSync(join(cwd, 'settings.json'), '{}');
  const { status, stdout } = await runCli(['completion'], { cwd });
  expect(status).toBe(0);
  script = stdout;
});
afterAll(() => rmSync(cwd, { recursive: true }));

/** Returns what bash offers to complete the last of these words. */
function complete(...words: string[]): string[] {
  const lines = [script, `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})`, `COMP_CWORD=${words.length - 1}`, '_tenterhook'];
  const printed = execFileSync('bash', ['-uc', `${lines.join('\n')}\nprintf '%s\\n' "\${COMPREPLY[@]}"`], { cwd, encoding: 'utf8' });
  return printed.split('\n').filter((word) => word !== '');
}

test.each<[words: string[], offered: string[]]>([
  [['ex'], ['explain']],
  [
    ['fire', 'BeforeT'],
    ['BeforeTool', 'BeforeToolSelection', 'BeforeTabFileRead'],
  ],
  [
    ['explain', 'preT'],
    ['preToolUse', 'preToolCall'],
  ],
  [['events', 'PostToolUseF'], ['PostToolUseFailure']],
  [['schema', 'cl'], ['claude-code']],
  [['fire', 'BeforeTool', '--dialect', 'g'], ['gemini-cli']],
  [['migrate', '--from', 'e'], ['eca']],
  [['fire', 'BeforeTool', '--exit'], ['--exit-code']],
  [['list', '-s', 'se'], ['settings.json']],
  [['list', '--cwd', ''], ['project']],
  [['validate', 'se'], ['settings.json']],
  [['validate', '--str'], ['--strict']],
  [['fire', 'BeforeTool', '--input', ''], []],
])('tenterhook %j offers %j', (words, offered) => {
  expect(complete('tenterhook', ...words)).toEqual(offered);
});

test('every command is offered', async () => {
  const { stdout } = await runCli(['--help'], { cwd });
  const commands = [...stdout.matchAll(/^ {2}(\w+) .*$/gm)].map(([, name]) => name).filter((name) => name !== 'help');
  expect(commands.length).toBeGreaterThan(7);
  expect(complete('tenterhook', '')).toEqual(expect.arrayContaining(commands));
});
