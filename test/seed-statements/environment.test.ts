import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory, settingsOf, withHooks } from '../support/fire-hooks.js';

let environment: Record<string, string>;
let expanded: string[];
let projectDir: string;
beforeAll(async () => {
  projectDir = freshDirectory();
  const cwd = join(projectDir, 'deeper');
  mkdirSync(cwd);
  const names = '"$LLXPRT_PROJECT_DIR|$GEMINI_PROJECT_DIR|$CLAUDE_PROJECT_DIR"';
  const settings = settingsOf('SessionStart', ['env -0', `echo ${names}`], { sequential: true });
  await withHooks({ projectDir, cwd, settings }, async ({ handler }) => {
    const [printed, words] = (await handler.fireSessionStartEvent('startup')).outcomes.map((outcome) => outcome.stdout ?? '');
    const pairs = (printed ?? '').split('\0').map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]);
    environment = Object.fromEntries(pairs);
    expanded = (words ?? '').trim().split('|');
    // Not where the hook runs: a command that names a script of the project would miss it there.
    expect(environment['PWD']).toBe(cwd);
  });
});

test.each<[name: string, place: number]>([
  ['LLXPRT_PROJECT_DIR', 0],
  ['GEMINI_PROJECT_DIR', 1],
  ['CLAUDE_PROJECT_DIR', 2],
])('%s is the project directory and not the working directory (decision 30), and expands in a command', (name, place) => {
  expect(environment[name]).toBe(projectDir);
  expect(expanded[place]).toBe(projectDir);
});

test('the variables of the parent process are there', () => {
  const own = ['PWD', 'OLDPWD', 'SHLVL', '_', 'LLXPRT_PROJECT_DIR', 'GEMINI_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'];
  const names = Object.keys(process.env).filter((name) => !own.includes(name));
  expect(names.length).toBeGreaterThan(1);
  // Names alone: what fails is printed, and an environment holds secrets.
  expect(names.filter((name) => environment[name] !== process.env[name])).toEqual([]);
});
