import type { HookOutcome } from '@tenterhook/protocol';
import { RanRanks } from '../../src/runner/ran-ranks.js';
import { hookOf } from '../engine-rig.js';

const outcome: HookOutcome = {
  hookId: 'guard',
  eventName: 'BeforeTool',
  source: 'user',
  dialect: 'fake',
  status: 'failed',
  signal: 'SIGKILL',
  durationMs: 1,
  warnings: [],
};

/** Whether a guard may have been killed after a hook of this source has run. */
function mayHaveKilled(ran: string, guard: Parameters<typeof hookOf>[1], ended: Partial<HookOutcome> = {}): boolean {
  const ranks = new RanRanks();
  ranks.note(hookOf('other', { source: ran, action: { kind: 'command', command: 'true' } }));
  return ranks.mayHaveKilled(hookOf('guard', guard), { ...outcome, ...ended });
}

test.each([
  ['project', { source: 'user' }, true],
  ['extension:x', { source: 'project' }, true],
  ['user', { source: 'user' }, false],
  ['user', { source: 'project' }, false],
  ['user', { source: 'system' }, true],
  // A merged hook: its place is that of the copy in the project, its level that of the user.
  ['project', { source: 'project', level: 'user' }, true],
] as const)('after a hook of %s, a guard of %j: %s', (ran, guard, expected) => {
  expect(mayHaveKilled(ran, guard)).toBe(expected);
});

test('only the end by a signal counts, and only where hooks guard something', () => {
  expect(mayHaveKilled('project', { source: 'user' }, { signal: undefined, exitCode: 1 })).toBe(false);
  expect(mayHaveKilled('project', { source: 'user' }, { signal: undefined, exitCode: 137 })).toBe(true);
  expect(mayHaveKilled('project', { source: 'user' }, { signal: undefined, exitCode: 162 })).toBe(true);
  expect(mayHaveKilled('project', { source: 'user' }, { signal: undefined, exitCode: 193 })).toBe(false);
  expect(mayHaveKilled('project', { source: 'user', eventName: 'SessionEnd' })).toBe(false);
  expect(mayHaveKilled('project', { source: 'user' }, { status: 'timed-out', signal: 'SIGSTOP' })).toBe(true);
  expect(mayHaveKilled('project', { source: 'user' }, { status: 'timed-out', signal: undefined })).toBe(false);
});
