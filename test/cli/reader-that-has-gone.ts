import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { noOtherHome } from '../support/environment.js';
import { freshDirectory } from '../support/fire-hooks.js';
import { bin } from '../support/run-cli.js';

/** Runs a command line in bash, where `tenterhook` is the built command. The exit statuses of a pipeline are written to a separate file. */
export function shell(line: string, files: Record<string, unknown>) {
  const cwd = freshDirectory('closed');
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), JSON.stringify(content));
    const script = `tenterhook() { "$NODE" "$BIN" "$@"; }; ${line}; echo "\${PIPESTATUS[*]}" >&2`;
    const env = { ...process.env, ...noOtherHome, HOME: cwd, NO_COLOR: '1', NODE: process.execPath, BIN: bin };
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { cwd, encoding: 'utf8', env });
    return { stdout, stderr };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

// More output than a pipe can hold, so that the program still writes when the reader has ended.
const manyHooks = { hooks: { BeforeTool: [{ hooks: Array.from({ length: 1_500 }, (_, index) => ({ command: `echo ${index}` })) }] } };
const chatty = { hooks: { SessionStart: [{ hooks: [{ command: 'head -c 300000 /dev/zero | tr "\\\\0" x' }] }] } };

const lines = {
  list: 'tenterhook list -s many.json | head -n 1',
  'list --json': 'tenterhook list -s many.json --json | head -c 10',
  'validate --json': 'tenterhook validate -s wrong.json --json | head -c 10',
  'fire --json': `tenterhook fire SessionStart -s chatty.json --json --input '{"source":"startup"}' | head -c 10`,
};

const wrong = { hooks: Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`Unknown${index}`, []])) };
const statusOf: Partial<Record<keyof typeof lines, number>> = { 'validate --json': 1 };

/** Checks that more was printed than the reader has read, and that there is no error. */
export function expectNoError(name: keyof typeof lines): void {
  const { stdout, stderr } = shell(lines[name], { 'many.json': manyHooks, 'chatty.json': chatty, 'wrong.json': wrong });
  expect(stdout.length).toBeGreaterThan(0);
  expect(stderr).toBe(`${statusOf[name] ?? 0} 0\n`);
}
