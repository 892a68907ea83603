import { type HookEventName, isHookEventName } from '@tenterhook/protocol';
import { outcomesIn } from '@tenterhook/protocol/internal';
import { requireOptions, textOfField } from '@tenterhook/runtime/text';
import { type ExchangeDifference, subjectOf } from '../compare/compare-recordings.js';
import { findDifferences } from '../compare/value-differences.js';
import type { Recording } from '../format/recording.js';
import { requireRecording } from '../format/require-recording.js';
import { Filler, type FillOptions, type MissingValue } from './fill-in.js';
import { findMasked, type MaskedRequest } from './masked-requests.js';
import { describeSkipped, type ReplayRequestsOptions, replayOptionNames, type SkippedRequest, selectRequests } from './replay-requests.js';

/** What explains which hooks would run: the result of `createHooks()`. */
export interface Explains {
  /** Returns why each hook of an event would run or not. */
  explain(
    eventName: HookEventName,
    input: Readonly<Record<string, unknown>>,
  ): { readonly hooks: readonly { readonly hookId: string; readonly wouldRun: boolean; readonly skipReason?: string | undefined }[] };
}

/** The result of a replay that runs nothing. */
export interface ExplainedReplay {
  readonly requests: number;
  readonly same: number;
  /** The differences have paths such as `hooks.<hook id>`, and the values `runs` and `skipped: <reason>`. */
  readonly different: readonly ExchangeDifference[];
  readonly times: readonly [];
  readonly skipped: readonly SkippedRequest[];
  readonly missing: readonly MissingValue[];
  /** Requests that were explained with `***` in place of a secret. */
  readonly masked: readonly MaskedRequest[];
}

/** Reasons that depend on what other hooks have said, or on earlier events. Such a hook was selected. */
const lateReasons: readonly unknown[] = ['chain-ended', 'circuit-open', 'once', 'reentrant'];

/** Compares which hooks would run for the recorded requests, and runs nothing. The other options of `replayRequests` have no effect. */
export function explainRequests(
  recording: Recording,
  hooks: Explains,
  options: FillOptions & Pick<ReplayRequestsOptions, 'filter'> = {},
): ExplainedReplay {
  requireOptions('explainRequests', options, replayOptionNames);
  requireRecording('explainRequests', recording);
  const { sendable, skipped } = selectRequests(recording, options.filter);
  const filler = new Filler(options);
  const different: ExchangeDifference[] = [];
  let same = 0;
  for (const exchange of sendable) {
    const { ordinal, eventName, request } = exchange;
    const outcomes = outcomesIn(exchange.response?.payload);
    if (outcomes === undefined) {
      skipped.push(describeSkipped(exchange, 'unanswered'));
      continue;
    }
    const { input } = filler.fill(request?.payload) as { input: Record<string, unknown> };
    const recorded = { hooks: selectionOf(outcomes) };
    const now = { hooks: eventName !== undefined && isHookEventName(eventName) ? selectionNow(hooks, eventName, input) : {} };
    const differences = findDifferences(recorded, now);
    if (differences.length === 0) same += 1;
    else
      different.push({
        kind: 'changed',
        ordinal,
        eventName,
        subject: subjectOf(exchange),
        line: request?.line,
        differences,
        recorded,
        now,
      });
  }
  return {
    requests: same + different.length,
    same,
    different,
    times: [],
    skipped,
    missing: filler.missing(),
    masked: findMasked(recording, sendable),
  };
}

function selectionNow(hooks: Explains, eventName: HookEventName, input: Readonly<Record<string, unknown>>): Record<string, string> {
  const { hooks: explained } = hooks.explain(eventName, input);
  return Object.fromEntries(explained.map(({ hookId, wouldRun, skipReason }) => [hookId, selected(wouldRun, skipReason)]));
}

function selectionOf(outcomes: readonly Readonly<Record<string, unknown>>[]): Record<string, string> {
  return Object.fromEntries(
    outcomes
      .filter(({ recheck }) => recheck !== true)
      .map(({ hookId, status, skipReason }) => [textOfField(hookId), selected(status !== 'skipped', skipReason)]),
  );
}

function selected(runs: boolean, skipReason: unknown): string {
  return runs || lateReasons.includes(skipReason) ? 'runs' : `skipped: ${textOfField(skipReason)}`;
}
