import { executeToolWithHooks } from '@tenterhook/agent';
import { recordingTool } from '../../support/agent.js';
import { outcomeAt, processesWith, says, warningCodes } from '../../support/fire-hooks.js';
import { until } from '../../support/until.js';
import { deeds, fire, hooksOf, mcp, shell, specificOf, withAntigravity, write } from './antigravity-hooks.js';

const denies = { decision: 'deny', reason: 'no' };

/** Calls a shell command with hooks before it, and returns the arguments that the tool received. */
function calledWith(...commands: readonly (string | { readonly command: string })[]) {
  return withAntigravity(hooksOf('PreToolUse', ...commands), async ({ client }) => {
    const tool = recordingTool();
    const input = { command: 'npm test', description: 'd' };
    const result = await executeToolWithHooks(client, { name: 'run_shell_command', input, ...tool });
    return { status: result.status, calls: tool.calls, result };
  });
}

test.each(['true', 'echo', "printf '  \\n'"])('before a tool, exit 0 without output decides nothing: %s', async (command) => {
  const result = await fire(shell, 'PreToolUse', command);
  expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
  expect(outcomeAt(result, 0)).toMatchObject({ dialect: 'antigravity', status: 'succeeded', warnings: [] });
});

test('a deny, an allow and an ask count', async () => {
  expect((await fire(shell, 'PreToolUse', says(denies))).verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect((await fire(shell, 'PreToolUse', says({ decision: 'allow', reason: 'fine' }))).verdict.kind).toBe('allow');
  for (const decision of ['ask', 'force_ask']) {
    const result = await fire(shell, 'PreToolUse', says({ decision, reason: 'sure?' }));
    expect([result.verdict.kind, result.verdict.reason, outcomeAt(result, 0).warnings]).toEqual(['ask', 'sure?', []]);
  }
});

test('an ask without a user is a deny, and the option "ask" makes every ask one', async () => {
  expect((await calledWith(says({ decision: 'ask', reason: 'sure?' }))).status).toBe('blocked');
  const result = await fire(shell, 'PreToolUse', says({ decision: 'force_ask', reason: 'sure?' }), { ask: 'deny' });
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'sure?' });
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['unsupported_ask']);
});

test.each([
  ['an empty object', 'echo {}'],
  ['an empty decision', says({ decision: '' })],
  ['a reason alone', says({ reason: 'fine' })],
  ['an unknown word', says({ decision: 'maybe' })],
  ['another spelling', says({ decision: 'ALLOW' })],
  ['another word', says({ decision: 'approve' })],
  ['a wrong type', says({ decision: true })],
  ['text', 'echo fine'],
  ['text before the answer', `echo log; ${says({ decision: 'allow' })}`],
  ['two answers', `${says({ decision: 'allow' })}; ${says({ decision: 'allow' })}`],
  ['a list', says([{ decision: 'allow' }])],
  ['half an object', `printf '{ "decision": "allow"'`],
  ['a repeated field', `echo '{ "decision": "deny", "decision": "allow" }'`],
  ['an unknown field', says({ decision: 'allow', note: 'x' })],
  ['an unknown field without a value', says({ decision: 'allow', note: null })],
  ['a field with a value of the input', says({ decision: 'allow', name: 'run_command' })],
  ['the input with an allow', `jq -c '. + { decision: "allow" }'`],
  ['a byte order mark before the answer', `printf '\\357\\273\\277'; ${says({ decision: 'allow' })}`],
  ['a byte order mark alone', `printf '\\357\\273\\277'`],
  ['a field of another event', says({ decision: 'allow', injectSteps: [] })],
  ['a field of another agent', says({ decision: 'allow', hookSpecificOutput: { permissionDecision: 'allow' } })],
  ['a wrong reason', says({ decision: 'allow', reason: 7 })],
])('before a tool, output that is not one valid answer denies: %s', async (_, command) => {
  const { verdict } = await fire(shell, 'PreToolUse', command);
  expect(verdict).toMatchObject({ kind: 'deny', reason: expect.any(String) });
});

test('the reason of such a deny names the hook, the mistake and the remedy', async () => {
  const { verdict } = await fire(shell, 'PreToolUse', 'echo fine');
  expect(verdict.reason).toMatch(/hook "guards" denies, because .*must be one JSON object.*"fine".*Print nothing for no decision/s);
});

test.each(['block', 'deny_unless_prior_grant'])('the decision %s is a deny, with a warning', async (decision) => {
  const result = await fire(shell, 'PreToolUse', says({ decision, reason: 'no' }));
  expect([result.verdict.kind, result.verdict.reason]).toEqual(['deny', 'no']);
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['deny_counted']);
});

