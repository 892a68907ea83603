import { type Decoded, type HookOutput, hookCodes, type WarningCode } from '@tenterhook/protocol';
import { brokenOutput, brokenOutputCodes } from '../../src/outcome/check-output.js';
import { runHook } from '../../src/runner/run-hook.js';
import { fakeDialect, hookOf, toolEvent } from '../engine-rig.js';

const [open, closed] = [hookOf('a', { name: 'guard' }), hookOf('a', { name: 'guard', onError: 'block' })];
const warning = (code: WarningCode) => ({ code, message: `it is ${code}` });
const decoded = (output: HookOutput | undefined, ...codes: WarningCode[]): Decoded => ({
  ...(output === undefined ? {} : { output }),
  warnings: codes.map(warning),
});

test('every code of the list is one that hooks may have', () => {
  expect([...brokenOutputCodes].filter((code) => !(code in hookCodes))).toEqual([]);
});

test.each([...brokenOutputCodes])('%s breaks the answer of a hook with onError: block, and of no other', (code) => {
  expect(brokenOutput(decoded({ systemMessage: 'm' }, 'mixed_output', code), closed)).toEqual({ cause: warning(code) });
  expect(brokenOutput(decoded({ systemMessage: 'm' }, code), open)).toBeUndefined();
});

const unbroken = (Object.keys(hookCodes) as WarningCode[]).filter((code) => !brokenOutputCodes.has(code));

test.each(unbroken)('%s breaks no answer', (code) => {
  expect(brokenOutput(decoded({}, code), closed)).toBeUndefined();
});

test('a deny stays one of policy, whatever else is wrong', () => {
  for (const decision of ['deny', 'block'] as const) expect(brokenOutput(decoded({ decision }, 'wrong_type'), closed)).toBeUndefined();
});

test('an ask and an allow are not an answer of a hook that may have meant deny', () => {
  for (const decision of ['ask', 'allow'] as const) expect(brokenOutput(decoded({ decision }, 'wrong_type'), closed)).toBeDefined();
});

test('a stop that could be read is kept, and nothing else', () => {
  const output = { continue: false, stopReason: 's', systemMessage: 'm', hookSpecificOutput: { additionalContext: 'c' } };
  expect(brokenOutput(decoded(output, 'too_deep'), closed)?.stop).toEqual({ continue: false, stopReason: 's' });
  expect(brokenOutput(decoded({ continue: true }, 'too_deep'), closed)).not.toHaveProperty('stop');
});

test('what has failed in its dialect has failed', () => {
  const failure = { code: 'exit_code', message: 'm' } as const;
  expect(brokenOutput({ ...decoded(undefined, 'wrong_type'), failure }, closed)).toBeUndefined();
});

function run(codes: readonly WarningCode[], hook = closed) {
  const answer: HookOutput = { systemMessage: 'said' };
  const executor = { kind: 'call', run: async () => ({ kind: 'answered' as const, answer, durationMs: 1 }) };
  const dialect = fakeDialect({ decode: () => decoded(answer, ...codes) });
  const context = {
    dialects: [dialect],
    executors: new Map([['call', executor]]),
    environment: () => ({}),
    signal: new AbortController().signal,
  };
  return runHook(hook, toolEvent, context, { started() {} });
}

test('of every dialect: the outcome has failed, is closed, and says first what was wrong', async () => {
  const outcome = await run(['mixed_output', 'wrong_type', 'other_spelling']);
  expect(outcome).toMatchObject({ status: 'failed', failedClosed: true });
  expect(outcome).not.toHaveProperty('output');
  expect(outcome.warnings.map(({ code }) => code)).toEqual(['wrong_type', 'mixed_output', 'other_spelling', 'failed_closed']);
  expect(outcome.warnings.at(-1)?.message).toBe(
    'BeforeTool hook "guard" denies because it could not do its work (onError: block). it is wrong_type',
  );
});

test('a cause after a thousand other warnings is found and reported', async () => {
  const outcome = await run([...Array.from({ length: 1000 }, () => 'reserved_field' as const), 'wrong_type']);
  expect(outcome).toMatchObject({ status: 'failed', failedClosed: true });
  expect(outcome.warnings[0]).toEqual(warning('wrong_type'));
  expect(outcome.warnings.length).toBeLessThan(40);
});

test('with onError: continue nothing changes', async () => {
  const outcome = await run(['mixed_output', 'wrong_type'], open);
  expect(outcome).toMatchObject({ status: 'succeeded', output: { systemMessage: 'said' } });
  expect(outcome.warnings.map(({ code }) => code)).toEqual(['mixed_output', 'wrong_type']);
});

test('what a hook repeats is warned of once', async () => {
  const outcome = await run(Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? 'mixed_output' : 'double_encoded')));
  expect(outcome.warnings.map(({ code }) => code)).toEqual(['mixed_output', 'double_encoded']);
});
