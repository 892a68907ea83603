import type { HookOutcome, HookOutput } from '@tenterhook/protocol';
import fc from 'fast-check';
import { endsPlan, verdictOfOutcomes } from '../../src/aggregator/verdict.js';
import { outcomeOf } from '../engine-rig.js';

const closed = outcomeOf('f', undefined, {
  status: 'timed-out',
  failedClosed: true,
  warnings: [
    { code: 'timeout', message: 't' },
    { code: 'failed_closed', message: 'could not work' },
  ],
});

interface Case {
  readonly outcomes: readonly HookOutcome[];
  readonly verdict: Record<string, unknown>;
  readonly ends?: boolean;
}

const none = { kind: 'none', stop: false, by: [], stoppedBy: [] };

const cases: Record<string, Case> = {
  'no outcome, no verdict': { outcomes: [], verdict: none },
  'a copy of a lower level under the same id does not hide the reason of the hook': {
    outcomes: [
      outcomeOf('a', { decision: 'ask', reason: 'for the user' }),
      outcomeOf('a', { decision: 'ask', reason: 'for the project' }, { source: 'project', recheck: true }),
    ],
    verdict: { ...none, kind: 'ask', by: ['a'], reason: 'for the user\nfor the project' },
  },
  'silence decides nothing': { outcomes: [outcomeOf('a')], verdict: none },
  'allow is a word': {
    outcomes: [outcomeOf('a'), outcomeOf('b', { decision: 'approve' })],
    verdict: { ...none, kind: 'allow', by: ['b'] },
  },
  'ask outranks allow': {
    outcomes: [outcomeOf('a', { decision: 'allow', reason: 'ok' }), outcomeOf('b', { decision: 'ask', reason: 'sure?' })],
    verdict: { ...none, kind: 'ask', reason: 'sure?', by: ['b'] },
  },
  'deny outranks ask, and only the reasons of those that deny count, in plan order': {
    outcomes: [
      outcomeOf('a', { decision: 'deny', reason: 'one' }),
      outcomeOf('b', { decision: 'ask', reason: 'sure?' }),
      outcomeOf('c', { decision: 'block', reason: 'two' }),
    ],
    verdict: { ...none, kind: 'deny', reason: 'one\ntwo', by: ['a', 'c'] },
    ends: true,
  },
  'a deny without a reason names its hook': {
    outcomes: [outcomeOf('a', { decision: 'deny' }, { name: 'guard' })],
    verdict: { ...none, kind: 'deny', reason: 'Hook "guard" denied BeforeTool and gave no reason.', by: ['a'] },
    ends: true,
  },
  'an ask without a reason has none': { outcomes: [outcomeOf('a', { decision: 'ask' })], verdict: { ...none, kind: 'ask', by: ['a'] } },
  'a stop is beside the verdict': {
    outcomes: [outcomeOf('a', { continue: false, stopReason: 's' }), outcomeOf('b', { decision: 'allow' })],
    verdict: { kind: 'allow', stop: true, stopReason: 's', by: ['b'], stoppedBy: ['a'] },
    ends: true,
  },
  'a hook may decide and stop at once': {
    outcomes: [outcomeOf('a', { decision: 'deny', reason: 'no', continue: false })],
    verdict: { kind: 'deny', stop: true, reason: 'no', by: ['a'], stoppedBy: ['a'] },
    ends: true,
  },
  'continue: true does not unset a stop': {
    outcomes: [outcomeOf('a', { continue: false }), outcomeOf('b', { continue: true })],
    verdict: { ...none, stop: true, stoppedBy: ['a'] },
    ends: true,
  },
  'a failure that was closed denies': {
    outcomes: [closed],
    verdict: { ...none, kind: 'deny', reason: 'could not work', by: ['f'] },
    ends: true,
  },
  'what a failed hook printed does not count': {
    outcomes: [outcomeOf('a', { decision: 'deny', continue: false }, { status: 'failed' })],
    verdict: none,
  },
  'the longest wait of those that deny counts': {
    outcomes: [
      outcomeOf('a', { decision: 'deny', reason: 'r', hookSpecificOutput: { retryAfterMs: 10 } }),
      outcomeOf('b', { decision: 'deny', reason: 'r', hookSpecificOutput: { retryAfterMs: 20 } }),
      outcomeOf('c', { decision: 'allow', hookSpecificOutput: { retryAfterMs: 30 } }),
    ],
    verdict: { ...none, kind: 'deny', reason: 'r\nr', by: ['a', 'b'], retryAfterMs: 20 },
    ends: true,
  },
};

