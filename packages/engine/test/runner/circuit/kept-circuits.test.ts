import type { HookDefinition } from '@tenterhook/protocol';
import { CircuitBreaker } from '../../../src/runner/circuit/circuit-breaker.js';
import { hookOf, outcomeOf } from '../../engine-rig.js';

const options = { failures: 2, windowMs: 60_000, pauseMs: 30_000 };
const setOf = (...hooks: HookDefinition[]) => ({ hooks: { BeforeTool: hooks } });
const failed = outcomeOf('a', undefined, { status: 'failed', warnings: [{ code: 'hook_failed', message: 'it broke' }] });

function fail(breaker: CircuitBreaker, set: ReturnType<typeof setOf>, hook: HookDefinition): void {
  const entrance = breaker.of(set).enter(hook, () => {});
  if (entrance.refusal === undefined) entrance.end(failed);
}

test('a hook that is the very one it was keeps its count in the next set', () => {
  const breaker = new CircuitBreaker(options, () => 0);
  const [a, b] = [hookOf('a'), hookOf('b')];
  const [first, second] = [setOf(a), setOf(b, a)];
  fail(breaker, first, a);
  fail(breaker, second, a);
  expect(breaker.of(second).refusalOf(a)).toContain('it failed 2 times');
  expect(breaker.of(second).refusalOf(b)).toBeUndefined();
});

test('one that was changed, or taken away and put back, begins anew', () => {
  const breaker = new CircuitBreaker(options, () => 0);
  const a = hookOf('a');
  const [first, changed, without, again] = [setOf(a), setOf({ ...a }), setOf(), setOf(a)];
  fail(breaker, first, a);
  fail(breaker, first, a);
  expect(breaker.of(first).refusalOf(a)).toBeDefined();
  expect(breaker.of(changed).refusalOf(a)).toBeUndefined();
  expect(breaker.of(without).refusalOf(a)).toBeUndefined();
  expect(breaker.of(again).refusalOf(a)).toBeUndefined();
});

test('an event that still runs in the older set counts for the newer one, too', () => {
  const breaker = new CircuitBreaker(options, () => 0);
  const a = hookOf('a');
  const [first, second] = [setOf(a), setOf(a)];
  const running = breaker.of(first).enter(a, () => {});
  fail(breaker, second, a);
  if (running.refusal === undefined) running.end(failed);
  expect(breaker.of(second).refusalOf(a)).toBeDefined();
  expect(breaker.of(first).refusalOf(a)).toBeDefined();
});
