import { randomUUID } from 'node:crypto';
import type { MessageBus } from '@tenterhook/bus';
import { wait } from '@tenterhook/runtime/async';
import { isPlainObject } from '@tenterhook/runtime/json';
import { requireOptions } from '@tenterhook/runtime/text';
import { type CompareOptions, compareExchanges, compareOptionNames, isRequest, type RecordingDiff } from '../compare/compare-recordings.js';
import { findCancel } from '../format/recorded-cancel.js';
import type { RecordedExchange, Recording } from '../format/recording.js';
import { requireRecording } from '../format/require-recording.js';
import { recordBus } from '../record/record-bus.js';
import { Filler, type FillOptions, type MissingValue, paceFactor } from './fill-in.js';
import { findMasked, type MaskedRequest } from './masked-requests.js';
import { ReplayedRequests } from './replayed-requests.js';
import { orderRequests } from './sent-order.js';

/** How requests are replayed. */
export interface ReplayRequestsOptions extends FillOptions, CompareOptions {
  /** Waits as long between two requests as in the recording, or a multiple of it. @default there are no pauses */
  readonly pace?: 'recorded' | number | undefined;
  /** Whether a request is replayed. @default all are */
  readonly filter?: ((exchange: RecordedExchange) => boolean) | undefined;
  /** Ends the replay. Requests in flight are cancelled. @default none */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until a request is cancelled. @default 120000 */
  readonly timeoutMs?: number | undefined;
}

export const replayOptionNames: readonly string[] = [
  ...compareOptionNames,
  ...Object.keys({
    roots: true,
    secrets: true,
    pace: true,
    filter: true,
    signal: true,
    timeoutMs: true,
  } satisfies Record<Exclude<keyof ReplayRequestsOptions, keyof CompareOptions>, true>),
];

/** A request that was not replayed. */
export interface SkippedRequest {
  readonly ordinal: number;
  readonly eventName: string | undefined;
  readonly line: number | undefined;
  /** `aborted`: the signal aborted before the request was sent. `missing_value`: see `missing`. */
  readonly code: 'unanswered' | 'cut_request' | 'malformed' | 'filtered' | 'aborted' | 'missing_value';
}

/** The result of a replay. `different` is empty if the hooks answer as recorded. */
export interface ReplayResult extends RecordingDiff {
  readonly skipped: readonly SkippedRequest[];
  /** Placeholders without a value. If there are any, nothing is sent. */
  readonly missing: readonly MissingValue[];
  /** Requests that were sent with `***` in place of a secret. */
  readonly masked: readonly MaskedRequest[];
  /** What happened now. */
  readonly recording: Recording;
}

/** The messages of a replay may take this much memory. */
const mostBytes = 512 * 1024 * 1024;

/**
 * Sends the requests of a recording to the hook service of a bus, and compares its responses with the recorded ones. **Hooks really run,
 * with all their effects.** Requests that overlapped overlap again, and others wait for the response before them. Never rejects because of
 * a hook. Rejects with a TypeError for unknown and invalid options, before anything is sent.
 */
export async function replayRequests(recording: Recording, bus: MessageBus, options: ReplayRequestsOptions = {}): Promise<ReplayResult> {
  requireOptions('replayRequests', options, replayOptionNames);
  requireRecording('replayRequests', recording);
  const { roots, secrets, pace, filter, signal, timeoutMs = 120_000 } = options;
  const factor = paceFactor(pace);
  const { sendable, skipped } = selectRequests(recording, filter);
  const filler = new Filler(options);
  const inputs = new Map(sendable.map((exchange) => [exchange, filler.fill(exchange.request?.payload)]));
  const missing = filler.missing();
  const recorder = recordBus(bus, { roots, secrets, mask: recording.header.masked, maxQueuedBytes: mostBytes });
  const sent = new Map<RecordedExchange, string>();
  const replayed = new ReplayedRequests(bus, { signal, timeoutMs });
  try {
    let before: number | undefined;
    for (const { exchange, answeredBefore } of missing.length > 0 ? [] : orderRequests(recording, sendable)) {
      await replayed.answered(answeredBefore.flatMap((one) => sent.get(one) ?? []));
      const t = exchange.request?.t;
      if (factor !== undefined && before !== undefined && t !== undefined) await wait(Math.max(0, t - before) * factor, signal);
      before = t;
      if (signal?.aborted) break;
      const correlationId = randomUUID();
      sent.set(exchange, correlationId);
      const payload = inputs.get(exchange) as { eventName: string; input: Record<string, unknown>; recheck?: boolean };
      replayed.send({ ...payload, correlationId }, findCancel(exchange));
    }
    await replayed.answered([...sent.values()]);
    // Asynchronous hooks end after the response, so they are awaited only if their steps are compared.
    if (options.progress === true) await replayed.lateEnds([...sent].map(([{ late }, id]) => [id, late.length]));
  } finally {
    replayed.stop();
    await recorder.close();
  }
  const live = await recorder.recording();
  const byId = new Map(live.exchanges.map((exchange) => [exchange.correlationId, exchange]));
  // A request that was not recorded now, because the bus was closed or the recording is too large, is a difference.
  const answered = [...sent.values()].flatMap((id) => byId.get(id) ?? []);
  const diff = compareExchanges([...sent.keys()], answered, options);
  const code = missing.length > 0 ? 'missing_value' : 'aborted';
  const unsent = sendable.filter((exchange) => !sent.has(exchange)).map((exchange) => describeSkipped(exchange, code));
  return { ...diff, skipped: [...skipped, ...unsent], missing, masked: findMasked(recording, [...sent.keys()]), recording: live };
}

/** Selects the requests that can be sent again, and says why the others cannot. */
export function selectRequests({ exchanges }: Recording, filter: ReplayRequestsOptions['filter']) {
  const sendable: RecordedExchange[] = [];
  const skipped: SkippedRequest[] = [];
  for (const exchange of exchanges.filter(isRequest)) {
    const code = findObstacle(exchange) ?? (filter === undefined || filter(exchange) ? undefined : 'filtered');
    if (code === undefined) sendable.push(exchange);
    else skipped.push(describeSkipped(exchange, code));
  }
  return { sendable, skipped };
}

function findObstacle({ eventName, request, state }: RecordedExchange): SkippedRequest['code'] | undefined {
  const payload = isPlainObject(request?.payload) ? request.payload : {};
  if (eventName === undefined || !isPlainObject(payload['input'])) return 'malformed';
  if ((request?.cut?.length ?? 0) > 0) return 'cut_request';
  return state === 'answered' ? undefined : 'unanswered';
}

export function describeSkipped({ ordinal, eventName, request }: RecordedExchange, code: SkippedRequest['code']): SkippedRequest {
  return { ordinal, eventName, line: request?.line, code };
}
