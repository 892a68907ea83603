import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchInput } from '../../src/io/input-watch.js';

const folder = mkdtempSync(join(tmpdir(), 'tenterhook-input-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a command of a shell on a file with this text. */
function isUnreadBy(command: string, text: string): boolean {
  const file = join(folder, 'input');
  writeFileSync(file, text);
  const fd = openSync(file, 'r');
  try {
    const isUnread = watchInput(fd);
    spawnSync('sh', ['-c', command], { stdio: [fd, 'ignore', 'ignore'] });
    return isUnread();
  } finally {
    closeSync(fd);
  }
}

test.each([
  ['true', true],
  ['exit 2', true],
  ['cat', false],
  ['head -c 1', false],
  ['cat /dev/stdin', false],
  ['read -r line', false],
])('%s: unread is %s', (command, expected) => {
  expect(isUnreadBy(command, '{"tool_name":"ls"}\n')).toBe(expected);
});

test('a long input of which a part was read is not unread, and an empty one never is', () => {
  expect(isUnreadBy('true', 'x'.repeat(300_000))).toBe(true);
  expect(isUnreadBy('head -c 1', 'x'.repeat(300_000))).toBe(false);
  expect(isUnreadBy('true', '')).toBe(false);
});
