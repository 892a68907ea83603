import { isHookEventName } from '@tenterhook/protocol';
import { matcherSubject } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeValue, requireOptions } from '@tenterhook/runtime/text';
import type { RecordedExchange, Recording } from '../format/recording.js';
import { requireRecording } from '../format/require-recording.js';
import { createNormaliser, type IdContext, type NormaliseRules } from '../normalise/normalise-value.js';
import { programView } from '../normalise/program-view.js';
import { collectIds } from '../normalise/volatile-texts.js';
import { alignLists } from './align-lists.js';
import { progressSteps } from './progress-steps.js';
import { findTimeDifferences, type TimeDifference } from './time-differences.js';
import { findDifferences, type ValueDifference } from './value-differences.js';

/** What is compared. */
export interface CompareOptions extends NormaliseRules {
  /** Whether texts for people are compared, too: messages, stderr, and stdout that was parsed. @default false */
  readonly texts?: boolean | undefined;
  /** Whether the steps of each hook are compared, too. @default false */
  readonly progress?: boolean | undefined;
  /** The factor beyond which two durations are reported in `times`. Greater than 1. @default durations are not compared */
  readonly times?: number | undefined;
}

export const compareOptionNames: readonly string[] = Object.keys({
  texts: true,
  progress: true,
  times: true,
  ignore: true,
  normalise: true,
} satisfies Record<keyof CompareOptions, true>);

/** A request that differs, that is not in the recording (`added`), or that was not made (`removed`). */
export interface ExchangeDifference {
  readonly kind: 'changed' | 'added' | 'removed';
  /** The position of the request: in the recording, or on the other side if it was added. */
  readonly ordinal: number;
  readonly eventName: string | undefined;
  /** What the matchers of the event read, for example the name of the tool. */
  readonly subject: string | undefined;
  /** The line of the request in its file. */
  readonly line: number | undefined;
  /** Empty unless the kind is `changed`. */
  readonly differences: readonly ValueDifference[];
  /** The compared values, with ids as `id#3.1`: the first id of the third request. */
  readonly recorded?: unknown;
  readonly now?: unknown;
}

/** The result of a comparison. */
export interface RecordingDiff {
  /** The number of requests on both sides together; a request with a partner counts once. */
  readonly requests: number;
  readonly same: number;
  readonly different: readonly ExchangeDifference[];
  /** Durations that differ by more than `times`. They are not differences. */
  readonly times: readonly TimeDifference[];
}

/**
 * Compares two recordings. Requests are joined by their order, and never by their time. Throws a TypeError for unknown and invalid options.
 */
export function compareRecordings(recorded: Recording, now: Recording, options: CompareOptions = {}): RecordingDiff {
  requireOptions('compareRecordings', options, compareOptionNames);
  for (const recording of [recorded, now]) requireRecording('compareRecordings', recording);
  return compareExchanges(recorded.exchanges.filter(isRequest), now.exchanges.filter(isRequest), options);
}

/** Compares two lists of exchanges that have requests. */
export function compareExchanges(
  recorded: readonly RecordedExchange[],
  now: readonly RecordedExchange[],
  options: CompareOptions = {},
): RecordingDiff {
  const { times: factor, texts, progress } = options;
  for (const [name, value] of Object.entries({ texts, progress })) {
    if (value !== undefined && typeof value !== 'boolean')
      throw new TypeError(`${name} must be true or false, and is ${describeValue(value)}.`);
  }
  if (factor !== undefined && !(typeof factor === 'number' && factor > 1))
    throw new TypeError(`times must be a number greater than 1, and is ${String(factor)}.`);
  const [viewBefore, viewNow] = [createView(recorded, options), createView(now, options)];
  const different: ExchangeDifference[] = [];
  const times: TimeDifference[] = [];
  let same = 0;
  const pairs = alignLists(recorded.map(keyOf), now.map(keyOf));
  for (const [index, [before, after]] of pairs.entries()) {
    const [one, other] = [at(recorded, before), at(now, after)];
    const views = {
      ...(one === undefined ? {} : { recorded: viewBefore(one, index + 1) }),
      ...(other === undefined ? {} : { now: viewNow(other, index + 1) }),
    };
    if (one === undefined || other === undefined) {
      const only = (one ?? other) as RecordedExchange;
      different.push({ kind: one === undefined ? 'added' : 'removed', ...describe(only), differences: [], ...views });
      continue;
    }
    const differences = findDifferences(views.recorded, views.now);
    if (differences.length === 0) same += 1;
    else different.push({ kind: 'changed', ...describe(one), differences, ...views });
    if (factor !== undefined) times.push(...findTimeDifferences(one, other, factor));
  }
  return { requests: pairs.length, same, different, times };
}

export function isRequest({ request }: RecordedExchange): boolean {
  return request !== undefined;
}

/** What the matchers of the event read in its input. */
export function subjectOf({ eventName, request }: RecordedExchange): string | undefined {
  const input = isPlainObject(request?.payload) ? request.payload['input'] : undefined;
  return isPlainObject(input) && eventName !== undefined && isHookEventName(eventName) ? matcherSubject(eventName, input) : undefined;
}

function keyOf(exchange: RecordedExchange): string {
  return `${exchange.eventName} ${subjectOf(exchange) ?? ''}`;
}

function describe(exchange: RecordedExchange) {
  const { ordinal, eventName, request } = exchange;
  return { ordinal, eventName, subject: subjectOf(exchange), line: request?.line };
}

function at(list: readonly RecordedExchange[], index: number | undefined): RecordedExchange | undefined {
  return index === undefined ? undefined : list[index];
}

/**
 * Returns a function that makes an exchange comparable. An id is named after the place where it first appears. Numbers over the whole
 * recording were rejected: one more id would change all names after it.
 */
function createView(exchanges: readonly RecordedExchange[], options: CompareOptions) {
  const { texts = false, progress = false } = options;
  const normalise = createNormaliser(options);
  const knownIds = new Set<string>();
  for (const { request } of exchanges) collectIds(request?.payload, knownIds);
  const names = new Map<string, string>();
  return (exchange: RecordedExchange, position: number): unknown => {
    let count = 0;
    const nameId = (id: string) => {
      const known = names.get(id);
      if (known !== undefined) return known;
      count += 1;
      const name = `id#${position}.${count}`;
      names.set(id, name);
      return name;
    };
    const ids: IdContext = { knownIds, nameId };
    const { eventName, request, response, state } = exchange;
    const payload = isPlainObject(request?.payload) ? request.payload : { input: request?.payload };
    const asked = normalise({ input: payload['input'], recheck: payload['recheck'] }, '', ids) as object;
    const answered = normalise(programView(response?.payload, texts) ?? {}, '', ids) as object;
    return {
      eventName,
      ...asked,
      ...answered,
      ...(state === 'answered' ? {} : { state }),
      ...(progress ? { progress: normalise(progressSteps(exchange), 'progress', ids) } : {}),
    };
  };
}
