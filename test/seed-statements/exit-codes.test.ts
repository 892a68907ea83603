import { EXIT_CODE_BLOCKING_ERROR, EXIT_CODE_NON_BLOCKING_ERROR, EXIT_CODE_SUCCESS } from '@tenterhook/protocol';
import { fireTool, outcomeAt, says, warningCodes } from '../support/fire-hooks.js';

const deny = says({ decision: 'deny', reason: 'no' });

test('0: the hook succeeded, and what it printed is obeyed', async () => {
  expect(EXIT_CODE_SUCCESS).toBe(0);
  const denied = await fireTool([`${deny}; exit ${EXIT_CODE_SUCCESS}`]);
  expect(denied.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  const rewritten = await fireTool([`${says({ hookSpecificOutput: { tool_input: { mode: 'x' } } })}; exit ${EXIT_CODE_SUCCESS}`]);
  expect(rewritten.finalOutput?.hookSpecificOutput).toMatchObject({ tool_input: { mode: 'x' } });
  expect(outcomeAt(rewritten, 0)).toMatchObject({ status: 'succeeded', exitCode: 0 });
});

test('1: a warning, and the operation goes on', async () => {
  expect(EXIT_CODE_NON_BLOCKING_ERROR).toBe(1);
  const result = await fireTool([`${deny}; echo broke >&2; exit ${EXIT_CODE_NON_BLOCKING_ERROR}`]);
  expect(result.verdict.kind).toBe('none');
  expect(result.finalOutput?.isBlockingDecision()).toBe(false);
  expect(outcomeAt(result, 0)).toMatchObject({
    status: 'failed',
    warnings: [{ code: 'exit_code', message: expect.stringContaining('broke') }, { code: 'decision_ignored' }],
  });
});

test('2: the operation is blocked', async () => {
  expect(EXIT_CODE_BLOCKING_ERROR).toBe(2);
  for (const printed of ['true', 'echo text', says({ decision: 'allow' })]) {
    const result = await fireTool([`${printed}; exit ${EXIT_CODE_BLOCKING_ERROR}`]);
    expect(result.verdict.kind).toBe('deny');
    expect(result.finalOutput?.isBlockingDecision()).toBe(true);
    expect(outcomeAt(result, 0).status).toBe('blocked');
  }
});

test('2: the reason is that of stdout, else stderr', async () => {
  expect((await fireTool([`${deny}; echo aside >&2; exit 2`])).verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  expect((await fireTool(['echo aside >&2; exit 2'])).verdict).toMatchObject({ kind: 'deny', reason: 'aside' });
});

test.each([1, 3, 42, 255])('%d: the hook failed, a warning says so, and the operation goes on', async (code) => {
  const result = await fireTool([`exit ${code}`]);
  expect(result.verdict).toMatchObject({ kind: 'none', stop: false });
  expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', exitCode: code, warnings: [{ code: 'exit_code' }] });
});

test('text with exit 0 is the system message, and no decision (decision 5)', async () => {
  const result = await fireTool(['echo all good']);
  expect(result.finalOutput?.systemMessage).toBe('all good');
  expect(result.verdict.kind).toBe('none');
  // Had it been an allow, it would outrank nothing but silence; beside an ask it must not count either.
  expect(outcomeAt(result, 0).output).not.toHaveProperty('decision');
});

test('text with exit 1 is a warning, and no part of the conversation (decision 4)', async () => {
  const result = await fireTool(['echo half done; exit 1']);
  expect(outcomeAt(result, 0).warnings).toEqual([{ code: 'exit_code', message: expect.stringContaining('half done') }]);
  expect(result.finalOutput?.systemMessage).toBeUndefined();
});

test('text with exit 2 is the reason of a deny', async () => {
  const result = await fireTool(['echo "Access denied: sensitive directory"; exit 2']);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'Access denied: sensitive directory' });
  expect(warningCodes(outcomeAt(result, 0))).toEqual([]);
});
