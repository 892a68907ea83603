import { acceptPromptWithHooks, executeToolWithHooks, startSessionWithHooks } from '@tenterhook/agent';
import { recordingTool } from '../support/agent.js';
import { outcomeAt, says } from '../support/fire-hooks.js';
import { callBash, fireBash, fireClaude, hooksOf, preToolUse, specific, specificOf, withClaude } from './claude-hooks.js';
import { hostMoments, moment, moments } from './moments.js';

const withContext = ['UserPromptSubmit', 'UserPromptExpansion', 'SessionStart'];
/** Whose text is something else: the path of what the hook made. */
const withMeaning = ['WorktreeCreate'];
const withoutContext = [...moments, ...hostMoments].filter(([event]) => ![...withContext, ...withMeaning].includes(event));

test('claude 15: text of a PreToolUse hook is no decision and no context', async () => {
  const result = await fireBash('echo hello');
  expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
  expect(specificOf(result)).not.toHaveProperty('additionalContext');
  expect(result.finalOutput?.systemMessage).toBeUndefined();
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', stdout: 'hello\n', warnings: [] });
});

test.each(withContext)('claude 15: text of a %s hook is context', async (event) => {
  const result = await fireClaude(moment(event), 'echo hello; echo world');
  expect(specificOf(result)).toMatchObject({ additionalContext: 'hello\nworld' });
  expect(specificOf(result)).not.toHaveProperty('userMessage');
  expect(result.verdict.kind).toBe('none');
});

test('claude 15: such context reaches the model, and the user is not shown it', async () => {
  const hooks = { ...hooksOf('UserPromptSubmit', 'echo It is Monday.'), ...hooksOf('SessionStart', 'echo Branch main.') };
  await withClaude(hooks, async ({ client }) => {
    const prompt = await acceptPromptWithHooks(client, { prompt: 'p' });
    expect(prompt).toMatchObject({ status: 'accepted', prompt: 'p', systemMessages: [], userMessages: [] });
    expect(prompt).toMatchObject({ promptForModel: expect.stringContaining('It is Monday.') });
    const session = await startSessionWithHooks(client, 'startup');
    expect(session).toMatchObject({ additionalContext: expect.stringContaining('Branch main.'), userMessages: [] });
  });
});

test.each(withoutContext)('claude §5 text: of a %s hook it is only shown to the user', async (...moment) => {
  const result = await fireClaude(moment, 'echo hello');
  expect(specificOf(result)).toMatchObject({ userMessage: 'hello' });
  expect(specificOf(result)).not.toHaveProperty('additionalContext');
  expect(result.finalOutput?.systemMessage).toBeUndefined();
  expect(result.verdict).toMatchObject({ kind: 'none', stop: false });
});

test('claude §5 text: what does not start with a brace is text, JSON or not', async () => {
  for (const text of ['[1,2]', '"quoted"', '42', 'true', 'null']) {
    const result = await fireClaude(moment('UserPromptSubmit'), `echo '${text}'`);
    expect(specificOf(result)).toMatchObject({ additionalContext: text });
  }
});

test('claude §5 text: what starts like an object and is none is no decision, and a warning', async () => {
  const result = await fireBash(`echo '{"decision": "block"'`);
  expect(result.verdict.kind).toBe('none');
  expect(outcomeAt(result, 0).warnings[0]).toMatchObject({ code: expect.stringMatching(/invalid_json|decision_in_text/) });
});

test('claude §5 text: a deny behind a log line counts', async () => {
  const deny = specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'no' });
  expect((await fireBash(`echo checking; ${deny}`)).verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  const allow = specific('PreToolUse', { permissionDecision: 'allow' });
  expect((await fireBash(`echo checking; ${allow}`)).verdict.kind).toBe('none');
});

test('claude §6 text: with exit 1 and no JSON it is neither context nor a message', async () => {
  const result = await fireClaude(moment('UserPromptSubmit'), 'echo hello; exit 1');
  expect(specificOf(result)).not.toHaveProperty('additionalContext');
  expect(result.verdict.kind).toBe('none');
});

test('claude 33: the systemMessages of two hooks are both told, in plan order, to the user', async () => {
  // The first ends last.
  const first = `until [ -e second ]; do sleep 0.02; done; ${says({ systemMessage: 'one' })}`;
  const second = `${says({ systemMessage: 'two' })}; touch second`;
  await withClaude(preToolUse([first, second]), async ({ handler }) => {
    const result = await callBash(handler);
    expect(specificOf(result)['userMessage']).toBe('one\ntwo');
    expect(result.finalOutput?.systemMessage).toBeUndefined();
    expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
  });
});

test('claude 33: the agent is told it as a message for the user, and not for the conversation', async () => {
  await withClaude(preToolUse(says({ systemMessage: 'one' })), async ({ client }) => {
    const call = await executeToolWithHooks(client, { name: 'run_shell_command', input: {}, ...recordingTool() });
    expect(call).toMatchObject({ status: 'executed', userMessages: ['one'], systemMessages: [], result: { llmContent: 'done' } });
  });
});
