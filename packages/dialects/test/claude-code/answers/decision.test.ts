import type { HookDefinition, HookEvent } from '@tenterhook/protocol';
import { claudeCode } from '../../../src/index.js';
import { eventOf } from '../../event-of.js';
import { codesOf, exitOf } from '../../printed.js';

const dialect = claudeCode();
const context = {
  projectDir: '/srv/app',
  home: '',
  environment: {},
  platform: 'linux',
  files: { isFile: () => false, isExecutable: () => false, head: () => undefined },
};

function hookOf(event: string): HookDefinition {
  const value = { hooks: { [event]: [{ hooks: [{ type: 'command', command: 'x' }] }] } };
  return dialect.parse({ source: 'settings', value, locate: () => undefined }, context).hooks[0] as HookDefinition;
}
const read = (event: string, answer: unknown, of: HookEvent) =>
  dialect.decode(exitOf({ stdout: JSON.stringify(answer) }), of, hookOf(event));
const call = eventOf('BeforeTool', { tool_name: 'run_shell_command', tool_input: { command: 'ls' } });

test.each(['deny', 'block'])('permissionDecision %j at the top level counts as a deny, with a warning', (permissionDecision) => {
  const { output, warnings } = read('PreToolUse', { permissionDecision, permissionDecisionReason: 'no' }, call);
  expect(output).toEqual({ decision: 'deny', reason: 'no' });
  expect(codesOf(warnings)).toContain('deny_counted');
});

test('an ask without a hookEventName counts, and nothing else of it does', () => {
  const { output, warnings } = read(
    'PreToolUse',
    { hookSpecificOutput: { permissionDecision: 'ask', updatedInput: { command: 'rm' } } },
    call,
  );
  expect(output).toEqual({ decision: 'ask' });
  expect(codesOf(warnings)).toEqual(['wrong_event', 'ask_counted']);
});

test('an allow in these places counts for nothing', () => {
  expect(read('PreToolUse', { permissionDecision: 'allow' }, call).output).toEqual({});
  expect(read('PreToolUse', { hookSpecificOutput: { permissionDecision: 'allow' } }, call).output).toEqual({});
});

test('of two words the stricter counts', () => {
  const answer = { permissionDecision: 'deny', hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } };
  expect(read('PreToolUse', answer, call).output).toMatchObject({ decision: 'deny' });
});

test('an answer to a request for a permission counts without a hookEventName, if it refuses', () => {
  const of = eventOf('PermissionRequest', { tool_name: 'run_shell_command', tool_input: { command: 'ls' } });
  expect(read('PermissionRequest', { hookSpecificOutput: { decision: { behavior: 'deny', message: 'no' } } }, of).output).toMatchObject({
    decision: 'deny',
    reason: 'no',
  });
  expect(read('PermissionRequest', { hookSpecificOutput: { decision: { behavior: 'allow' } } }, of).output).toEqual({});
});

test('of thousands of unknown fields one warning is made', () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field${index}`, index]));
  const { warnings } = read('PreToolUse', { ...many, decision: 'block', reason: 'no' }, call);
  expect(codesOf(warnings).filter((code) => code === 'reserved_field')).toHaveLength(1);
});

test('a request for a permission is refused by either of its words', () => {
  const of = eventOf('PermissionRequest', { tool_name: 'run_shell_command', tool_input: { command: 'ls' } });
  for (const permissionDecision of ['allow', 'ask']) {
    const answer = {
      hookSpecificOutput: { hookEventName: 'PermissionRequest', permissionDecision, decision: { behavior: 'deny', message: 'no' } },
    };
    expect(read('PermissionRequest', answer, of).output).toMatchObject({ decision: 'deny', reason: 'no' });
  }
});

test('a deny counts beside an ask, and beside an invalid hookEventName', () => {
  const ask = { hookEventName: 'PreToolUse', permissionDecision: 'ask' };
  expect(read('PreToolUse', { permissionDecision: 'deny', hookSpecificOutput: ask }, call).output).toMatchObject({ decision: 'deny' });
  for (const hookEventName of [null, '', 7]) {
    const answer = { hookSpecificOutput: { hookEventName, permissionDecision: 'deny' } };
    expect(read('PreToolUse', answer, call).output).toMatchObject({ decision: 'deny' });
  }
});
