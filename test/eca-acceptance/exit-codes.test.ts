import { createHookClient, executeToolWithHooks, runAgentTurnWithHooks } from '@tenterhook/agent';
import type { HookEventName } from '@tenterhook/protocol';
import { recordingTool } from '../support/agent.js';
import { outcomeAt, says, warningCodes } from '../support/fire-hooks.js';
import { contextOf, deeds, firePrompt, fireShell, hookOf, idOf, preToolCall, withEca } from './eca-hooks.js';

test('eca 3: exit 2 denies, and stderr is the reason', async () => {
  const result = await fireShell({ guard: preToolCall('echo nope >&2; exit 2') });
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'nope', by: [idOf('guard')] });
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'blocked', exitCode: 2, stderr: 'nope\n' });
  // Another exit code than 0 is not the word of a healthy hook, also where it is meant (design §4.5).
  expect(result.success).toBe(false);
  expect(result.errors).toEqual([]);
});

test('eca 3: a silent exit 2 denies with a reason that names the hook', async () => {
  const result = await fireShell({ 'no-shell': preToolCall('exit 2') });
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('no-shell') });
});

test.each<[string, string, string]>([
  ['additionalContext of stdout before stderr', `${says({ additionalContext: 'b' })}; echo a >&2`, 'b'],
  ['stopReason of stdout before stderr', `${says({ stopReason: 'b' })}; echo a >&2`, 'b'],
  ['stderr before the text of stdout', 'echo b; echo a >&2', 'a'],
  ['the text of stdout before a default', 'echo b', 'b'],
  ['stderr where the object of stdout has no reason', `${says({ approval: 'deny' })}; echo a >&2`, 'a'],
])('eca 4: the reason of exit 2 is %s', async (_, command, reason) => {
  const result = await fireShell({ guard: preToolCall(`${command}; exit 2`) });
  expect(result.verdict).toMatchObject({ kind: 'deny', reason });
  expect(contextOf(result)).toBeUndefined();
});

test.each<[string, Record<string, unknown>]>([
  ['a deny', { approval: 'deny' }],
  ['a rewrite', { updatedInput: { x: 1 } }],
  ['a stop', { continue: false }],
  ['context', { additionalContext: 'c' }],
])('eca 5: exit 1 is a failure, and %s that it printed is not obeyed', async (_, output) => {
  const result = await fireShell({ guard: preToolCall(`${says(output)}; echo broke >&2; exit 1`), next: preToolCall('true') });
  expect(result.verdict).toMatchObject({ kind: 'none', stop: false });
  expect(result.changes).toEqual([]);
  expect(contextOf(result)).toBeUndefined();
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', exitCode: 1 });
  expect(outcomeAt(result, 0).warnings[0]).toMatchObject({ code: 'exit_code', message: expect.stringContaining('broke') });
  expect(result).toMatchObject({ success: false, errors: [{ code: 'exit_code', hookId: idOf('guard') }] });
  expect(deeds(result).at(-1)).toEqual(['next', 'succeeded']);
});

test('eca 5: a decision that is not obeyed is said to be lost', async () => {
  const result = await fireShell({ guard: preToolCall(`${says({ approval: 'deny' })}; exit 1`) });
  expect(warningCodes(outcomeAt(result, 0))).toContain('decision_ignored');
});

test('eca 16: a hook that fails costs the deny of the next one nothing', async () => {
  const result = await fireShell({ a: preToolCall('exit 1'), b: preToolCall(says({ approval: 'deny', additionalContext: 'no' })) });
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: [idOf('b')] });
  expect(deeds(result)).toEqual([
    ['a', 'failed'],
    ['b', 'blocked'],
  ]);
});

test('eca 25: exit 2 of a preRequest hook blocks the prompt, and stderr is the reason', async () => {
  const result = await firePrompt({ guard: hookOf('preRequest', 'echo nope >&2; exit 2'), later: hookOf('preRequest', 'true') });
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'nope', by: [idOf('guard', 'BeforeAgent')] });
  expect(deeds(result)).toEqual([
    ['guard', 'blocked'],
    ['later', 'skipped', 'chain-ended'],
  ]);
});

const withoutEffect: [type: string, eventName: HookEventName, input: Record<string, unknown>][] = [
  ['sessionStart', 'HostStart', {}],
  ['sessionEnd', 'HostEnd', {}],
  ['chatStart', 'SessionStart', { source: 'startup' }],
  ['chatEnd', 'SessionEnd', { reason: 'exit' }],
  ['postRequest', 'AfterAgent', { prompt: 'p', prompt_response: 'r', stop_hook_active: false }],
];

test.each(withoutEffect)(
  'exit 2 of a %s hook is a warning and no decision, and the chain goes on (decision 59)',
  async (type, eventName, input) => {
    await withEca({ a: hookOf(type, 'echo nope >&2; exit 2'), b: hookOf(type, 'true') }, async ({ handler }) => {
      const result = await handler.fire(eventName, input);
      expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
      expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', exitCode: 2 });
      expect(warningCodes(outcomeAt(result, 0))).toContain('no_effect');
      expect(JSON.stringify(outcomeAt(result, 0).warnings)).toContain('nope');
      expect(deeds(result)[1]).toEqual(['b', 'succeeded']);
      expect(result.success).toBe(false);
    });
  },
);

test('exit 2 of a postRequest hook does not keep the agent going', async () => {
  await withEca({ a: hookOf('postRequest', 'echo again >&2; exit 2') }, async ({ hooks }) => {
    expect(await runAgentTurnWithHooks(createHookClient(hooks), { prompt: 'p', respond: () => 'r' })).toMatchObject({
      status: 'completed',
      turns: 1,
    });
  });
});

test('exit 2 of a postToolCall hook is feedback: the result stays, and the reason is behind it (decisions 19 and 59)', async () => {
  await withEca({ a: hookOf('postToolCall', 'echo tests fail >&2; exit 2') }, async ({ hooks }) => {
    const tool = recordingTool();
    const call = await executeToolWithHooks(createHookClient(hooks), { name: 'write_file', input: {}, ...tool });
    expect(call).toMatchObject({ status: 'executed', reason: 'tests fail', after: { verdict: { kind: 'deny' } } });
    expect(call.result).toEqual({ llmContent: 'done\n\ntests fail', returnDisplay: 'done' });
  });
});

test('exit 2 denies, also beside {"approval":"allow"}', async () => {
  const result = await fireShell({ guard: preToolCall(`${says({ approval: 'allow' })}; exit 2`) });
  expect(result.verdict).toMatchObject({ kind: 'deny', by: [idOf('guard')] });
  expect(warningCodes(outcomeAt(result, 0))).toContain('decision_ignored');
});

test('exit 2 rewrites nothing', async () => {
  const result = await fireShell({ guard: preToolCall(`${says({ updatedInput: { x: 1 } })}; exit 2`) });
  expect(result).toMatchObject({ verdict: { kind: 'deny' }, changes: [] });
  expect(warningCodes(outcomeAt(result, 0))).toContain('rewrite_ignored');
});
