import { executeToolWithHooks } from '@tenterhook/agent';
import { recordingTool } from '../support/agent.js';
import { outcomeAt, says, warningCodes } from '../support/fire-hooks.js';
import { callBash, deeds, fireBash, fireClaude, idOf, permission, preToolUse, specific, withClaude } from './claude-hooks.js';
import { moments } from './moments.js';

const [first, second] = [idOf('0.0'), idOf('0.1')];

test.each(['true', 'echo', 'echo "{}"'])('claude 1: exit 0 without a word is no opinion, and never allow: %s', async (command) => {
  const result = await fireBash(command);
  expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
  expect(outcomeAt(result, 0)).toMatchObject({ hookId: first, dialect: 'claude-code', status: 'succeeded', exitCode: 0, warnings: [] });
  expect(outcomeAt(result, 0).output?.decision).toBeUndefined();
  expect(result).toMatchObject({ success: true, changes: [], errors: [] });
});

test('claude 1: the host that would ask its user still does', async () => {
  await withClaude(preToolUse('true'), async ({ client }) => {
    const tool = recordingTool();
    const call = await executeToolWithHooks(client, { name: 'run_shell_command', input: {}, ...tool, approval: 'ask', ask: () => 'deny' });
    expect(call.status).toBe('blocked');
    expect(tool.calls).toEqual([]);
  });
});

test('claude 2: exit 2 blocks and wins over a JSON allow; the reason is stderr', async () => {
  const result = await fireBash(`${permission('allow')}; echo no >&2; exit 2`);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: [first] });
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'blocked', exitCode: 2 });
  expect(warningCodes(outcomeAt(result, 0))).toContain('decision_ignored');
  // Another exit code than 0 is not the word of a healthy hook, also where it is meant (design §4.5).
  expect(result.success).toBe(false);
});

test('claude 3: exit 1 with a valid deny object denies', async () => {
  const result = await fireBash(`${permission('deny', { permissionDecisionReason: 'no' })}; echo broke >&2; exit 1`);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: [first] });
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'blocked', exitCode: 1 });
  expect(result.success).toBe(false);
});

test('claude 3: an allow counts alike, and the error is shown', async () => {
  const result = await fireBash(`${permission('allow')}; echo broke >&2; exit 1`);
  expect(result.verdict).toMatchObject({ kind: 'allow', by: [first] });
  expect(outcomeAt(result, 0).warnings).toMatchObject([{ code: 'exit_code', message: expect.stringContaining('broke') }]);
});

test.each<[string[], string, string[]]>([
  [['allow', 'ask'], 'ask', [second]],
  [['ask', 'allow'], 'ask', [first]],
  [['deny', 'ask'], 'deny', [first]],
  [['ask', 'deny'], 'deny', [second]],
  [['deny', 'allow'], 'deny', [first]],
  [['ask', ''], 'ask', [first]],
  [['', 'ask'], 'ask', [second]],
  [['allow', ''], 'allow', [first]],
  [['ask', 'ask'], 'ask', [first, second]],
])('claude 9: of %j side by side the verdict is %s', async (decisions, kind, by) => {
  // The comments keep two handlers of one text apart, which would run once.
  const handlers = decisions.map((each, index) => `${each === '' ? 'true' : permission(each)} # ${index}`);
  expect((await fireBash(handlers)).verdict).toMatchObject({ kind, by });
});

test('claude 9: the reasons are those of the hooks that decided', async () => {
  const reason = (text: string) => ({ permissionDecisionReason: text });
  const result = await fireBash([
    permission('deny', reason('a')),
    permission('allow', reason('b')),
    permission('ask', reason('c')),
    permission('deny', reason('d')),
  ]);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'a\nd' });
});

test('claude 10: defer and allow are published as ask, with a warning', async () => {
  const result = await fireBash([permission('defer'), permission('allow')]);
  expect(result.verdict).toMatchObject({ kind: 'ask', by: [first] });
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['deferred']);
});

test('claude 10: defer and deny are deny; defer alone, and beside an ask, is ask', async () => {
  expect((await fireBash([permission('defer'), permission('deny')])).verdict).toMatchObject({ kind: 'deny', by: [second] });
  expect((await fireBash(permission('defer'))).verdict).toMatchObject({ kind: 'ask', by: [first] });
  expect((await fireBash([permission('defer'), permission('ask')])).verdict).toMatchObject({ kind: 'ask' });
});

test.each([
  ['block', 'deny'],
  ['approve', 'allow'],
])('claude 11: the decision "%s" at top level is %s', async (decision, kind) => {
  const result = await fireBash(says({ decision, reason: 'r' }));
  expect(result.verdict).toMatchObject({ kind, by: [first] });
  if (kind === 'deny') expect(result.verdict.reason).toBe('r');
});

test('claude 11: of both words of one hook the stricter counts', async () => {
  const both = (decision: string, permissionDecision: string) =>
    says({ decision, hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision } });
  expect((await fireBash(both('approve', 'deny'))).verdict.kind).toBe('deny');
  expect((await fireBash(both('block', 'allow'))).verdict.kind).toBe('deny');
  expect((await fireBash(both('approve', 'ask'))).verdict.kind).toBe('ask');
});

test.each(moments)('claude 20: continue false stops on %s, with the stop reason', async (...moment) => {
  const result = await fireClaude(moment, says({ continue: false, stopReason: 's' }));
  expect(result.verdict).toMatchObject({ kind: 'none', stop: true, stopReason: 's', stoppedBy: [outcomeAt(result, 0).hookId] });
});

test('claude 20: a stop stands beside the decision', async () => {
  const allows = says({
    continue: false,
    stopReason: 's',
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' },
  });
  expect((await fireBash(allows)).verdict).toMatchObject({ kind: 'allow', stop: true, stopReason: 's' });
  const denies = says({ continue: false, stopReason: 's', decision: 'block', reason: 'r' });
  expect((await fireBash(denies)).verdict).toMatchObject({ kind: 'deny', reason: 'r', stop: true, stopReason: 's' });
});

test('claude §3: the hooks of an event run side by side, and each of them runs whatever the others say', async () => {
  const wait = (own: string, other: string) => `touch ${own}; until [ -e ${other} ]; do sleep 0.02; done`;
  const handlers = [`${wait('a', 'b')}; exit 2`, `${wait('b', 'a')}; ${permission('deny')}`];
  await withClaude(preToolUse(handlers), async ({ handler }) => {
    expect(deeds(await callBash(handler))).toEqual(['blocked', 'blocked']);
  });
});

test.each(['PreToolUse', 'Stop'])('claude §5: null says nothing on %s', async (event) => {
  const moment = moments.find(([name]) => name === event);
  if (moment === undefined) throw new Error(event);
  const result = await fireClaude(moment, says({ continue: null, decision: null, hookSpecificOutput: null }));
  expect(result.verdict).toMatchObject({ kind: 'none', stop: false });
});

test('claude §5: a word that is no permission decision has no effect, and a warning', async () => {
  const result = await fireBash(specific('PreToolUse', { permissionDecision: 'DENY' }));
  expect(result.verdict.kind).toBe('none');
  expect(outcomeAt(result, 0).warnings).toMatchObject([{ code: 'wrong_type', message: expect.stringContaining('permissionDecision') }]);
});
