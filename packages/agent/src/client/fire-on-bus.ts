import type { MessageBus } from '@tenterhook/bus';
import type {
  AggregatedHookResult,
  FireOptions,
  HookEventName,
  HookExecutionResponse,
  HookOutcome,
  ResponseError,
  Verdict,
} from '@tenterhook/protocol';
import {
  type ContainedTracing,
  createFailedResult,
  readOutcomes,
  readResponse,
  splitFireOptions,
  verdictSchema,
} from '@tenterhook/protocol/internal';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { formatThrown } from './failure-text.js';
import type { Fields } from './hooks-on-bus.js';

/** Sends an event as a request. Never rejects. */
export async function fireOnBus(
  bus: MessageBus,
  eventName: HookEventName,
  fields: Fields,
  options: FireOptions,
  tracing?: ContainedTracing,
): Promise<AggregatedHookResult> {
  const began = performance.now();
  try {
    const { payload, limits, trace } = readEvent(eventName, fields, options, tracing);
    const response = await bus.request('HOOK_EXECUTION_REQUEST', payload, limits);
    if (response.error !== undefined) tracing?.refused({ eventName, trace, startedAt: began }, fields, response.error, false);
    return toResult(eventName, response, began);
  } catch (error) {
    return wrongUse(error, began);
  }
}

/** A request that reports denies before its answer, and that can be cancelled without waiting for the answer. */
export interface Attempt {
  /** Never rejects. After a cancel it is a failure. */
  readonly result: Promise<AggregatedHookResult>;
  /** The id of a hook that has denied so far. */
  deniedBy(): string | undefined;
  cancel(): void;
  /** Records that no service has accepted the event, if this was so. Only for the attempt whose answer counts: another one may have succeeded. */
  recordRefusal(): void;
}

/** Sends an event like `fireOnBus`, and reads its progress. */
export function startAttempt(
  bus: MessageBus,
  eventName: HookEventName,
  fields: Fields,
  options: FireOptions,
  tracing?: ContainedTracing,
): Attempt {
  const began = performance.now();
  let deniedBy: string | undefined;
  let cancel = () => {};
  let recordRefusal = () => {};
  const result = new Promise<AggregatedHookResult>((resolve) => {
    try {
      const { payload, limits, trace } = readEvent(eventName, fields, options, tracing);
      const subscription = bus.requestStream('HOOK_EXECUTION_REQUEST', payload, limits).subscribe((message) => {
        if (message.type === 'HOOK_EXECUTION_RESPONSE') {
          const { error } = message.payload;
          if (error !== undefined) recordRefusal = () => tracing?.refused({ eventName, trace, startedAt: began }, fields, error, false);
          resolve(toResult(eventName, message.payload, began));
        } else if (message.payload.kind === 'hook-finished' && isDeny(message.payload.outcome)) deniedBy ??= message.payload.hookId;
      });
      cancel = () => {
        subscription.unsubscribe();
        resolve(toFailedResult({ code: 'cancelled', message: 'Another worker answered first.' }, began));
      };
    } catch (error) {
      resolve(wrongUse(error, began));
    }
  });
  return { result, deniedBy: () => deniedBy, cancel: () => cancel(), recordRefusal: () => recordRefusal() };
}

function isDeny({ status, failedClosed }: HookOutcome): boolean {
  return status === 'blocked' || failedClosed === true;
}

function readEvent(eventName: HookEventName, fields: Fields, options: FireOptions, tracing: ContainedTracing | undefined) {
  const { sent, limits } = splitFireOptions(options);
  const trace = tracing?.outgoing();
  const payload = { eventName, input: fields as Record<string, unknown>, ...sent };
  return { payload: trace === undefined ? payload : { ...payload, trace }, limits, trace };
}

function toResult(eventName: HookEventName, response: Pick<HookExecutionResponse, 'success' | 'output' | 'error'>, began: number) {
  const read = readResponse(eventName, response);
  return 'result' in read ? read.result : toFailedResult(read.error, began);
}

/** The bus throws only for wrong use. The error becomes a failed result, so that callers handle one kind of failure. */
function wrongUse(error: unknown, began: number): AggregatedHookResult {
  return toFailedResult({ code: 'invalid_request', message: formatThrown(error) }, began);
}

/**
 * Returns the result of a failed request. If hooks denied before the failure, the result is a deny. The verdict is taken from the details
 * of the error. Computing the verdict from the outcomes was rejected, because only the engine knows which outcomes decide.
 */
export function toFailedResult(error: ResponseError, began: number): AggregatedHookResult {
  const verdict = readVerdict(error.details);
  const outcomes = readOutcomes(error);
  return createFailedResult(error, Math.round(performance.now() - began), omitUndefined({ verdict, outcomes }));
}

/** Reads the verdict, or returns undefined if there is none. A deny is returned even if other fields of the verdict are missing. */
function readVerdict(details: Fields | undefined): Verdict | undefined {
  const verdict = details?.['verdict'];
  const read = verdictSchema.safeParse(verdict).data;
  if (read !== undefined || !isPlainObject(verdict) || verdict['kind'] !== 'deny') return read;
  const deny: Verdict = { kind: 'deny', stop: false, by: [], stoppedBy: [] };
  return typeof verdict['reason'] === 'string' ? { ...deny, reason: verdict['reason'] } : deny;
}
