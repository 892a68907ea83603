import type { Answer, MessageBus, ProgressPayload, RequestContext } from '@tenterhook/bus';
import { type HookEventName, isHookEventName } from '@tenterhook/protocol';
import { wait } from '@tenterhook/runtime/async';
import { requireOptions } from '@tenterhook/runtime/text';
import { subjectOf } from '../compare/compare-recordings.js';
import type { RecordedExchange, RecordedMessage, Recording } from '../format/recording.js';
import { RecordingError } from '../format/recording-error.js';
import { requireRecording } from '../format/require-recording.js';
import { createMasker } from '../mask/masker.js';
import { createPlaceholderTable } from '../mask/placeholders.js';
import type { NormaliseRules } from '../normalise/normalise-value.js';
import { Filler, type FillOptions, paceFactor } from './fill-in.js';
import { findNearest, type NearestRequest } from './nearest-request.js';
import { answerWithoutHooks, cutAnswer, findCutAnswer, type Missed, missAnswer, toAnswer, unmatchedAnswer } from './recorded-answer.js';
import { type MatchMode, RequestMatcher, toMatched } from './request-matcher.js';

/** How a recording answers. */
export interface ReplayResponsesOptions extends FillOptions, NormaliseRules {
  /** When a request fits a recorded one. @default 'input' */
  readonly match?: MatchMode | undefined;
  /** `last`: the last fitting exchange answers again if all are used. @default 'never' */
  readonly repeat?: 'never' | 'last' | undefined;
  /** Waits as long for progress and response as in the recording, or a multiple of it. @default answers at once */
  readonly pace?: 'recorded' | number | undefined;
}

const optionNames = Object.keys({
  roots: true,
  secrets: true,
  ignore: true,
  normalise: true,
  match: true,
  repeat: true,
  pace: true,
} satisfies Record<keyof ReplayResponsesOptions, true>);

/** A request that has no match in the recording, or whose recorded answer was shortened. Also one for which `match` or `normalise` threw. */
export interface Miss {
  readonly eventName: string;
  readonly subject: string | undefined;
  /** Names the nearest recorded request and what differs, or what was shortened, or what was thrown. */
  readonly message: string;
  readonly nearest: NearestRequest | undefined;
}

/** An exchange of the recording that was not used. */
export interface UnusedExchange {
  readonly ordinal: number;
  readonly eventName: string | undefined;
  readonly subject: string | undefined;
  readonly line: number | undefined;
}

