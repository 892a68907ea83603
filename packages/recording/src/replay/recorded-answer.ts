import type { Answer } from '@tenterhook/bus';
import { isHookEventName, type Verdict } from '@tenterhook/protocol';
import { matcherSubject } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeThrown } from '@tenterhook/runtime/text';
import type { RecordedExchange } from '../format/recording.js';
import type { NearestRequest } from './nearest-request.js';
import type { MatchedRequest } from './request-matcher.js';

type RequestAnswer = Answer<'HOOK_EXECUTION_REQUEST'>;
type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the answer of a recorded response, without its trace, which belongs to the recorded run. The minimal form has no durations, and a
 * result without them is incomplete, so they are 0.
 */
export function toAnswer(payload: unknown): RequestAnswer {
  const { correlationId: _id, trace: _trace, output, error, ...others } = isPlainObject(payload) ? payload : {};
  return {
    ...others,
    ...(isPlainObject(output) ? { output: { totalDuration: 0, ...withDurations(output) } } : {}),
    ...(isPlainObject(error)
      ? { error: { ...error, ...(isPlainObject(error['details']) ? { details: withDurations(error['details']) } : {}) } }
      : {}),
  } as unknown as RequestAnswer;
}

function withDurations(holder: Fields): Fields {
  const { outcomes } = holder;
  if (!Array.isArray(outcomes)) return holder;
  return { ...holder, outcomes: outcomes.map((outcome) => (isPlainObject(outcome) ? { durationMs: 0, ...outcome } : outcome)) };
}

/** The answer to an event that has no hooks. */
export function answerWithoutHooks(): RequestAnswer {
  const verdict: Verdict = { kind: 'none', stop: false, by: [], stoppedBy: [] };
  return { success: true, output: { success: true, verdict, changes: [], allOutputs: [], outcomes: [], errors: [], totalDuration: 0 } };
}

/** A request that the recording cannot answer. */
export interface Missed {
  readonly answer: RequestAnswer;
  readonly message: string;
  readonly subject: string | undefined;
  readonly nearest: NearestRequest | undefined;
}

/** The answer to a request without a match. */
export function missAnswer(request: MatchedRequest, nearest: NearestRequest | undefined): Missed {
  return deny(request, `is not in the recording. ${describeNearest(nearest)}`, nearest);
}

/** The answer to a request that cannot be matched, because a function of the caller threw. */
export function unmatchedAnswer(request: MatchedRequest, error: unknown): Missed {
  return deny(request, `cannot be matched, because match or normalise threw: ${describeThrown(error)}.`, undefined);
}

/** The answer to a request whose recorded answer was shortened. */
export function cutAnswer(request: MatchedRequest, { ordinal, response }: RecordedExchange, path: string): Missed {
  const place = `#${ordinal} (line ${response?.line})`;
  return deny(request, `has no whole answer: ${path} of ${place} was shortened. Record again with a larger maxLineBytes.`, undefined);
}

/** Returns the first shortened text of a response that an agent uses. Others are shown to people. */
export function findCutAnswer({ response }: RecordedExchange): string | undefined {
  return response?.cut?.find((path) => path.startsWith('output.finalOutput.'));
}

/** Denies, so that a tool does not run, also for a client that allows what it cannot ask. */
function deny({ eventName, input }: MatchedRequest, reason: string, nearest: NearestRequest | undefined): Missed {
  const subject = isHookEventName(eventName) ? matcherSubject(eventName, input) : undefined;
  const message = `${eventName}${subject === undefined ? '' : ` ${subject}`} ${reason}`;
  const verdict: Verdict = { kind: 'deny', stop: false, reason: message, by: [], stoppedBy: [] };
  const details = { verdict, ...(nearest === undefined ? {} : { nearest }) };
  return { answer: { success: false, error: { code: 'not_recorded', message, details } }, message, subject, nearest };
}

function describeNearest(nearest: NearestRequest | undefined): string {
  if (nearest === undefined) return 'No request of this event was recorded.';
  const { ordinal, eventName, line, isUsed, differences } = nearest;
  const name = `#${ordinal} ${eventName} (line ${line})`;
  const [first] = differences;
  if (first === undefined) return `${name} has this input, ${isUsed ? 'and was used already' : 'and another request had to come first'}.`;
  const more = differences.length === 1 ? '' : `, and ${differences.length - 1} more places differ`;
  return `The nearest one is ${name}: ${first.path} is ${shown(first.now)}, and was ${shown(first.recorded)}${more}.`;
}

function shown(value: unknown): string {
  const text = value === undefined ? 'missing' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
