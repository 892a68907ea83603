import { executeToolWithHooks } from '@tenterhook/agent';
import { recordingTool } from '../../support/agent.js';
import { outcomeAt, says, warningCodes } from '../../support/fire-hooks.js';
import {
  after,
  bash,
  deeds,
  failedRun,
  fire,
  hooksOf,
  idOf,
  permission,
  prompt,
  request,
  specific,
  specificOf,
  start,
  warningsOf,
  withCodex,
} from './codex-hooks.js';

const first = idOf();

/** Calls a tool of the host with a hook of PreToolUse, and returns the arguments that the tool received. */
async function calledWith(
  handler: string,
  call = { name: 'run_shell_command', input: { command: 'npm test' } as Record<string, unknown> },
) {
  return withCodex(hooksOf('PreToolUse', handler), async ({ client }) => {
    const tool = recordingTool();
    const result = await executeToolWithHooks(client, { ...call, ...tool });
    return { status: result.status, calls: tool.calls };
  });
}

describe('answers of PreToolUse', () => {
  test.each(['true', 'echo', 'echo "{}"'])('1. exit 0 without output is not an opinion: %s', async (command) => {
    const result = await fire(bash, command);
    expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
    expect(outcomeAt(result, 0)).toMatchObject({ hookId: first, dialect: 'codex', status: 'succeeded', warnings: [] });
  });

  test.each([permission('deny', { permissionDecisionReason: 'no' }), says({ decision: 'block', reason: 'no' })])(
    '2. a valid deny denies with its reason: %s',
    async (command) => {
      const result = await fire(bash, command);
      expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: [first] });
      expect(outcomeAt(result, 0)).toMatchObject({ status: 'blocked', warnings: [] });
    },
  );

  test('3. exit 2 with stderr denies with it, and stdout is not read', async () => {
    const result = await fire(bash, 'echo no >&2; exit 2');
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    expect(outcomeAt(result, 0).warnings).toEqual([]);
    const both = await fire(bash, `${says({ decision: 'block', reason: 'other' })}; echo no >&2; exit 2`);
    expect(both.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    expect(warningCodes(outcomeAt(both, 0))).toEqual(['no_effect']);
  });

  test('4. exit 2 without stderr denies with a default reason, and a warning says that Codex lets the call pass', async () => {
    const result = await fire(bash, 'exit 2');
    expect(result.verdict).toMatchObject({ kind: 'deny', by: [first], reason: expect.stringContaining('exit 2') });
    expect(warningsOf(outcomeAt(result, 0))).toMatch(/^deny_counted: Codex treats exit code 2 without a reason .* the operation proceeds/);
  });

  test.each([
    ['exit 1', 'exit code 1'],
    ['no-such-command-here', 'no-such-command-here'],
    ['kill -KILL $$', 'SIGKILL'],
  ])('5. %s is a failure with its cause, and the tool runs', async (command, cause) => {
    expect(failedRun(await fire(bash, command))).toContain(cause);
    expect((await calledWith(command)).calls).toEqual([{ command: 'npm test' }]);
  });

  test('6. an unknown key beside a valid allow fails the run, the warning names the key, and the original input executes', async () => {
    const allow = { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: { command: 'ls' } };
    const command = says({ hookSpecificOutput: allow, note: 1 });
    expect(failedRun(await fire(bash, command))).toContain('rejected_output: ');
    expect(failedRun(await fire(bash, command))).toContain('"note"');
    expect((await calledWith(command)).calls).toEqual([{ command: 'npm test' }]);
    expect(failedRun(await fire(bash, says({ hookSpecificOutput: { ...allow, note: 1 } })))).toContain('hookSpecificOutput."note"');
  });

  test('7. an unknown key beside a valid deny denies, with a warning that Codex rejects the key', async () => {
    const deny = { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' };
    const result = await fire(bash, says({ hookSpecificOutput: deny, note: 1 }));
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    expect(warningsOf(outcomeAt(result, 0))).toMatch(/^deny_counted: Codex rejects this answer, because the key "note"/);
  });

  test('8. updatedInput without an allow fails the run, and the original input executes', async () => {
    const command = specific('PreToolUse', { updatedInput: { command: 'ls' } });
    expect(failedRun(await fire(bash, command))).toContain('updatedInput needs "permissionDecision": "allow"');
    expect((await calledWith(command)).calls).toEqual([{ command: 'npm test' }]);
  });

  test('9. an allow with updatedInput allows, and the tool gets exactly that object', async () => {
    const command = permission('allow', { updatedInput: { command: 'ls' } });
    const result = await fire(bash, command);
    expect(result.verdict).toMatchObject({ kind: 'allow', by: [first] });
    const call = { name: 'run_shell_command', input: { command: 'npm test', description: 'tests' } };
    expect((await calledWith(command, call)).calls).toEqual([{ command: 'ls' }]);
  });

  test('10. an allow without updatedInput fails the run', async () => {
    expect(failedRun(await fire(bash, permission('allow')))).toContain('"permissionDecision": "allow" needs updatedInput');
  });

  test.each([
    ['deny', { kind: 'deny', reason: 'sure?' }, 'blocked'],
    ['ask', { kind: 'ask', reason: 'sure?' }, 'succeeded'],
    ['none', { kind: 'none' }, 'failed'],
  ] as const)('11. with the setting %s an ask is never an allow', async (ask, verdict, status) => {
    const result = await fire(bash, permission('ask', { permissionDecisionReason: 'sure?' }), { ask });
    expect(result.verdict).toMatchObject(verdict);
    expect(outcomeAt(result, 0).status).toBe(status);
    expect(warningCodes(outcomeAt(result, 0))).toEqual(['unsupported_ask']);
  });

  test('11. without the setting an ask denies', async () => {
    expect((await fire(bash, permission('ask'))).verdict.kind).toBe('deny');
    expect((await fire(bash, says({ decision: 'ask' }))).verdict.kind).toBe('deny');
  });

  test.each([permission('deny'), says({ decision: 'block' }), says({ decision: 'deny', reason: 'no' })])(
    '12. a deny without its reason, or in another word, denies with a reason and a warning: %s',
    async (command) => {
      const result = await fire(bash, command);
      expect(result.verdict).toMatchObject({ kind: 'deny', reason: expect.stringMatching(/./) });
      expect(warningCodes(outcomeAt(result, 0))).toEqual(['deny_counted']);
    },
  );

  test('13. continue false fails the run on PreToolUse, and stops on PostToolUse', async () => {
    expect(failedRun(await fire(bash, says({ continue: false })))).toContain('"continue": false is not supported');
    const result = await fire(after, says({ continue: false, stopReason: 'enough' }));
    expect(result.verdict).toMatchObject({ stop: true, stopReason: 'enough' });
  });

  test('14. suppressOutput fails the run', async () => {
    expect(failedRun(await fire(bash, says({ suppressOutput: true })))).toContain('suppressOutput is not supported on PreToolUse');
  });

  test('30. of two rewrites the later one in plan order counts, and a warning names both', async () => {
    const rewrite = (command: string) => permission('allow', { updatedInput: { command } });
    const result = await fire(bash, [`sleep 0.2; ${rewrite('one')}`, rewrite('two')]);
    expect(specificOf(result)).toMatchObject({ tool_input: { command: 'two' } });
    const conflict = result.outcomes.flatMap(({ warnings }) => warnings).find(({ code }) => code === 'rewrite_conflict');
    expect(conflict?.message).toEqual(expect.stringContaining(idOf('0.0')));
  });

  test('33. another event in hookEventName is a warning and the fields count; a missing one fails the run', async () => {
    const other = await fire(bash, specific('PostToolUse', { permissionDecision: 'allow', updatedInput: { command: 'ls' } }));
    expect(other.verdict.kind).toBe('allow');
    expect(specificOf(other)).toMatchObject({ tool_input: { command: 'ls' } });
    expect(warningCodes(outcomeAt(other, 0))).toEqual(['wrong_event']);
    const missing = says({ hookSpecificOutput: { permissionDecision: 'allow', updatedInput: { command: 'ls' } } });
    expect(failedRun(await fire(bash, missing))).toContain('hookEventName is missing');
  });

  test('36. a reason without a decision fails the run', async () => {
    expect(failedRun(await fire(bash, says({ reason: 'hm' })))).toContain('a reason without a decision');
  });

  test.each([
    [{ decision: 'approve' }, '"decision": "approve"'],
    [{ stopReason: 'x' }, 'stopReason'],
    [{ systemMessage: 7 }, 'systemMessage must be a string'],
    [
      { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: [] } },
      'updatedInput must be an object',
    ],
  ])('%j fails the run too', async (printed, why) => {
    expect(failedRun(await fire(bash, says(printed)))).toContain(why);
  });

  test('text has no effect, and text that begins like JSON fails the run', async () => {
    const text = await fire(bash, 'echo checked');
    expect([deeds(text), text.verdict.kind, specificOf(text)]).toEqual([['succeeded'], 'none', {}]);
    for (const printed of ['{"a":', '[1]', '[info] checked'])
      expect(failedRun(await fire(bash, `echo '${printed}'`))).toContain('begins like JSON');
  });

  test('additionalContext and systemMessage count without a decision and beside a deny', async () => {
    const fields = { hookEventName: 'PreToolUse', additionalContext: 'note' };
    const alone = await fire(bash, says({ systemMessage: 'hello', hookSpecificOutput: fields }));
    expect(specificOf(alone)).toMatchObject({ additionalContext: 'note', userMessage: 'hello' });
    const denied = { ...fields, permissionDecision: 'deny', permissionDecisionReason: 'no' };
    const result = await fire(bash, says({ hookSpecificOutput: denied }));
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    expect(specificOf(result)).toMatchObject({ additionalContext: 'note' });
  });
});

