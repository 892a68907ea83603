import { subjectOf } from '../compare/compare-recordings.js';
import { findDifferences, type ValueDifference } from '../compare/value-differences.js';
import type { RecordedExchange } from '../format/recording.js';
import { type MatchedRequest, matchedRequest, type RequestMatcher } from './request-matcher.js';

/** The recorded request that is most similar to one without a match. */
export interface NearestRequest {
  readonly ordinal: number;
  readonly eventName: string;
  readonly line: number | undefined;
  /** Whether an earlier request has used it. */
  readonly isUsed: boolean;
  /** Where the inputs differ. Empty if they are equal. */
  readonly differences: readonly ValueDifference[];
}

/** The maximum number of requests that are compared, because a miss must not take long in a large recording. */
const mostCompared = 50;
const mostDifferences = 20;

/** Finds the request with the fewest differences: first among unused ones of the same event and subject. */
export function findNearest(
  request: MatchedRequest,
  exchanges: readonly RecordedExchange[],
  matcher: RequestMatcher,
): NearestRequest | undefined {
  const expected = matcher.expected();
  const unused = new Set(matcher.unused());
  const own = matcher.comparable(request);
  const ofEvent = exchanges.filter(({ eventName }) => eventName === request.eventName);
  const subject = subjectOf({ ...asExchange(request) });
  const rank = (exchange: RecordedExchange) => (subjectOf(exchange) === subject ? 0 : 2) + (unused.has(exchange) ? 0 : 1);
  const candidates = expected === undefined ? [...ofEvent].sort((a, b) => rank(a) - rank(b)).slice(0, mostCompared) : [expected];
  let nearest: { readonly exchange: RecordedExchange; readonly differences: readonly ValueDifference[] } | undefined;
  for (const exchange of candidates) {
    const differences = findDifferences(matcher.comparable(matchedRequest(exchange)), own);
    const isCloser =
      nearest === undefined ||
      rank(exchange) < rank(nearest.exchange) ||
      (rank(exchange) === rank(nearest.exchange) && differences.length < nearest.differences.length);
    if (isCloser) nearest = { exchange, differences };
  }
  if (nearest === undefined) return undefined;
  const { ordinal, eventName = '', request: recorded } = nearest.exchange;
  return {
    ordinal,
    eventName,
    line: recorded?.line,
    isUsed: !unused.has(nearest.exchange),
    differences: nearest.differences.slice(0, mostDifferences),
  };
}

function asExchange({ eventName, input, correlationId }: MatchedRequest): RecordedExchange {
  const request = { line: 0, type: 'HOOK_EXECUTION_REQUEST', payload: { eventName, input } };
  return { ordinal: 0, correlationId, eventName, state: 'unanswered', request, progress: [], cancels: [], late: [] };
}
