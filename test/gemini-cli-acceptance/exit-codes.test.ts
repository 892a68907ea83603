import { outcomeAt, says, warningCodes } from '../support/fire-hooks.js';
import { fireWrite, idOf } from './gemini-hooks.js';

const deny = says({ decision: 'deny', reason: 'no' });
const first = idOf('0.0');

test.each(['true', says({})])('gemini 1: exit 0 after %s is no opinion', async (command) => {
  const result = await fireWrite(command);
  expect(result.verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', exitCode: 0, warnings: [] });
  expect(result.finalOutput?.systemMessage).toBeUndefined();
});

test.each(['deny', 'block'])('gemini 2: the decision "%s" denies', async (decision) => {
  const result = await fireWrite(says({ decision, reason: 'no' }));
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: [first] });
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'blocked', warnings: [] });
});

test('gemini 3: exit 2 denies, and stderr is the reason', async () => {
  const result = await fireWrite('echo no >&2; exit 2');
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: [first] });
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'blocked', exitCode: 2 });
});

test('gemini 4: a silent exit 2 denies with a reason that names the hook', async () => {
  const result = await fireWrite({ name: 'guard', command: 'exit 2' });
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: expect.stringMatching(/guard.*2/) });
});

test.each<[string, string]>([
  ['{}', 'no'],
  ['{"decision":"allow"}', 'no'],
  ['{"decision":"allow","reason":"because"}', 'because'],
])('gemini 5: exit 2 denies although stdout says %s; the reason is %j', async (stdout, reason) => {
  const result = await fireWrite(`echo '${stdout}'; echo no >&2; exit 2`);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason });
});

test('gemini 6: exit 2 with a log on stdout has stderr as its reason', async () => {
  expect((await fireWrite('echo checking; echo no >&2; exit 2')).verdict).toMatchObject({ kind: 'deny', reason: 'no' });
});

test('gemini 7: exit 0 with an empty stdout: JSON on stderr is the answer', async () => {
  const result = await fireWrite(`${says({ decision: 'deny', reason: 'x' })} >&2`);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'x', by: [first] });
});

test('a log on stderr is neither an answer nor a message', async () => {
  const result = await fireWrite('echo loading >&2');
  expect(result.verdict.kind).toBe('none');
  expect(result.finalOutput?.systemMessage).toBeUndefined();
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'succeeded', stderr: 'loading\n', warnings: [] });
});

test('gemini 8: exit 1 with text lets the tool run, and tells the user and not the model', async () => {
  const result = await fireWrite('echo oops >&2; exit 1');
  expect(result.verdict.kind).toBe('none');
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', exitCode: 1, warnings: [{ message: expect.stringContaining('oops') }] });
  expect(result.finalOutput?.systemMessage).toBeUndefined();
  expect(result.finalOutput?.decision).toBeUndefined();
});

test('gemini 9: a deny object with exit 1 denies, with a warning', async () => {
  const result = await fireWrite(`${deny}; echo oops >&2; exit 1`);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(outcomeAt(result, 0).warnings).toMatchObject([{ code: 'exit_code', message: expect.stringContaining('oops') }]);
  expect((await fireWrite(`${says({ decision: 'allow' })}; exit 3`)).verdict.kind).toBe('allow');
});

test('gemini 10: a text with exit 3 denies, and silence is a failure', async () => {
  expect((await fireWrite('echo bad >&2; exit 3')).verdict).toMatchObject({ kind: 'deny', reason: 'bad', by: [first] });
  expect((await fireWrite('echo bad; echo log >&2; exit 4')).verdict).toMatchObject({ kind: 'deny', reason: 'bad' });
  const silent = await fireWrite('exit 3');
  expect(silent.verdict.kind).toBe('none');
  expect(outcomeAt(silent, 0)).toMatchObject({ status: 'failed', exitCode: 3, warnings: [{ code: 'exit_code' }] });
});

test('gemini 11: a missing script denies, and a warning names the command', async () => {
  const result = await fireWrite('/no/such/guard.sh');
  expect(result.verdict).toMatchObject({ kind: 'deny', by: [first] });
  const message = expect.stringContaining('/no/such/guard.sh');
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'blocked', exitCode: 127, warnings: [{ code: 'missing_command', message }] });
});

test('gemini 12: a text with exit 0 is a message and no decision', async () => {
  const result = await fireWrite('echo hello');
  expect(result.verdict.kind).toBe('none');
  expect(result.finalOutput?.systemMessage).toBe('hello');
});

test('gemini 13: a deny object behind a log line counts', async () => {
  const result = await fireWrite(`echo checking; ${deny}`);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['mixed_output']);
});

test.each([
  ['decision', '{"decision":"DENY"}'],
  ['decision', '{"decision":true}'],
  ['continue', '{"continue":"false"}'],
])('gemini 14: the field %s in %s has no effect, and a warning', async (field, text) => {
  const result = await fireWrite(`echo '${text}'`);
  expect(result.verdict).toMatchObject({ kind: 'none', stop: false });
  expect(outcomeAt(result, 0).warnings).toEqual([{ code: 'wrong_type', message: expect.stringContaining(field) }]);
});

test.each(['[1,2]', '42', 'null'])('%s on stdout is no output, and a warning', async (text) => {
  const result = await fireWrite(`echo '${text}'`);
  expect(result.verdict.kind).toBe('none');
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['not_an_object']);
});

test('an object in a JSON text is unwrapped once', async () => {
  const result = await fireWrite(`echo '${JSON.stringify(JSON.stringify({ decision: 'deny', reason: 'no' }))}'`);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['double_encoded']);
});

test('gemini 15: a hook that is killed after it printed has failed, and its signal is named', async () => {
  const result = await fireWrite('echo text; kill -9 $$');
  const outcome = outcomeAt(result, 0);
  expect(result.verdict.kind).toBe('none');
  expect(outcome).toMatchObject({
    status: 'failed',
    signal: 'SIGKILL',
    warnings: [{ code: 'signal', message: expect.stringContaining('SIGKILL') }],
  });
  expect(result.finalOutput?.systemMessage).toBeUndefined();
});

test('a field that Gemini CLI does not have is dropped, with a warning, and the rest counts', async () => {
  const result = await fireWrite(says({ decision: 'deny', reason: 'no', color: 'red', hookSpecificOutput: { mood: 'bad' } }));
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect(warningCodes(outcomeAt(result, 0))).toEqual(['reserved_field', 'reserved_field']);
  expect(result.finalOutput).not.toHaveProperty('color');
});

test('onError, a field of ours, closes a guard that Gemini CLI would leave open', async () => {
  const result = await fireWrite({ name: 'guard', command: 'exit 1', onError: 'block' });
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('guard') });
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', failedClosed: true });
});
