import { findForeignDecision } from '../../../src/shared/output/foreign-decision.js';
import { decoded } from './invented-format.js';

test.each<[object, string | undefined]>([
  [{ permission: 'deny' }, 'permission'],
  [{ verdict: 'block' }, 'verdict'],
  [{ Approval: 'REJECT' }, 'Approval'],
  [{ block: true }, 'block'],
  [{ approved: false }, 'approved'],
  [{ hookSpecificOutput: { permissionDecision: 'ask' } }, 'hookSpecificOutput.permissionDecision'],
  [{ permission: 'allow' }, undefined],
  [{ block: false, approved: true }, undefined],
  [{ tool_input: { action: 'deny' } }, undefined],
  [{ text: 'deny' }, undefined],
])('%j objects in %s', (object, path) => {
  expect(findForeignDecision(object as Record<string, unknown>)?.path).toBe(path);
});

test('the decisions that a format reads itself are left to it', () => {
  const own = [['decision'], ['hookSpecificOutput', 'permissionDecision']];
  expect(findForeignDecision({ decision: 'deny', hookSpecificOutput: { permissionDecision: 'deny' } }, own)).toBeUndefined();
  expect(findForeignDecision({ hookSpecificOutput: { decision: 'deny' } }, own)?.path).toBe('hookSpecificOutput.decision');
});

test('an answer in such words gets a warning with an example of its format, and its allow is dropped', () => {
  const { output, warnings } = decoded({ stdout: JSON.stringify({ say: { verdict: 'allow' }, block: true }) });
  expect(output).toEqual({});
  expect(warnings).toEqual([
    {
      code: 'other_spelling',
      message: 'block is true, which decides nothing in this format; it is ignored. To deny, print {"say":{"verdict":"deny"}}.',
    },
  ]);
});

test('an answer that denies has no need of it', () => {
  expect(decoded({ stdout: JSON.stringify({ say: { verdict: 'deny' }, block: true }) })).toEqual({
    output: { decision: 'deny' },
    warnings: [],
  });
});

test.each([
  ['./guard.sh: line 3: jq: command not found', '"jq" was not found in line 3 of ./guard.sh. Install jq'],
  ['./guard.sh: 3: [[: not found', '"[[" was not found in line 3 of ./guard.sh. "[[" is a command of bash'],
  ['/usr/bin/bash: line 1: jq: command not found', '"jq" was not found by the shell. Install jq'],
])('exit code 0 after %s is reported', (stderr, message) => {
  expect(decoded({ stderr: `first\n${stderr}\n` }).warnings).toEqual([
    { code: 'missing_command', message: expect.stringContaining(message) },
  ]);
});

test.each(['user: not found', 'GET /a: 404: not found here', 'jq: command not found'])('a log that says %j is not', (stderr) => {
  expect(decoded({ stderr }).warnings).toEqual([]);
});
