import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory } from '../support/fire-hooks.js';
import { runCli } from '../support/run-cli.js';

const cwd = freshDirectory('late');
afterAll(() => rmSync(cwd, { recursive: true }));

/** Fires an event with one asynchronous hook, which prints something when it ends. */
function fire(command: string, ...args: string[]): Promise<string> {
  return fireHook({ command, async: true }, ...args);
}

async function fireHook(fields: Readonly<Record<string, unknown>>, ...args: string[]): Promise<string> {
  mkdirSync(join(cwd, '.claude'), { recursive: true });
  const hooks = { PostToolUse: [{ hooks: [{ type: 'command', ...fields }] }] };
  writeFileSync(join(cwd, '.claude/settings.json'), JSON.stringify({ hooks }, null, 2));
  const input = '{"tool_name":"Write","tool_input":{},"tool_response":{}}';
  const { status, stdout } = await runCli(['fire', 'PostToolUse', '--input', input, ...args], { cwd });
  expect(status).toBe(0);
  return stdout.slice(stdout.indexOf('… AfterTool'));
}

test('fire shows the message of an asynchronous hook when it ends', async () => {
  expect(await fire(`echo '{"systemMessage":"Tests passed after editing."}'`)).toMatch(
    /^… AfterTool hook project\/0\.0 ended after .*: user message: "Tests passed after editing\."\n/,
  );
});

test('its error is shown with the place of the hook and what it printed', async () => {
  const shown = await fire('echo "no such test" >&2; exit 1');
  expect(shown).toMatch(/^… AfterTool hook \S+ ended after .*: exit code 1\n/);
  expect(shown).toContain('no such test');
  expect(shown).toContain('      at .claude/settings.json:');
});

test('a deny came too late', async () => {
  const shown = await fire('echo "Not formatted." >&2; exit 2');
  expect(shown).toMatch(/^… AfterTool hook \S+ ended after .*: denied, too late\n/);
  expect(shown.replace(/\s+/g, ' ')).toContain('an async hook cannot block or stop anything.');
});

test('with --verbose, all that it read, printed and added', async () => {
  const said = { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'The tests passed.' } };
  const shown = await fire(`echo working >&2; echo '${JSON.stringify(said)}'`, '--verbose');
  expect(shown).toMatch(/: added context\n/);
  expect(shown).toContain('      stdin:');
  expect(shown).toContain('      stderr: working\n');
  expect(shown).toContain('      context: The tests passed.\n');
  expect(shown).toContain('      stdout: {"hookSpecificOutput"');
});

test('its context is shown without --verbose too, because no result has it', async () => {
  const said = { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'The tests passed.' } };
  const shown = await fire(`echo '${JSON.stringify(said)}'`);
  expect(shown).toMatch(/: added context\n/);
  expect(shown).toContain('      context: The tests passed.\n');
  expect(shown).not.toContain('stdout:');
});

test('a hook that wakes the agent is shown with its text, without a warning about a deny', async () => {
  const shown = await fireHook({ command: 'echo "build"; echo "build broke\nagain" >&2; exit 2', asyncRewake: true });
  expect(shown).toMatch(/^… AfterTool hook \S+ ended after .*: wakes the agent: build broke again\n/);
  expect(shown).not.toContain('an async hook cannot');
  expect(await fireHook({ command: 'echo "from stdout"; exit 2', asyncRewake: true })).toContain('wakes the agent: from stdout');
});
