import { executeToolWithHooks, runAgentTurnWithHooks } from '@tenterhook/agent';
import { recordingTool } from '../../support/agent.js';
import { outcomeAt, processesWith, says, warningCodes } from '../../support/fire-hooks.js';
import { until } from '../../support/until.js';
import {
  after,
  deeds,
  failed,
  fire,
  hooksOf,
  permission,
  prompt,
  shell,
  specificOf,
  start,
  stop,
  warningsOf,
  withCopilot,
} from './copilot-hooks.js';

const noReason = { permissionDecision: 'deny', permissionDecisionReason: 'no' };
const nested = (fields: object) => says({ hookSpecificOutput: fields });

/** Calls a shell command with hooks, and returns the arguments that the tool received. */
async function calledWith(hooks: Readonly<Record<string, unknown>>, ask?: 'deny') {
  const options = ask === undefined ? {} : { copilot: { ask } };
  return withCopilot(
    hooks,
    async ({ client }) => {
      const tool = recordingTool();
      const input = { command: 'npm test', description: 'd' };
      const result = await executeToolWithHooks(client, { name: 'run_shell_command', input, ...tool });
      return { status: result.status, calls: tool.calls, result };
    },
    options,
  );
}

test.each(['true', 'echo', 'echo "{}"'])('1. exit 0 without an answer is not an opinion: %s', async (command) => {
  const result = await fire(shell, 'preToolUse', command);
  expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
  expect(outcomeAt(result, 0)).toMatchObject({ dialect: 'copilot', status: 'succeeded', warnings: [] });
});

test('2. a deny counts at the top level and, with a warning under a camel key, inside hookSpecificOutput', async () => {
  for (const [key, answer, codes] of [
    ['preToolUse', says(noReason), []],
    ['PreToolUse', says(noReason), []],
    ['PreToolUse', nested(noReason), []],
    ['preToolUse', nested(noReason), ['deny_counted']],
  ] as const) {
    const result = await fire(shell, key, answer);
    expect([key, answer, result.verdict.kind, result.verdict.reason]).toEqual([key, answer, 'deny', 'no']);
    expect([key, answer, warningCodes(outcomeAt(result, 0))]).toEqual([key, answer, codes]);
  }
});

test('2. of two decisions the stricter one counts, wherever it is', async () => {
  const answer = says({ permissionDecision: 'deny', hookSpecificOutput: { permissionDecision: 'allow' } });
  expect((await fire(shell, 'PreToolUse', answer)).verdict.kind).toBe('deny');
});

test('3. exit 2 denies, even if the JSON allows', async () => {
  const result = await fire(shell, 'preToolUse', `${says({ permissionDecision: 'allow' })}; echo no >&2; exit 2`);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
});

