import type { HookOutcome, WarningCode } from '@tenterhook/protocol';
import { summarizeOutcome } from '../../../src/output/timeline/outcome-summary.js';
import { idOf, outcome } from './samples.js';

const warning = (code: WarningCode) => [{ code, message: 'BeforeTool hook "guard" …' }];

const table: Record<string, [fields: Partial<HookOutcome>, summary: string]> = {
  'nothing said': [{}, 'no opinion'],
  'a deny': [{ status: 'blocked', output: { decision: 'block', reason: 'no' } }, 'denied'],
  'an ask': [{ output: { decision: 'ask' } }, 'asked'],
  'an allow': [{ output: { decision: 'approve' } }, 'allowed'],
  'a stop': [{ output: { continue: false, stopReason: 'enough' } }, 'stopped the agent'],
  context: [{ output: { hookSpecificOutput: { additionalContext: 'x' } } }, 'added context'],
  'empty context does not count': [{ output: { hookSpecificOutput: { additionalContext: ' ' } } }, 'no opinion'],
  'a message': [{ output: { systemMessage: 'all good' } }, 'said: "all good"'],
  'a message with a colour code': [{ output: { systemMessage: '\x1b[2Jgone\nnext' } }, 'said: "\\x1b[2Jgone\\nnext"'],
  'a message for the user': [{ output: { hookSpecificOutput: { userMessage: 'psst' } } }, 'user message: "psst"'],
  'hidden output': [{ output: { suppressOutput: true } }, 'hid the output'],
  'a synthetic response': [{ output: { hookSpecificOutput: { llm_response: { text: 'hi' } } } }, 'answered for the model'],
  'several at once': [{ output: { decision: 'allow', systemMessage: 'ok', continue: false } }, 'allowed, stopped the agent, said: "ok"'],
  'an exit code': [{ status: 'failed', exitCode: 3, warnings: warning('exit_code') }, 'exit code 3'],
  'a signal': [{ status: 'failed', signal: 'SIGKILL', warnings: warning('signal') }, 'ended by SIGKILL'],
  'a missing command': [{ status: 'failed', exitCode: 127, warnings: warning('missing_command') }, 'command not found'],
  'a file without the executable bit': [{ status: 'failed', exitCode: 126, warnings: warning('not_executable') }, 'command not executable'],
  'a process that could not be started': [{ status: 'failed', warnings: warning('spawn_failed') }, 'spawn failed'],
  'a failure that was closed': [
    { status: 'failed', exitCode: 1, failedClosed: true, warnings: warning('exit_code') },
    'exit code 1, so it denies',
  ],
  'a timeout': [{ status: 'timed-out', durationMs: 302, warnings: warning('timeout') }, 'timed out after 302 ms'],
  'cancelled while it ran': [{ status: 'cancelled', warnings: warning('cancelled') }, 'cancelled'],
  'never started': [{ status: 'cancelled', warnings: warning('not_started') }, 'not started'],
  'a matcher': [{ status: 'skipped', skipReason: 'matcher' }, 'skipped: matcher'],
  'a duplicate': [{ status: 'skipped', skipReason: 'duplicate', duplicateOf: idOf('other') }, 'skipped: duplicate of <other>'],
  'an open circuit': [{ status: 'skipped', skipReason: 'circuit-open', warnings: warning('circuit_open') }, 'skipped: it failed too often'],
  'an open circuit of a guard': [
    { status: 'skipped', skipReason: 'circuit-open', failedClosed: true, warnings: warning('circuit_open') },
    'skipped: it failed too often, so it denies',
  ],
  'a broken answer of a guard': [
    { status: 'failed', exitCode: 0, failedClosed: true, warnings: warning('wrong_type') },
    'wrong type, so it denies',
  ],
  detached: [{ status: 'detached' }, 'runs asynchronously'],
};

test.each(Object.entries(table))('%s', (_, [fields, summary]) => {
  expect(
    summarizeOutcome(outcome('guard', fields), { changes: [], started: undefined, labelOf: (id) => `<${id.split('/').at(-1)}>` }),
  ).toBe(summary);
});

test('names what a hook rewrote, and not what others did', () => {
  const changes = [
    { path: 'tool_input.content', hookId: idOf('redact'), before: 'a', after: 'b' },
    { path: 'tool_input.path', hookId: idOf('other'), before: 'a', after: 'b' },
  ];
  const redact = outcome('redact', { output: { hookSpecificOutput: { tool_input: { content: 'b' } } } });
  expect(summarizeOutcome(redact, { changes, started: undefined, labelOf: (id) => id })).toBe('rewrote tool_input.content');
});

test('a timeout is shown as it was configured', () => {
  const slow = outcome('slow', { status: 'timed-out', durationMs: 307.2 });
  const started = { elapsedMs: 0, timeoutMs: 300, toldAtMs: 0, isHidden: false };
  expect(summarizeOutcome(slow, { changes: [], started, labelOf: (id) => id })).toBe('timed out after 300 ms');
});
