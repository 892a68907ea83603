import { command, example, Place } from './example-run.js';

let place: Place;

beforeEach(() => {
  place = new Place();
});

afterEach(() => place.remove());

test('shows what hooks do, and leaves nothing behind', async () => {
  const { status, stdout, stderr } = await place.start([example]).ended;
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).not.toContain('\x1b');

  // A write outside of the workspace is blocked, and the later hook of the chain does not run.
  expect(stdout).toMatch(/✗ stay-inside .* denied\n +– redact-secrets +skipped: chain-ended\n/);
  expect(stdout).toMatch(/→ deny by stay-inside: \.\.\/notes-copy\.md is outside the project directory/);
  expect(stdout).toMatch(/sees +\.\.\/notes-copy\.md is outside/);

  // Two secrets, one in a request to the model and one in a file; and an address in text for the user.
  expect(stdout).toMatch(/✓ redact-messages .* rewrote llm_request\.messages/);
  expect(stdout).toContain('model  Your key reached me as [REDACTED]');
  expect(stdout).toMatch(/✓ redact-secrets .* rewrote tool_input\.content/);
  expect(stdout).toContain('station.env has 2 lines on disk, 1 of them redacted');
  expect(stdout).not.toContain('sk-test');
  // The text of that response was rewritten, and its tool calls were carried out.
  expect(stdout).toMatch(/settings; \[ADDRESS\] knows more about them\.\ncalls {2}write_file \.\.\/notes-copy\.md\n/);
  expect(stdout).not.toContain('example.org');

  // A crash and a timeout are reported and decide nothing.
  expect(stdout).toMatch(/! crashy .* exit code 1\n/);
  expect(stdout).toContain("TypeError: Cannot read properties of undefined (reading 'sort')");
  expect(stdout).toMatch(/⏱ slow-audit .* timed out after 400 ms\n/);

  // A message, a question without a user who could be asked, and its notification.
  expect(stdout).toMatch(/✓ lint-command .*\n +said: "cat is not needed here/);
  expect(stdout).toContain('→ ask by lint-command: "rm -rf notes.md" deletes for good.');
  expect(stdout).toContain('Notification ToolPermission');
  expect(stdout).toContain('sees   It needs confirmation, but no user could be asked.');

  // The hooks made the agent continue, compressed the history, answered without the model, limited it to one tool, and stopped it.
  expect(stdout).toContain('→ deny by say-where: Say which files you wrote.\n\nhook   Say which files you wrote.\n');
  expect(stdout).toContain('agent  The history was long: 10 entries became 2.');
  expect(stdout).toMatch(/✓ known-answers .* answered for the model\n(.*\n)+hook {3}It is station 17/);
  expect(stdout).toMatch(/sees {3}Hook "llxprt\/settings\/BeforeToolSelection\/freeze" allows only read_file for this request/);
  expect(stdout).toContain('→ stop by budget: The session has used up its 9 calls of the model.\nstop   The session');

  const summary = stdout.slice(stdout.indexOf('\nPrompts\n'));
  expect(summary).toMatch(/✓ completed {2}Write down .*\n +A hook made the agent continue 1 ×\./);
  expect(summary).toMatch(/✗ blocked {4}write_file \.\.\/notes-copy\.md\n +stay-inside denied: /);
  expect(summary).toMatch(/~ changed {4}write_file station\.env\n +redact-secrets rewrote tool_input\.content\n/);
  expect(summary).toContain('10: 8 responded, 1 synthetic, 1 stopped');
  expect(summary).toMatch(/BeforeModel +10 +30 +\d+\.\d\d s {3}rewrote 5 ×, answered itself, stopped\n/);
  expect(summary).toContain('crashy failed, slow-audit timed out: the agent went on without them.');
  expect(summary).toMatch(/\.llxprt\/history\.md\n +- write_file notes\.md\n/);
  expect(summary).toMatch(/\.llxprt\/notifications\.log\n +ToolPermission: May run_shell_command go ahead\?/);
  expect(summary).toMatch(/\.llxprt\/sessions\.log\n +The session wanted to call the model 10 times\./);

  expect(place.leftovers()).toEqual([]);
}, 120_000);

test('an option that does not exist is wrong usage', async () => {
  const { status, stdout, stderr } = await place.start([example, '--aks']).ended;
  expect({ status, stdout }).toEqual({ status: 64, stdout: '' });
  expect(stderr).toContain("Unknown option '--aks'");
  expect(stderr).toContain('--record FILE');
});

test('its hooks can be fired by hand, from anywhere', async () => {
  const input = JSON.stringify({ tool_name: 'write_file', tool_input: { path: '/etc/passwd', content: 'x' } });
  const settings = 'examples/agent-loop/workspace/.llxprt/settings.json';
  const { status, stdout } = await place.start([command, 'fire', 'BeforeTool', '--settings', settings, '--input', input, '--json']).ended;
  expect(status).toBe(0);
  const { output } = JSON.parse(stdout);
  expect(output.verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('/etc/passwd is outside the project directory') });
  expect(output.outcomes.map(({ name, status: is, skipReason }: Record<string, string>) => [name, is, skipReason])).toEqual([
    ['stay-inside', 'blocked', undefined],
    ['redact-secrets', 'skipped', 'chain-ended'],
    ['lint-command', 'skipped', 'matcher'],
  ]);
});
