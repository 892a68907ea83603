import { type HookOutput, type HookWarning, stricter, type VerdictKind, verdictOf } from '@tenterhook/protocol';
import type { ReadOutput } from './answer-format.js';

/**
 * One output out of several objects that stood between lines of text: all fields of the last one, the strictest decision and any stop of all
 * of them (decision 6). An allow among them is no opinion: a logger that echoes the content of a file must not approve.
 */
export function oneOutputOf(read: readonly ReadOutput[]): { output: HookOutput; warnings: HookWarning[] } {
  const last = read.at(-1) as ReadOutput;
  const strictest = read.reduce((a, b) => (stricter(kindOf(a.output), kindOf(b.output)) === kindOf(b.output) ? b : a));
  const stops = read.filter((entry) => entry.output.continue === false);
  const stopping = stops.find((entry) => entry.output.stopReason !== undefined) ?? stops[0];
  const { decision: _decision, ...fields } = last.output;
  const output: HookOutput = { ...fields };
  if (kindOf(strictest.output) !== 'none' && kindOf(strictest.output) !== 'allow') {
    output.decision = strictest.output.decision;
    // The reason of the decision, and not that of the object that came last.
    if (strictest.output.reason === undefined) delete output.reason;
    else output.reason = strictest.output.reason;
  }
  if (stopping !== undefined) {
    output.continue = false;
    if (stopping.output.stopReason !== undefined) output.stopReason = stopping.output.stopReason;
    else delete output.stopReason;
  }
  return { output, warnings: read.flatMap((entry) => entry.warnings) };
}

function kindOf(output: HookOutput): VerdictKind {
  return verdictOf(output.decision);
}
