import { outcomeAt, says, warningCodes } from '../support/fire-hooks.js';
import { fireBash, fireClaude, specific, specificOf, toldTheUser } from './claude-hooks.js';
import { hostMoments, moment, moments } from './moments.js';

const blocking = [
  'PreToolUse',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'Stop',
  'SubagentStop',
  'TeammateIdle',
  'TaskCreated',
  'TaskCompleted',
  'ConfigChange',
  'PostToolBatch',
  'PreCompact',
  'Elicitation',
  'ElicitationResult',
  'WorktreeCreate',
];
/** Whose stderr is for the model. */
const feedback = ['PostToolUse', 'PostToolUseFailure'];
const others = [...moments, ...hostMoments].filter(([event]) => ![...blocking, ...feedback].includes(event));

test.each(blocking)('claude §6 exit 2: of a %s hook blocks, with stderr as the reason', async (event) => {
  const result = await fireClaude(moment(event), 'echo nope >&2; exit 2');
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'nope', by: [outcomeAt(result, 0).hookId] });
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'blocked', exitCode: 2, stderr: 'nope\n' });
  expect(specificOf(result)).not.toHaveProperty('additionalContext');
});

test('claude §6 exit 2: a compression cannot be blocked, and a warning says so', async () => {
  for (const command of ['exit 2', says({ decision: 'block' })]) {
    const result = await fireClaude(moment('PreCompact'), command);
    expect(warningCodes(outcomeAt(result, 0))).toContain('no_effect');
  }
});

test.each(feedback)('claude §6 exit 2: of a %s hook is feedback', async (event) => {
  const result = await fireClaude(moment(event), 'echo nope >&2; exit 2');
  expect(JSON.stringify([result.verdict.reason, specificOf(result)['additionalContext']])).toContain('nope');
});

test.each(others)('claude §6 exit 2: of a %s hook decides nothing, and the user is told', async (...each) => {
  const result = await fireClaude(each, 'echo nope >&2; exit 2');
  expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
  expect(toldTheUser(result)).toContain('nope');
  expect(specificOf(result)).not.toHaveProperty('additionalContext');
  expect(result.finalOutput?.systemMessage).toBeUndefined();
});

test.each<[string, string, string]>([
  ['the reason of stdout before stderr', `${says({ decision: 'block', reason: 'b' })}; echo a >&2`, 'b'],
  [
    'the permissionDecisionReason of stdout before stderr',
    `${specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'b' })}; echo a >&2`,
    'b',
  ],
  ['stderr before the text of stdout', 'echo b; echo a >&2', 'a'],
  ['the text of stdout before a default', 'echo b', 'b'],
])('claude §6 exit 2: the reason is %s', async (_, command, reason) => {
  expect((await fireBash(`${command}; exit 2`)).verdict).toMatchObject({ kind: 'deny', reason });
});

test('claude §6 exit 2: a silent one has a reason that names the hook', async () => {
  expect((await fireBash('exit 2')).verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('"exit 2"') });
});

test('claude §6 exit 2: its stop and its message count', async () => {
  const result = await fireBash(`${says({ continue: false, stopReason: 's', systemMessage: 'm' })}; echo no >&2; exit 2`);
  expect(result.verdict).toMatchObject({ kind: 'deny', stop: true, stopReason: 's' });
  expect(specificOf(result)).toMatchObject({ userMessage: 'm' });
});

test.each([1, 3, 100])('claude §6: JSON on stdout counts with exit %s, whatever it says', async (exitCode) => {
  const output = { systemMessage: 'm', hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'c' } };
  const result = await fireBash(`${says(output)}; exit ${exitCode}`);
  expect(result.verdict.kind).toBe('none');
  expect(specificOf(result)).toMatchObject({ userMessage: 'm', additionalContext: 'c' });
  expect(warningCodes(outcomeAt(result, 0))).toContain('exit_code');
});

test('claude §6: an output that was cut off is a failure, and never an answer', async () => {
  const result = await fireBash(`printf '{"a":"'; head -c 17000000 /dev/zero | tr '\\0' x`);
  expect(result.verdict.kind).toBe('none');
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed' });
  expect(warningCodes(outcomeAt(result, 0))).toContain('output_truncated');
});
