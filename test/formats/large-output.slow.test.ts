import { jest } from '@jest/globals';
import { isPlainObject } from '@tenterhook/runtime/json';
import { fireTool, outcomeAt, settingsOf, warningCodes, withHooks } from '../support/fire-hooks.js';

// The tests print hundreds of megabytes, possibly on a busy machine.
jest.setTimeout(120_000);

const deny = '{"decision":"deny","reason":"no"}';
const allow = '{"decision":"allow","reason":"ok"}';

async function fired(command: string) {
  const result = await fireTool([command]);
  const outcome = outcomeAt(result, 0);
  return { status: outcome.status, kind: result.verdict.kind, reason: result.verdict.reason, codes: warningCodes(outcome), outcome };
}

const hundredMb = 100_000_000;
const xs = `head -c ${hundredMb} /dev/zero | tr '\\0' x`;
const inReason = `printf '{"decision":"deny","reason":"'; ${xs}; printf '"}'`;
const maxBytes = 16 * 1024 * 1024;

test.each([
  ['of text', xs],
  ['of JSON with a deny', inReason],
])('100 MB %s on one line are cut off, and the answer is not read', async (_, command) => {
  const { status, kind, codes, outcome } = await fired(command);
  expect({ status, kind, codes }).toEqual({ status: 'failed', kind: 'none', codes: ['output_truncated'] });
  expect(outcome).toMatchObject({ exitCode: 0, truncated: true });
  expect(outcome.stdout).toHaveLength(maxBytes);
  expect(outcome.stdoutBytes).toBeGreaterThan(maxBytes);
});

test('100 MB of JSON on one line deny where a failure blocks, and where the hook exits with 2', async () => {
  const results = await Promise.all([fireTool([{ command: inReason, onError: 'block' }]), fireTool([`${inReason}; echo no >&2; exit 2`])]);
  expect(results.map(({ verdict, outcomes }) => [verdict.kind, outcomes[0]?.status])).toEqual([
    ['deny', 'failed'],
    ['deny', 'blocked'],
  ]);
  expect(outcomeAt(results[0], 0).failedClosed).toBe(true);
  expect(results[1].verdict.reason).toBe('no');
});

test('100 MB on one line are read where the limit allows: a reason as long as that, but no text as long as that', async () => {
  const settings = settingsOf('BeforeTool', [inReason, xs]);
  await withHooks({ settings, limits: { stdoutBytes: 200 * 1024 * 1024 } }, async ({ handler }) => {
    const { verdict, outcomes, finalOutput } = await handler.fireBeforeToolEvent('write_file', {});
    expect(outcomes.map(({ status, truncated, warnings }) => [status, truncated, warnings.map(({ code }) => code)])).toEqual([
      ['blocked', undefined, []],
      ['failed', undefined, ['output_truncated']],
    ]);
    expect(verdict.kind).toBe('deny');
    expect([verdict.reason?.length, finalOutput?.systemMessage]).toEqual([hundredMb, undefined]);
  });
});

test('a deny after a million lines counts', async () => {
  const { kind, codes, outcome } = await fired(`yes 'line of log' | head -n 1000000; echo '${deny}'`);
  expect({ kind, codes }).toEqual({ kind: 'deny', codes: ['output_truncated', 'mixed_output'] });
  expect(outcome.stdoutBytes).toBe(12_000_000 + deny.length + 1);
});

test('a deny before a million objects on lines of their own counts', async () => {
  const { kind, codes } = await fired(`echo log; echo '${deny}'; yes '{"a":1}' | head -n 1000000`);
  expect({ kind, codes }).toEqual({ kind: 'deny', codes: ['output_truncated', 'mixed_output', 'invalid_json'] });
});

test('of 100 MB on stderr the first are kept, a block counts, and so does an answer on stdout', async () => {
  const blocked = await fired(`{ ${xs}; } >&2; exit 2`);
  expect(blocked).toMatchObject({ status: 'blocked', kind: 'deny', codes: ['output_truncated'] });
  expect(blocked.outcome.stderr).toHaveLength(1024 * 1024);
  expect(blocked.reason).toMatch(/^x+/);
  const answered = await fired(`{ ${xs}; } >&2; echo '${allow}'`);
  expect(answered).toMatchObject({ status: 'succeeded', kind: 'allow', codes: ['output_truncated'] });
});

test('a million lines on stderr of a hook that fails are not a message of a million lines', async () => {
  const { status, codes, outcome } = await fired("yes 'line of log' | head -n 1000000 >&2; exit 1");
  expect({ status, codes }).toEqual({ status: 'failed', codes: ['exit_code', 'output_truncated'] });
  expect(outcome.warnings.every(({ message }) => message.length < 1000)).toBe(true);
});

test('a field that holds two hundred thousand numbers is passed on as it is; one with millions is a flood', async () => {
  const numbers = (count: number) =>
    `printf '{"decision":"deny","reason":"no","list":[0'; yes ,0 | head -n ${count} | tr -d '\\n'; printf ']}'`;
  const { kind, codes, outcome } = await fired(numbers(200_000));
  expect({ kind, codes }).toEqual({ kind: 'deny', codes: [] });
  expect(isPlainObject(outcome.output) && (outcome.output['list'] as unknown[]).length).toBe(200_001);
  expect(await fired(numbers(5_000_000))).toMatchObject({ status: 'failed', codes: ['output_truncated'] });
});
