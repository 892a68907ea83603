import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const example = 'examples/agent-loop/dist/main.js';
const command = 'packages/tenterhook/dist/cli.js';

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let scratch: string;
let env: NodeJS.ProcessEnv;

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'agent-loop-test-'));
  // A home of its own, or the hooks of whoever runs this test would take part.
  const { FORCE_COLOR: _forced, ...own } = process.env;
  env = { ...own, TMPDIR: scratch, HOME: scratch, USERPROFILE: scratch, TEST_OF: scratch };
});

afterEach(() => rmSync(scratch, { recursive: true, force: true }));

function start(args: string[]): { child: ChildProcess; ended: Promise<Run> } {
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return { child, ended: new Promise((resolve) => child.on('close', (status) => resolve({ status, stdout, stderr }))) };
}

/** Processes that inherited the environment of this test. Only Linux tells; elsewhere there is nothing to look at. */
function processesLeft(): string[] {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc').filter((entry) => {
    try {
      return /^\d+$/.test(entry) && readFileSync(`/proc/${entry}/environ`, 'utf8').includes(`TEST_OF=${scratch}\0`);
    } catch {
      return false;
    }
  });
}

test('shows what hooks do, and leaves nothing behind', async () => {
  const { status, stdout, stderr } = await start([example]).ended;
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).not.toContain('\x1b');

  // A write outside is blocked, and what stood behind the guard in the chain does not run.
  expect(stdout).toMatch(/✗ stay-inside .* denied\n +– redact-secrets +skipped: chain-ended\n/);
  expect(stdout).toMatch(/→ deny by stay-inside: \.\.\/notes-copy\.md is outside the project directory/);
  expect(stdout).toMatch(/sees +Not run: \.\.\/notes-copy\.md is outside/);

  // The secret never reached the disk: what is read back has been redacted, and nothing that was printed has it.
  expect(stdout).toMatch(/✓ redact-secrets .* rewrote tool_input\.content/);
  expect(stdout).toContain('API_KEY=[REDACTED]');
  expect(stdout).not.toContain('sk-live');

  // A crash and a timeout are seen and decide nothing.
  expect(stdout).toMatch(/! crashy .* exit code 1\n/);
  expect(stdout).toContain("TypeError: Cannot read properties of undefined (reading 'sort')");
  expect(stdout).toMatch(/⏱ slow-audit .* timed out after 300 ms\n/);

  // A message, a question without anybody to answer it, and context for the model.
  expect(stdout).toMatch(/✓ lint-command .*\n +said: "cat is not needed here/);
  expect(stdout).toContain('→ ask by lint-command: "rm -rf notes.md" deletes for good.');
  expect(stdout).toMatch(/✓ note-changes .* added context\n/);
  expect(stdout).toContain('station.env has 2 lines on disk, 1 of them redacted');

  const summary = stdout.slice(stdout.indexOf('Summary'));
  expect(summary).toMatch(/✗ blocked {2}write_file \.\.\/notes-copy\.md .*\n +stay-inside denied: /);
  expect(summary).toMatch(/~ changed {2}write_file station\.env .*\n +redact-secrets rewrote tool_input\.content\n/);
  expect(summary).toMatch(/7 tool calls: 4 allowed, 1 changed, 2 blocked\. Their hooks took \d+\.\d\d s\./);
  expect(summary).toContain('crashy failed, slow-audit timed out: the agent went on without them.');

  expect(processesLeft()).toEqual([]);
  expect(readdirSync(scratch)).toEqual([]);
});

test('Ctrl-C ends it at once and leaves nothing behind', async () => {
  const { child, ended } = start([example]);
  // By then the workspace is there, and a hook of the next event is about to run.
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  child.kill('SIGINT');
  const { status, stderr } = await ended;
  expect({ status, stderr }).toEqual({ status: 130, stderr: '' });
  expect(processesLeft()).toEqual([]);
  expect(readdirSync(scratch)).toEqual([]);
});

test('its hooks can be fired by hand, from anywhere', async () => {
  const input = JSON.stringify({ tool_name: 'write_file', tool_input: { path: '/etc/passwd', content: 'x' } });
  const settings = 'examples/agent-loop/workspace/.llxprt/settings.json';
  const { status, stdout } = await start([command, 'fire', 'BeforeTool', '--settings', settings, '--input', input, '--json']).ended;
  expect(status).toBe(0);
  const { output } = JSON.parse(stdout);
  expect(output.verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('/etc/passwd is outside the project directory') });
  expect(output.outcomes.map(({ name, status: is, skipReason }: Record<string, string>) => [name, is, skipReason])).toEqual([
    ['stay-inside', 'blocked', undefined],
    ['redact-secrets', 'skipped', 'chain-ended'],
    ['lint-command', 'skipped', 'matcher'],
  ]);
});
