/** What must and must not compile: matchers. `npm run typecheck` checks this file; it never runs. */

import { expect as imported } from '@jest/globals';
import type { BusRecorder, MatcherResult } from '@tenterhook/testing';
import { toHaveRun } from '@tenterhook/testing';
import '@tenterhook/testing/jest';
import '@tenterhook/testing/vitest';
import type { AggregatedHookResult } from 'tenterhook';
import type { Matchers } from 'vitest';

declare function is<Expected>(value: Expected): void;

export async function inJest(result: AggregatedHookResult, recorder: BusRecorder) {
  for (const assertion of [expect(result), expect(result).not, imported(result), imported(result).not]) {
    is<void>(assertion.toHaveBeenBlockedBy('guard'));
    assertion.toHaveRun(/guard/);
    assertion.toHaveSkipped('guard', 'disabled');
    assertion.toHaveRewritten('tool_input.path');
    assertion.toHaveRewritten('tool_input.path', { any: 'value' });
    // @ts-expect-error A hook is a text or a RegExp.
    assertion.toHaveRun(7);
    // @ts-expect-error There is no such matcher.
    assertion.toHaveStopped('guard');
  }
  await expect(recorder).toMatchBusRecording();
  await imported(recorder).toMatchBusRecording('run.bus.jsonl', { texts: true });
  // @ts-expect-error Progress is not in the minimal form.
  await imported(recorder).toMatchBusRecording(undefined, { progress: true });
}

export function inVitest(assertion: Matchers<AggregatedHookResult>) {
  is<void>(assertion.toHaveBeenBlockedBy('guard'));
  is<Promise<void>>(assertion.toMatchBusRecording());
  // @ts-expect-error A path is missing.
  assertion.toHaveRewritten();
}

/** Other runners call the functions. */
export function elsewhere(result: AggregatedHookResult) {
  is<MatcherResult>(toHaveRun(result, 'guard'));
}