/** A recording that answers in place of the hooks. */
export interface ResponseReplay {
  /** For `createHookClient()`, or `createAgent()`. It knows for which events the recording has hooks. */
  readonly client: {
    /** The bus on which the recording answers. */
    readonly bus: MessageBus;
    /** Returns whether the recording has hooks for the event. */
    has(eventName: HookEventName): boolean;
  };
  /** Whether the recording has hooks for an event: a request was recorded, or the note `about` names the event. */
  has(eventName: string): boolean;
  /** The exchanges that no request has used so far. */
  unused(): UnusedExchange[];
  /** The requests that could not be answered so far. */
  readonly misses: readonly Miss[];
  /**
   * Stops answering. Rejects with a RecordingError if a request could not be answered (`not_recorded`) or an exchange was not used
   * (`unused_recording`). Later calls return the same promise.
   */
  close(): Promise<void>;
  /** Calls `close()` at the end of a scope. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Answers the requests on a bus from a recording, in place of a hook service. No hook runs. A request without a match is denied, and so is
 * one whose recorded answer was shortened. Throws a RecordingError if the recording has placeholders without a value, and if a line of its
 * file cannot be read. Throws a TypeError for unknown and invalid options.
 */
export function replayResponses(bus: MessageBus, recording: Recording, options: ReplayResponsesOptions = {}): ResponseReplay {
  requireOptions('replayResponses', options, optionNames);
  requireRecording('replayResponses', recording);
  const { match = 'input', repeat = 'never', pace, roots, secrets } = options;
  if (repeat !== 'never' && repeat !== 'last') throw new TypeError(`repeat must be "never" or "last", and is ${String(repeat)}.`);
  const factor = paceFactor(pace);
  requireWhole(recording);
  const answered = recording.exchanges.filter(({ request, state }) => request !== undefined && state === 'answered');
  const filler = new Filler(options);
  for (const { response, progress, late } of answered) {
    for (const message of [response, ...progress, ...late]) filler.fill(message?.payload);
  }
  const [missing] = filler.missing();
  if (missing !== undefined) throw new RecordingError(missing.code, missing.message);

  const mask = createMasker({ table: createPlaceholderTable(roots, secrets), mask: recording.header.masked });
  const matcher = new RequestMatcher(answered, match, repeat === 'last', options);
  const misses: Miss[] = [];
  const events = eventsOf(recording);
  const has = (eventName: string) => events.has(eventName);

  const miss = (eventName: string, { answer: denied, ...missed }: Missed) => {
    misses.push({ eventName, ...missed });
    return denied;
  };
  const answer = (
    payload: { eventName?: unknown },
    context: RequestContext,
  ): Answer<'HOOK_EXECUTION_REQUEST'> | Promise<Answer<'HOOK_EXECUTION_REQUEST'>> => {
    const eventName = String(payload.eventName);
    const request = toMatched(eventName, context.correlationId, mask(JSON.parse(JSON.stringify(payload))));
    try {
      const exchange = matcher.take(request);
      const cut = exchange === undefined ? undefined : findCutAnswer(exchange);
      if (exchange !== undefined) {
        return cut === undefined ? playExchange(exchange, context, filler, factor) : miss(eventName, cutAnswer(request, exchange, cut));
      }
      // Events without hooks are never published, so they are not in a recording.
      if (!has(eventName) && isHookEventName(eventName)) return answerWithoutHooks();
      return miss(eventName, missAnswer(request, findNearest(request, answered, matcher)));
    } catch (error) {
      // The functions of the caller threw. The bus would answer with `internal_error`, and a client may then allow the tool.
      return miss(eventName, unmatchedAnswer(request, error));
    }
  };
  const stop = bus.respond('HOOK_EXECUTION_REQUEST', answer, { maxInFlight: Number.MAX_SAFE_INTEGER });
  const unused = () => matcher.unused().map(describeExchange);
  let closing: Promise<void> | undefined;
  const close = () => {
    stop();
    closing ??= finish(misses, unused());
    return closing;
  };
  return { client: { bus, has }, has, unused, misses, close, [Symbol.asyncDispose]: close };
}

/** Publishes the recorded progress, returns the recorded response, and publishes late ends after it. */
async function playExchange(
  { request, progress, late, response }: RecordedExchange,
  { progress: publish, signal }: RequestContext,
  filler: Filler,
  factor: number | undefined,
): Promise<Answer<'HOOK_EXECUTION_REQUEST'>> {
  const begin = request?.t ?? 0;
  const play = async (messages: readonly RecordedMessage[], from: number) => {
    let before = from;
    for (const { t = before, payload } of messages) {
      if (factor !== undefined) await wait(Math.max(0, t - before) * factor, signal);
      if (signal.aborted) return before;
      before = t;
      const { correlationId: _id, ...step } = filler.fill(payload) as Record<string, unknown>;
      publish(step as unknown as ProgressPayload);
    }
    return before;
  };
  const reached = await play(progress, begin);
  const { t = reached } = response ?? {};
  if (factor !== undefined) await wait(Math.max(0, t - reached) * factor, signal);
  if (signal.aborted) {
    return { success: false, error: { code: 'cancelled', message: `The request was cancelled (${String(signal.reason)}).` } };
  }
  // The bus sends the response when this function has returned, in a later microtask.
  if (late.length > 0) setImmediate(() => void play(late, t));
  return toAnswer(filler.fill(response?.payload));
}

/**
 * A recorder writes no invalid line, so a file with one was changed, for example by a merge with conflicts. It may have two answers to one
 * request. Other programs may write to a stream, so there such lines are expected.
 */
function requireWhole({ files, problems }: Recording): void {
  const damage = problems.find(({ code }) => code === 'invalid_line' || code === 'long_line');
  if (files.length === 0 || damage === undefined) return;
  throw new RecordingError('damaged', `${damage.message} Such a recording does not answer. Restore the file, or record again.`);
}

function eventsOf({ exchanges, notes }: Recording): Set<string> {
  const recorded = exchanges.flatMap(({ eventName }) => eventName ?? []);
  const about = notes.filter(({ note }) => note === 'about').flatMap(({ events }) => (Array.isArray(events) ? events : []));
  return new Set([...recorded, ...about.filter((name) => typeof name === 'string')]);
}

function describeExchange(exchange: RecordedExchange): UnusedExchange {
  const { ordinal, eventName, request } = exchange;
  return { ordinal, eventName, subject: subjectOf(exchange), line: request?.line };
}

/** The maximum number of requests that a message lists. */
const mostNamed = 5;

async function finish(misses: readonly Miss[], unused: readonly UnusedExchange[]): Promise<void> {
  if (misses.length > 0) {
    const named = misses.slice(0, mostNamed).map(({ message }) => message);
    throw new RecordingError(
      'not_recorded',
      `${count(misses.length, 'request')} could not be answered from the recording. ${named.join(' ')} Record again if this is intended.`,
    );
  }
  if (unused.length > 0) {
    const named = unused.slice(0, mostNamed).map(({ ordinal, eventName, subject, line }) => {
      return `#${ordinal} ${eventName}${subject === undefined ? '' : ` ${subject}`} (line ${line})`;
    });
    const more = unused.length > mostNamed ? ` and ${unused.length - mostNamed} more` : '';
    throw new RecordingError(
      'unused_recording',
      `${count(unused.length, 'request')} of the recording ${unused.length === 1 ? 'was' : 'were'} not made: ${named.join(', ')}${more}. Record again if this is intended.`,
    );
  }
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}
