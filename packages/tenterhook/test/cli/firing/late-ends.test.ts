import { MessageBus } from '@tenterhook/bus';
import type { HookOutcome } from '@tenterhook/protocol';
import { watchLateEnds } from '../../../src/cli/firing/late-ends.js';
import { outcome } from '../../output/timeline/samples.js';

const audit = outcome('audit', { status: 'detached' });
const lint = outcome('lint', { status: 'detached' });
const never = new AbortController().signal;

function tellEnd(bus: MessageBus, { hookId, eventName }: HookOutcome, late?: true): void {
  const payload = { kind: 'hook-finished' as const, correlationId: 'c1', eventName, elapsedMs: 1, hookId, outcome: outcome('x') };
  bus.publish({ type: 'HOOK_EXECUTION_PROGRESS', payload: { ...payload, ...(late === undefined ? {} : { late }) } });
}

test('hooks that run on are waited for until the last one has ended', async () => {
  const bus = new MessageBus();
  const lateEnds = watchLateEnds(bus);
  const outcomes = [outcome('guard'), audit, lint];
  expect(lateEnds.runningOf(outcomes)).toEqual([audit, lint]);
  tellEnd(bus, lint, true);
  expect(lateEnds.runningOf(outcomes)).toEqual([audit]);
  let hasEnded = false;
  const waited = lateEnds.wait(outcomes, never).then(() => {
    hasEnded = true;
  });
  tellEnd(bus, audit);
  await Promise.resolve();
  expect(hasEnded).toBe(false);
  tellEnd(bus, audit, true);
  await waited;
  lateEnds.forget();
  await bus.close();
});

test('nothing is waited for where all has ended, or at the signal', async () => {
  const bus = new MessageBus();
  const lateEnds = watchLateEnds(bus);
  await lateEnds.wait([outcome('guard')], never);
  const control = new AbortController();
  const waited = lateEnds.wait([audit], control.signal);
  control.abort();
  await waited;
  await lateEnds.wait([audit], control.signal);
  lateEnds.forget();
  await bus.close();
});
