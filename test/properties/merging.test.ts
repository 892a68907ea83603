import type { HookEventName, HookOutcome, VerdictKind } from '@tenterhook/protocol';
import { aggregatedHookResultSchema } from '@tenterhook/protocol/internal';
import fc from 'fast-check';
import { aggregateOutcomes } from '../../packages/engine/src/aggregator/aggregate.js';
import { applyRewrites, type PlanState } from '../../packages/engine/src/aggregator/rewrites.js';
import { anyEventName, anyOutcomes, eventOf } from './any-outcomes.js';
import { notPlainJson } from './plain-json.js';

const numRuns = 3_000;
const patienceMs = 300_000;

/** Returns the result of an event with these outcomes, in stages of these sizes. */
function merged(eventName: HookEventName, outcomes: readonly HookOutcome[], sizes: readonly number[] = [outcomes.length]) {
  let state: PlanState = { event: eventOf(eventName), outcomes: [], changes: [] };
  let start = 0;
  for (const size of [...sizes, outcomes.length]) {
    state = applyRewrites(state, outcomes.slice(start, start + size));
    start += size;
  }
  return aggregateOutcomes(state, 1);
}

// The order of decisions in design §5, without the code under test.
const lattice: readonly VerdictKind[] = ['none', 'allow', 'ask', 'deny'];
const meanings = { deny: 'deny', block: 'deny', ask: 'ask', allow: 'allow', approve: 'allow' } as const;

const counts = ({ status }: HookOutcome) => status === 'succeeded' || status === 'blocked';
// If a failure became a deny, its stop counts, and nothing else in its answer.
const stops = (outcome: HookOutcome) => (counts(outcome) || outcome.failedClosed === true) && outcome.output?.continue === false;
function wordOf(outcome: HookOutcome): VerdictKind {
  if (outcome.failedClosed) return 'deny';
  const word = counts(outcome) ? outcome.output?.decision : undefined;
  return word === undefined ? 'none' : meanings[word];
}
const strictest = (outcomes: readonly HookOutcome[]) =>
  lattice.findLast((kind) => outcomes.some((outcome) => wordOf(outcome) === kind)) ?? 'none';
const idsOf = (outcomes: readonly HookOutcome[]) => outcomes.map(({ hookId }) => hookId);

const scene = anyEventName.chain((eventName) => fc.tuple(fc.constant(eventName), anyOutcomes(eventName)));
const stageSizes = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 6 });
const seedOfOrder = fc.array(fc.nat(), { minLength: 12, maxLength: 12 });

function shuffled<Item>(items: readonly Item[], keys: readonly number[]): Item[] {
  return items
    .map((item, index) => ({ item, key: keys[index % keys.length] as number }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

test(
  'the verdict is the strictest word that counts and any stop that counts, named by exactly the hooks that gave it, in plan order',
  () => {
    fc.assert(
      fc.property(scene, stageSizes, ([eventName, outcomes], sizes) => {
        const { verdict } = merged(eventName, outcomes, sizes);
        const kind = strictest(outcomes);
        expect(verdict.kind).toBe(kind);
        expect(verdict.by).toEqual(kind === 'none' ? [] : idsOf(outcomes.filter((outcome) => wordOf(outcome) === kind)));
        expect(verdict.stop).toBe(outcomes.some(stops));
        expect(verdict.stoppedBy).toEqual(idsOf(outcomes.filter(stops)));
        if (kind === 'deny') expect(verdict.reason).toMatch(/./s);
      }),
      { numRuns },
    );
  },
  patienceMs,
);

test(
  'neither the order of the hooks nor their stages change what is decided, and by whom',
  () => {
    fc.assert(
      fc.property(scene, seedOfOrder, stageSizes, stageSizes, ([eventName, outcomes], keys, sizes, otherSizes) => {
        const one = merged(eventName, outcomes, sizes).verdict;
        const other = merged(eventName, shuffled(outcomes, keys), otherSizes).verdict;
        expect([other.kind, other.stop, [...other.by].sort(), [...other.stoppedBy].sort(), other.retryAfterMs]).toEqual([
          one.kind,
          one.stop,
          [...one.by].sort(),
          [...one.stoppedBy].sort(),
          one.retryAfterMs,
        ]);
      }),
      { numRuns },
    );
  },
  patienceMs,
);

test(
  'a hook more, wherever it stands and whatever it says, takes no deny and no stop away',
  () => {
    fc.assert(
      fc.property(scene, fc.nat(), ([eventName, outcomes], place) => {
        fc.pre(outcomes.length > 0);
        const [more, ...before] = outcomes as [HookOutcome, ...HookOutcome[]];
        const after = [...before];
        after.splice(place % (before.length + 1), 0, more);
        const [one, other] = [merged(eventName, before).verdict, merged(eventName, after).verdict];
        expect(lattice.indexOf(other.kind)).toBeGreaterThanOrEqual(lattice.indexOf(one.kind));
        expect(other.stop || !one.stop).toBe(true);
        if (one.kind === other.kind) expect(other.by).toEqual(expect.arrayContaining(one.by));
        expect(other.stoppedBy).toEqual(expect.arrayContaining(one.stoppedBy));
        expect(other.retryAfterMs ?? 0).toBeGreaterThanOrEqual((one.kind === other.kind ? one.retryAfterMs : 0) ?? 0);
      }),
      { numRuns },
    );
  },
  patienceMs,
);

test(
  'what hosts obey says what the verdict says, and the wait is the longest of those who deny',
  () => {
    fc.assert(
      fc.property(scene, stageSizes, ([eventName, outcomes], sizes) => {
        const { finalOutput, verdict } = merged(eventName, outcomes, sizes);
        expect(finalOutput?.isBlockingDecision() ?? false).toBe(verdict.kind === 'deny');
        expect(finalOutput?.shouldStopExecution() ?? false).toBe(verdict.stop);
        if (verdict.kind === 'ask') expect(finalOutput?.decision).toBe('ask');
        if (finalOutput?.decision === 'allow') expect(verdict).toMatchObject({ kind: expect.stringMatching(/none|allow/) });
        const waits = outcomes
          .filter((outcome) => wordOf(outcome) === 'deny' && counts(outcome))
          .map((outcome) => outcome.output?.hookSpecificOutput?.['retryAfterMs'])
          .filter((wait) => typeof wait === 'number' && wait >= 0) as number[];
        expect(verdict.retryAfterMs).toBe(verdict.kind === 'deny' && waits.length > 0 ? Math.max(...waits) : undefined);
      }),
      { numRuns },
    );
  },
  patienceMs,
);

test(
  'every result is of the shape that was promised, as an object and as JSON, and leaves out no hook',
  () => {
    fc.assert(
      fc.property(scene, stageSizes, ([eventName, outcomes], sizes) => {
        const result = merged(eventName, outcomes, sizes);
        const { finalOutput, ...rest } = result;
        expect(aggregatedHookResultSchema.safeParse(result).error).toBeUndefined();
        expect(aggregatedHookResultSchema.safeParse(JSON.parse(JSON.stringify(result))).error).toBeUndefined();
        expect(notPlainJson({ ...rest, ...(finalOutput === undefined ? {} : { finalOutput: { ...finalOutput } }) })).toBeUndefined();
        expect(idsOf(result.outcomes)).toEqual(idsOf(outcomes));
        expect(result.allOutputs).toEqual(outcomes.flatMap(({ output }) => output ?? []));
        expect(({} as Record<string, unknown>)['x']).toBeUndefined();
      }),
      { numRuns },
    );
  },
  patienceMs,
);