test.each(Object.entries(cases))('%s', (_, { outcomes, verdict, ends = false }) => {
  expect(verdictOfOutcomes(outcomes)).toEqual(verdict);
  expect(endsPlan('BeforeTool', outcomes)).toBe(ends);
});

test('a wait counts whatever other fields there are', () => {
  const hookSpecificOutput = { retryAfterMs: 10, updatedInput: 'no object', skipRemaining: 'yes' };
  expect(verdictOfOutcomes([outcomeOf('a', { decision: 'deny', hookSpecificOutput })]).retryAfterMs).toBe(10);
});

const output: fc.Arbitrary<HookOutput> = fc.record(
  {
    decision: fc.constantFrom('allow' as const, 'approve' as const, 'ask' as const, 'deny' as const, 'block' as const),
    reason: fc.string(),
    continue: fc.boolean(),
    stopReason: fc.string(),
  },
  { requiredKeys: [] },
);
const outcome = fc.record({
  output: fc.option(output, { nil: undefined }),
  status: fc.constantFrom<HookOutcome['status']>('succeeded', 'blocked', 'failed', 'timed-out', 'cancelled', 'skipped', 'detached'),
});
const outcomes = fc
  .array(outcome)
  .map((list) => list.map((entry, index) => outcomeOf(`h${index}`, entry.output, { status: entry.status })));

test('a deny and a stop stand, whatever the others say and wherever they stand', () => {
  fc.assert(
    fc.property(outcomes, fc.nat(), fc.nat(), (others, i, j) => {
      const all = [...others];
      all.splice(i % (all.length + 1), 0, outcomeOf('deny', { decision: 'deny', reason: 'no' }));
      all.splice(j % (all.length + 1), 0, outcomeOf('stop', { continue: false }));
      const verdict = verdictOfOutcomes(all);
      expect(verdict).toMatchObject({ kind: 'deny', stop: true });
      expect(verdict.by).toContain('deny');
      expect(verdict.reason?.split('\n')).toContain('no');
      expect(verdict.stoppedBy).toContain('stop');
      expect(endsPlan('BeforeTool', all)).toBe(true);
    }),
  );
});

test('kind, stop and the deciders do not depend on the order of the hooks', () => {
  fc.assert(
    fc.property(outcomes, (all) => {
      const [forth, back] = [verdictOfOutcomes(all), verdictOfOutcomes([...all].reverse())];
      expect([back.kind, back.stop, [...back.by].reverse(), [...back.stoppedBy].reverse()]).toEqual([
        forth.kind,
        forth.stop,
        forth.by,
        forth.stoppedBy,
      ]);
    }),
  );
});

test('one more hook never makes a verdict weaker', () => {
  const rank = ['none', 'allow', 'ask', 'deny'];
  fc.assert(
    fc.property(outcomes, outcome, (all, more) => {
      const [before, after] = [
        verdictOfOutcomes(all),
        verdictOfOutcomes([...all, outcomeOf('more', more.output, { status: more.status })]),
      ];
      expect(rank.indexOf(after.kind)).toBeGreaterThanOrEqual(rank.indexOf(before.kind));
      expect(after.stop || !before.stop).toBe(true);
    }),
  );
});