describe('answers of other events', () => {
  test('a permission request is answered by behavior, and what Codex cannot carry out denies', async () => {
    const answer = (decision: object) => specific('PermissionRequest', { decision });
    expect((await fire(request, answer({ behavior: 'allow' }))).verdict.kind).toBe('allow');
    expect((await fire(request, answer({ behavior: 'deny', message: 'no' }))).verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    for (const fields of [{ updatedInput: { command: 'ls' } }, { updatedPermissions: [{}] }, { interrupt: true }]) {
      const result = await fire(request, answer({ behavior: 'allow', ...fields }));
      expect(result.verdict.kind).toBe('deny');
      expect(warningCodes(outcomeAt(result, 0))).toEqual(['deny_counted']);
    }
    expect(failedRun(await fire(request, says({ suppressOutput: true })))).toContain('suppressOutput');
  });

  test('37. a block of a prompt denies, and the context beside it counts', async () => {
    const result = await fire(
      prompt,
      says({ decision: 'block', reason: 'no', hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'note' } }),
    );
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
    expect(specificOf(result)).toMatchObject({ additionalContext: 'note' });
  });

  test.each([
    [after, { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedMCPToolOutput: 'x' } }, 'updatedMCPToolOutput'],
    [after, { suppressOutput: true }, 'suppressOutput'],
    [after, { reason: 'x' }, 'a reason without "decision": "block"'],
    [start, { decision: 'allow' }, '"decision"'],
  ] as const)('%j: %j fails the run', async (moment, printed, why) => {
    expect(failedRun(await fire(moment, says(printed)))).toContain(why);
  });

  test('exit 2 on SessionStart is a failed run', async () => {
    expect(failedRun(await fire(start, 'echo no >&2; exit 2'))).toContain('exit code 2');
  });
});