test('4. every other exit code denies before a tool, with the name of the hook and its words', async () => {
  const result = await fire(shell, 'preToolUse', 'echo boom >&2; exit 1');
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: expect.stringMatching(/^BeforeTool hook "echo boom.*It printed: boom$/s) });
  expect(deeds(result)).toEqual(['failed']);
});

test('4. so does a signal, and a directory that does not exist', async () => {
  expect((await fire(shell, 'preToolUse', 'kill -KILL $$')).verdict.kind).toBe('deny');
  expect((await fire(shell, 'preToolUse', { command: 'true', cwd: 'gone' })).verdict.kind).toBe('deny');
  expect((await fire(permission, 'permissionRequest', 'kill -KILL $$')).verdict.kind).toBe('none');
});

test('5. a missing command denies, and the warning names it', async () => {
  const result = await fire(shell, 'preToolUse', 'no-such-command-here');
  expect(result.verdict.kind).toBe('deny');
  expect(warningsOf(outcomeAt(result, 0))).toContain('no-such-command-here');
});

test('6. a timeout is in seconds and open, the tool runs, and no process is left', async () => {
  const mark = 'copilot-timeout';
  const hooks = hooksOf('preToolUse', { command: `MARK=${mark} sleep 9; echo x`, timeoutSec: 1 });
  const { status, result } = await calledWith(hooks);
  expect([status, deeds(result.before as never)]).toEqual(['executed', ['timed-out']]);
  await until('the processes have ended', () => processesWith(mark).length === 0);
});

test('6. with onError, which only Tenterhook has, a timeout denies too', async () => {
  const result = await fire(shell, 'preToolUse', { command: 'sleep 9', timeoutSec: 0.2, onError: 'block' });
  expect(result.verdict.kind).toBe('deny');
});

test.each([1, 2])('7. after a tool, exit code %d leaves the result, with a warning', async (code) => {
  const result = await fire(after, 'postToolUse', `echo boom >&2; exit ${code}`);
  expect([result.verdict.kind, specificOf(result)]).toEqual(['none', {}]);
  expect(warningsOf(outcomeAt(result, 0))).toContain('boom');
});

test('8. after a failed tool, exit 2 makes the output context', async () => {
  const result = await fire(failed, 'postToolUseFailure', 'echo try again; exit 2');
  expect([specificOf(result), outcomeAt(result, 0).warnings]).toEqual([{ additionalContext: 'try again' }, []]);
});

test('9. a request for permission is denied by exit 2, and by behavior', async () => {
  expect((await fire(permission, 'permissionRequest', 'echo no >&2; exit 2')).verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  const said = await fire(permission, 'PermissionRequest', says({ behavior: 'deny', message: 'no', interrupt: true }));
  expect(said.verdict).toMatchObject({ kind: 'deny', reason: 'no', stop: true });
  expect((await fire(permission, 'permissionRequest', says({ behavior: 'allow' }))).verdict.kind).toBe('allow');
  expect((await fire(permission, 'permissionRequest', 'exit 1')).verdict.kind).toBe('none');
});

test('10. an ask asks the user, and is a deny without a user, as in the cloud', async () => {
  const asks = says({ permissionDecision: 'ask', permissionDecisionReason: 'sure?' });
  expect((await fire(shell, 'preToolUse', asks)).verdict).toMatchObject({ kind: 'ask', reason: 'sure?' });
  expect((await calledWith(hooksOf('preToolUse', asks))).status).toBe('blocked');
  const cloud = await fire(shell, 'preToolUse', asks, { ask: 'deny' });
  expect(cloud.verdict).toMatchObject({ kind: 'deny', reason: 'sure?' });
  expect(warningCodes(outcomeAt(cloud, 0))).toEqual(['unsupported_ask']);
});

test('11. modifiedArgs replaces all arguments; updatedInput does so under a Pascal key alone', async () => {
  const modified = says({ modifiedArgs: { command: 'ls' } });
  const updated = nested({ updatedInput: { command: 'ls' } });
  expect((await calledWith(hooksOf('preToolUse', modified))).calls).toEqual([{ command: 'ls' }]);
  expect((await calledWith(hooksOf('PreToolUse', updated))).calls).toEqual([{ command: 'ls' }]);
  const ignored = await fire(shell, 'preToolUse', updated);
  expect([ignored.changes, warningCodes(outcomeAt(ignored, 0))]).toEqual([[], ['rewrite_ignored']]);
});

test('12. two hooks rewrite in turn: the second sees the first, and the tool gets the second', async () => {
  const first = says({ modifiedArgs: { command: 'one' } });
  const second = `cat > seen.json; ${says({ modifiedArgs: { command: 'two' } })}`;
  await withCopilot(hooksOf('preToolUse', { command: first, recheck: false }, { command: second, recheck: false }), async (scene) => {
    const result = await scene.handler.fire(...shell);
    expect(JSON.parse(scene.read('seen.json') ?? '')).toMatchObject({ toolArgs: { command: 'one' } });
    expect(specificOf(result)).toMatchObject({ tool_input: { command: 'two' } });
  });
});

test('13. after a deny the other hooks are skipped', async () => {
  const result = await fire(shell, 'preToolUse', [says(noReason), 'true']);
  expect([deeds(result), result.verdict.kind]).toEqual([['blocked', 'skipped: chain-ended'], 'deny']);
});

test('14. a deny after an allow denies', async () => {
  expect((await fire(shell, 'preToolUse', [says({ permissionDecision: 'allow' }), says(noReason)])).verdict.kind).toBe('deny');
});

test('19. lines with progress are shown to the user and taken out; of two objects only a deny counts', async () => {
  const progress = says({ type: 'progress', message: 'looking' });
  const result = await fire(shell, 'preToolUse', `${progress}; ${progress}; ${says(noReason)}`);
  expect([result.verdict.kind, result.verdict.reason]).toEqual(['deny', 'no']);
  expect(outcomeAt(result, 0)).toMatchObject({ warnings: [], output: { hookSpecificOutput: { userMessage: 'looking\nlooking' } } });
  const allow = says({ permissionDecision: 'allow' });
  const two = await fire(shell, 'preToolUse', `${allow}; ${allow}`);
  expect([two.verdict.kind, warningCodes(outcomeAt(two, 0))]).toEqual(['none', ['mixed_output']]);
  expect((await fire(shell, 'preToolUse', `${allow}; ${says(noReason)}`)).verdict.kind).toBe('deny');
});

test('20. text is not an opinion, with a warning', async () => {
  const result = await fire(shell, 'preToolUse', 'echo ok');
  expect([result.verdict.kind, warningCodes(outcomeAt(result, 0))]).toEqual(['none', ['not_an_object']]);
});

test('21. the same context in both places counts once', async () => {
  const answer = says({ additionalContext: 'note', hookSpecificOutput: { additionalContext: 'note' } });
  expect(specificOf(await fire(after, 'postToolUse', answer))).toEqual({ additionalContext: 'note' });
});

test('22. contexts of several hooks are joined and cut at 10 KB, with a mark', async () => {
  const long = (letter: string, count: number) =>
    `printf '{"additionalContext":"%s"}' "$(head -c ${count} /dev/zero | tr '\\0' ${letter})"`;
  const contextOf = async (hooks: readonly string[]) => specificOf(await fire(after, 'postToolUse', hooks))['additionalContext'];
  const [a, b] = ['a'.repeat(8000), 'b'.repeat(2240)];
  expect(await contextOf([long('a', 8000), long('b', 8000), long('c', 8)])).toBe(`${a}\n\n${b}… [truncated]`);
  // The first two fill the limit, so the third is left out as a whole.
  expect(await contextOf([long('a', 8000), long('b', 2240), long('c', 8)])).toBe(`${a}\n\n${b}\n\n… [truncated]`);
});

test('23. modifiedResult replaces the result, and with a failure the hooks of failures run', async () => {
  const modified = (resultType: string) => says({ modifiedResult: { resultType, textResultForLlm: 'gone' } });
  const kept = await fire(after, 'postToolUse', modified('success'));
  expect(kept.finalOutput?.hookSpecificOutput).toMatchObject({ updatedToolOutput: { llmContent: 'gone' } });
  const hooks = { ...hooksOf('postToolUse', modified('failure')), ...hooksOf('postToolUseFailure', 'cat > seen.json') };
  await withCopilot(hooks, async (scene) => {
    const result = await scene.handler.fire(...after);
    expect(deeds(result)).toEqual(['succeeded', 'succeeded']);
    expect(JSON.parse(scene.read('seen.json') ?? '')).toMatchObject({ error: 'gone' });
  });
});

test('24. a block makes the agent continue, at most eight times in a row; exit 2 is only a warning', async () => {
  const block = says({ decision: 'block', reason: 'r' });
  expect((await fire(stop, 'agentStop', block)).verdict).toMatchObject({ kind: 'deny', reason: 'r' });
  const ninth = await fire([stop[0], { ...stop[1], loop_count: 8 }], 'Stop', block);
  expect([ninth.verdict.kind, warningCodes(outcomeAt(ninth, 0))]).toEqual(['none', ['decision_ignored']]);
  const exited = await fire(stop, 'agentStop', 'echo r >&2; exit 2');
  expect([exited.verdict.kind, warningCodes(outcomeAt(exited, 0))]).toEqual(['none', ['no_effect']]);
  await withCopilot(hooksOf('agentStop', block), async ({ client }) => {
    let answers = 0;
    const respond = async () => {
      answers += 1;
      return 'answer';
    };
    await runAgentTurnWithHooks(client, { prompt: 'go', respond });
    expect(answers).toBe(9);
  });
});

test('25. context and a new prompt of userPromptSubmitted are passed on, with a warning', async () => {
  const result = await fire(prompt, 'userPromptSubmitted', says({ additionalContext: 'note', modifiedPrompt: 'p' }));
  expect(specificOf(result)).toMatchObject({ additionalContext: 'note', replacedPrompt: 'p' });
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['uncertain_effect', 'uncertain_effect']);
});

test('a prompt is denied by a block, and exit 2 rejects no prompt', async () => {
  expect((await fire(prompt, 'UserPromptSubmit', says({ decision: 'block', reason: 'no' }))).verdict).toMatchObject({
    kind: 'deny',
    reason: 'no',
  });
  const exited = await fire(prompt, 'UserPromptSubmit', 'echo no >&2; exit 2');
  expect([exited.verdict.kind, warningCodes(outcomeAt(exited, 0))]).toEqual(['none', ['no_effect']]);
});

test('37. Copilot itself does not read the reason of exit 2 from stderr, which a note says', async () => {
  const result = await fire(shell, 'preToolUse', 'echo no >&2; exit 2');
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(warningsOf(outcomeAt(result, 0))).toContain('"hook exited with code 2"');
});

test('40. a deny stays a deny, whatever later hooks say', async () => {
  const result = await fire(shell, 'preToolUse', [says(noReason), says({ permissionDecision: 'allow' })]);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
});

test.each([
  ['SessionStart', start],
  ['UserPromptSubmit', prompt],
  ['PostToolUse', after],
] as const)('41. nested context on %s counts, with a warning', async (key, moment) => {
  const result = await fire(moment, key, nested({ additionalContext: 'note' }));
  expect(specificOf(result)).toMatchObject({ additionalContext: 'note' });
  expect(warningsOf(outcomeAt(result, 0))).toContain('at the top level alone');
});

test.each([
  ['postToolUse', after, { permissionDecision: 'deny', permissionDecisionReason: 'no' }],
  ['preToolUse', shell, { decision: 'block', reason: 'no' }],
  ['preToolUse', shell, { continue: false, stopReason: 'no' }],
  ['permissionRequest', permission, { hookSpecificOutput: { decision: { behavior: 'deny', message: 'no' } } }],
  ['agentStop', stop, { hookSpecificOutput: { decision: 'block', reason: 'no' } }],
] as const)('a deny on %s in a field that Copilot does not read there counts, with a warning', async (key, moment, answer) => {
  const result = await fire(moment, key, says(answer));
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(warningCodes(outcomeAt(result, 0))).toContain('deny_counted');
});

test('an allow in such a field does not count, and fields without an effect are reported', async () => {
  const result = await fire(shell, 'preToolUse', says({ behavior: 'allow', modifiedResult: { textResultForLlm: 'x' }, other: 1 }));
  expect([result.verdict.kind, warningCodes(outcomeAt(result, 0)).sort()]).toEqual([
    'none',
    ['no_effect', 'reserved_field', 'rewrite_ignored'],
  ]);
});

test('34. in VS Code answers are inside hookSpecificOutput, and a message goes to the user', async () => {
  const vscode = { product: 'vscode' } as const;
  const blocked = await fire(stop, 'Stop', nested({ hookEventName: 'Stop', decision: 'block', reason: 'r' }), vscode);
  expect([blocked.verdict.kind, blocked.verdict.reason, outcomeAt(blocked, 0).warnings]).toEqual(['deny', 'r', []]);
  const shown = await fire(shell, 'PreToolUse', says({ systemMessage: 'm', hookSpecificOutput: noReason }), vscode);
  expect([shown.verdict.kind, specificOf(shown)['userMessage'], outcomeAt(shown, 0).warnings]).toEqual(['deny', 'm', []]);
});

test('9. an answer to a request for permission counts inside hookSpecificOutput too: the deny, its message and the interrupt', async () => {
  const denies = nested({ hookEventName: 'PermissionRequest', behavior: 'deny', message: 'no', interrupt: true });
  for (const key of ['permissionRequest', 'PermissionRequest']) {
    const result = await fire(permission, key, denies);
    expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', stop: true });
    expect(warningCodes(outcomeAt(result, 0))).toEqual(['deny_counted']);
  }
  const allowed = await fire(permission, 'permissionRequest', nested({ behavior: 'allow' }));
  expect([allowed.verdict.kind, warningCodes(outcomeAt(allowed, 0))]).toEqual(['none', ['no_effect']]);
});

test('8. an output of a failed tool that was cut off is a failure, and no context', async () => {
  const command = `head -c 200000 /dev/zero | tr '\\0' x; exit 2`;
  const options = { limits: { stdoutBytes: 1000 } };
  await withCopilot(
    hooksOf('postToolUseFailure', command),
    async ({ handler }) => {
      const result = await handler.fire(...failed);
      expect([specificOf(result), warningCodes(outcomeAt(result, 0))]).toEqual([{}, ['output_truncated']]);
      expect(outcomeAt(result, 0).status).toBe('failed');
    },
    options,
  );
});

test.each([
  ['postToolUse', after],
  ['agentStop', stop],
  ['sessionStart', start],
] as const)('continue false has no effect on %s, which a warning says', async (key, moment) => {
  const result = await fire(moment, key, says({ continue: false, stopReason: 'enough' }));
  expect([result.verdict.kind, result.verdict.stop]).toEqual(['none', false]);
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['no_effect']);
});

test('4. a hook that crashes again and again still denies with a circuit breaker, because its crashes open no circuit', async () => {
  const circuitBreaker = { failures: 2, windowMs: 3_600_000, pauseMs: 3_600_000 };
  await withCopilot(
    hooksOf('preToolUse', 'exit 1'),
    async ({ handler }) => {
      for (const _ of [1, 2, 3, 4]) {
        const result = await handler.fire(...shell);
        expect([result.verdict.kind, deeds(result)]).toEqual(['deny', ['failed']]);
      }
    },
    { circuitBreaker },
  );
});