test.each([
  ['exit 2, with the words on stderr', `${says({ decision: 'allow' })}; echo no >&2; exit 2`, /^no$/],
  ['another exit code, with an allow on stdout', `${says({ decision: 'allow' })}; echo boom >&2; exit 1`, /boom/],
  ['a signal', 'kill -KILL $$', /./],
  ['a missing command', 'no-such-command-here', /no-such-command-here/],
])('before a tool, every failure denies: %s', async (_, command, reason) => {
  expect((await fire(shell, 'PreToolUse', command)).verdict).toMatchObject({ kind: 'deny', reason: expect.stringMatching(reason) });
});

test('before a tool, a timeout in seconds denies, the tool does not run, and no process is left', async () => {
  const mark = 'antigravity-timeout';
  const { status, calls, result } = await calledWith({ command: `MARK=${mark} sleep 9; echo x`, timeout: 1 } as { command: string });
  expect([status, calls, deeds(result.before as never)]).toEqual(['blocked', [], ['timed-out']]);
  await until('the processes have ended', () => processesWith(mark).length === 0);
});

test('before a tool, a stop stops the agent, and the tool does not run', async () => {
  for (const [answer, reason] of [
    [{ decision: 'deny', reason: 'no', continue: false }, 'no'],
    [{ continue: false, reason: 'enough' }, 'enough'],
    [{ decision: 'allow', terminationBehavior: 'terminate', reason: 'enough' }, 'enough'],
  ] as const) {
    expect((await fire(shell, 'PreToolUse', says(answer))).verdict).toMatchObject({ kind: 'deny', stop: true, stopReason: reason });
  }
});

test('before a tool, a resident hook that ends without an answer denies', async () => {
  const hook = { type: 'command', mode: 'resident', command: `read line; printf '{"dec'; exit 0` };
  expect((await fire(shell, 'PreToolUse', hook)).verdict.kind).toBe('deny');
});

test('before a tool, a hook that runs when the time of the event is over denies', async () => {
  const slow = { type: 'command', command: 'sleep 300', timeout: 300 };
  const result = await withAntigravity(hooksOf('PreToolUse', slow, 'true'), ({ handler }) => handler.fire(...shell, { timeoutMs: 1000 }));
  expect(deeds(result)).toEqual(['cancelled', 'skipped: chain-ended']);
  expect(result.outcomes.map(({ failedClosed }) => failedClosed)).toEqual([true, undefined]);
  expect(result.verdict.kind).toBe('deny');
});

test('a guard of MCP servers also runs for a tool whose name alone shows its server', async () => {
  const guard = { type: 'command', matcher: '^call_mcp_tool$', command: says(denies) };
  expect((await fire(['BeforeTool', { tool_name: 'gh__search', tool_input: {} }], 'PreToolUse', guard)).verdict.kind).toBe('deny');
});

test('overwrite replaces all arguments, and permissionOverrides grants nothing', async () => {
  const overwrite = { CommandLine: 'ls' };
  expect((await calledWith(says({ decision: 'allow', overwrite }))).calls).toEqual([{ command: 'ls' }]);
  const whole = { name: 'run_command', args: overwrite };
  expect((await calledWith(says({ decision: 'allow', overwrite: whole }))).calls).toEqual([{ command: 'ls' }]);
  const result = await fire(shell, 'PreToolUse', says({ decision: 'allow', permissionOverrides: ['command(ls)'] }));
  expect([result.verdict.kind, warningCodes(outcomeAt(result, 0))]).toEqual(['allow', ['no_effect']]);
});

test('the arguments of a tool on an MCP server are those inside Arguments; a call of another tool denies', async () => {
  const call = { ServerName: 'gh', ToolName: 'search', Arguments: { q: 'y' } };
  const rewritten = await fire(mcp, 'PreToolUse', says({ decision: 'allow', overwrite: call }));
  expect(specificOf(rewritten)).toMatchObject({ tool_input: { q: 'y' } });
  for (const [moment, overwrite] of [
    [mcp, { ...call, ToolName: 'delete' }],
    [shell, { name: 'write_to_file', args: { TargetFile: '/srv/a' } }],
  ] as const) {
    const { verdict, changes } = await fire(moment, 'PreToolUse', says({ decision: 'allow', overwrite }));
    expect([verdict.kind, verdict.reason, changes]).toEqual(['deny', expect.stringContaining('another tool'), []]);
  }
});

test('two hooks rewrite in turn, and after a deny the others do not run', async () => {
  const first = says({ decision: 'allow', overwrite: { CommandLine: 'first' } });
  const second = `jq -c '{ decision: "allow", overwrite: { CommandLine: (.toolCall.args.CommandLine + " second") } }'`;
  expect((await calledWith(...[first, second].map((command) => ({ command, recheck: false })))).calls).toEqual([
    { command: 'first second' },
  ]);
  expect(deeds(await fire(shell, 'PreToolUse', [says(denies), 'true']))).toEqual(['blocked', 'skipped: chain-ended']);
});

test('an output that was cut off denies before a tool', async () => {
  const result = await fire(write, 'PreToolUse', "head -c 20000000 /dev/zero | tr '\\0' ' '");
  expect(result.verdict.kind).toBe('deny');
});
