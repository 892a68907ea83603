import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory } from '../support/fire-hooks.js';
import { runCli } from '../support/run-cli.js';

// The most frequent mistake of a guard is to read a field that its stdin does not have.

const cwd = freshDirectory('reads');
afterAll(() => rmSync(cwd, { recursive: true }));

const guard = `path=$(jq -r .tool_input.file_path); case "$path" in secrets/*) exit 2;; esac`;

/** Fires an event with this guard, for a call with these arguments. */
async function fire(toolInput: object, ...args: string[]): Promise<string> {
  const hooks = { BeforeTool: [{ hooks: [{ name: 'guard', command: guard }] }] };
  writeFileSync(join(cwd, 'hooks.json'), JSON.stringify({ tools: { enableHooks: true }, hooks }));
  const input = JSON.stringify({ tool_name: 'write_file', tool_input: toolInput });
  const words = ['fire', 'BeforeTool', '--settings', 'hooks.json', '--input', input, ...args];
  const { status, stdout } = await runCli(words, { cwd });
  expect(status).toBe(0);
  return stdout;
}

/** Returns what is printed after `stdin:`, without the line breaks of the layout. */
function stdinIn(printed: string): string | undefined {
  return /^ {6}stdin:([\s\S]*?)$(?=\n {0,4}\S|\n {6}\w+: )/m.exec(printed)?.[1]?.replace(/\s+/g, '');
}

test('with --verbose, fire shows what the hook read on stdin', async () => {
  const stdin = stdinIn(await fire({ path: 'secrets/key' }, '--verbose'));
  expect(JSON.parse(stdin ?? '')).toMatchObject({
    hook_event_name: 'BeforeTool',
    tool_name: 'write_file',
    tool_input: { path: 'secrets/key' },
  });
});

test('without --verbose there is no such line, and no such field with --json', async () => {
  expect(stdinIn(await fire({ path: 'a.txt' }))).toBeUndefined();
  const { output } = JSON.parse(await fire({ path: 'a.txt' }, '--json'));
  expect(output.outcomes[0]).not.toHaveProperty('stdin');
});

test('secrets in it are masked, control characters are escaped, and a long text is cut', async () => {
  const printed = await fire(
    { path: '\u001b[2J\u202e', password: 'tr0ub4dor', token: `sk-${'a1'.repeat(20)}`, content: 'x'.repeat(100_000) },
    '--verbose',
  );
  const stdin = stdinIn(printed) ?? '';
  expect(printed).not.toMatch(/tr0ub4dor|a1a1a1|\u001b\[2J|\u202e/);
  expect(stdin).toContain('"password":"***"');
  expect(stdin.length).toBeGreaterThan(1000);
  expect(stdin.length).toBeLessThan(2100);
  expect(stdin.endsWith('…')).toBe(true);
});

test('with --json and --verbose, each outcome has the same text as "stdin"', async () => {
  const { output } = JSON.parse(await fire({ path: 'a.txt', password: 'tr0ub4dor' }, '--json', '--verbose'));
  const { stdin } = output.outcomes[0];
  expect(stdin).toContain('"path":"a.txt"');
  expect(stdin).not.toContain('tr0ub4dor');
});

test('a hook that runs into its timeout has it too', async () => {
  const hooks = { BeforeTool: [{ hooks: [{ name: 'slow', command: 'sleep 60', timeout: 1000 }] }] };
  writeFileSync(join(cwd, 'slow.json'), JSON.stringify({ tools: { enableHooks: true }, hooks }));
  const input = '{"tool_name":"write_file","tool_input":{"path":"a.txt"}}';
  const { stdout } = await runCli(['fire', 'BeforeTool', '--settings', 'slow.json', '--input', input, '--verbose'], { cwd });
  expect(stdinIn(stdout)).toContain('"path":"a.txt"');
});
