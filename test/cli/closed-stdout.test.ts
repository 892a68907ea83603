import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { noOtherHome } from '../support/environment.js';
import { freshDirectory } from '../support/fire-hooks.js';
import { bin } from '../support/run-cli.js';

/** A command line of bash, where `tenterhook` is the one as built; the statuses of a pipeline go to a file of their own. */
function shell(line: string, files: Record<string, unknown>) {
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

// More than a pipe holds, so that there is somebody to write when the reader has gone.
const manyHooks = { hooks: { BeforeTool: [{ hooks: Array.from({ length: 3_000 }, (_, index) => ({ command: `echo ${index}` })) }] } };
const chatty = { hooks: { SessionStart: [{ hooks: [{ command: 'head -c 300000 /dev/zero | tr "\\\\0" x' }] }] } };

const lines: Record<string, string> = {
  list: 'tenterhook list -s many.json | head -n 1',
  'list --json': 'tenterhook list -s many.json --json | head -c 10',
  'validate --json': 'tenterhook validate -s wrong.json --json | head -c 10',
  'fire --json': `tenterhook fire SessionStart -s chatty.json --json --input '{"source":"startup"}' | head -c 10`,
};

const wrong = { hooks: Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`Unknown${index}`, []])) };
const statusOf: Record<string, number> = { 'validate --json': 1 };

test.each(Object.entries(lines))('%s: a reader that has gone is no error', (name, line) => {
  const { stdout, stderr } = shell(line, { 'many.json': manyHooks, 'chatty.json': chatty, 'wrong.json': wrong });
  expect(stdout.length).toBeGreaterThan(0);
  expect(stderr).toBe(`${statusOf[name] ?? 0} 0\n`);
});

test('--version: a full disk is a failure with a message, and a reader that has gone is no error', () => {
  expect(shell('tenterhook --version > /dev/full', {}).stderr).toBe(
    'tenterhook: stdout cannot be written: ENOSPC: no space left on device, write\n1\n',
  );
  expect(shell('tenterhook --version | true', {}).stderr).toBe('0 0\n');
});
