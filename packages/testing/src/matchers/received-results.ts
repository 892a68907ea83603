import type { AggregatedHookResult, HookOutcome, Verdict } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeOption } from '@tenterhook/runtime/text';

/** The part of a result that matchers read. A response without a result may have parts of one in the details of its error. */
export type ReceivedResult = Pick<AggregatedHookResult, 'changes'> & {
  readonly verdict: Verdict;
  readonly outcomes: readonly HookOutcome[];
  /** Where the result was in the received value, or undefined if it was the value itself. */
  readonly place: string | undefined;
  /** Why the request was not carried out. */
  readonly failure: string | undefined;
};

/** The fields of what the functions for agents return that have results, in the order of their events. */
const agentFields = ['selection', 'before', 'permission', 'recheck', 'after', 'result'];
const agentStatuses = ['executed', 'responded', 'synthetic', 'accepted', 'completed', 'continue', 'blocked', 'stopped', 'failed'];
const none: Verdict = { kind: 'none', stop: false, by: [], stoppedBy: [] };

/**
 * Returns the results in what a test passed to `expect()`: an aggregated result, a response, an exchange, or what a function for agents
 * returned. Throws a TypeError for any other value, so that `.not` does not pass for it.
 */
export function readReceived(matcher: string, received: unknown): readonly ReceivedResult[] {
  const results = isObject(received) ? (fromResult(received) ?? fromAnswer(received) ?? fromAgent(received)) : undefined;
  if (results !== undefined) return results;
  throw new TypeError(
    `${matcher}: expect() must receive the result of an event, a response, an exchange of a recording, or what a function such as executeToolWithHooks returned, and received ${describeReceived(received)}. Await a promise first.`,
  );
}

function fromResult(value: object): readonly ReceivedResult[] | undefined {
  const { aggregated } = value as { aggregated?: unknown };
  const result = isResult(aggregated) ? aggregated : value;
  return isResult(result) ? [toReceived(result)] : undefined;
}

/** An exchange of a recording has a message with a payload as its response; the record of an event has the payload itself. */
function fromAnswer(value: object): readonly ReceivedResult[] | undefined {
  const { response } = value as { response?: unknown };
  const answer = isObject(response) && 'payload' in response ? response.payload : 'request' in value ? response : value;
  if (!isObject(answer) || !('success' in answer) || typeof answer.success !== 'boolean') return undefined;
  const { output, error } = answer as { output?: unknown; error?: unknown };
  if (isResult(output)) return [toReceived(output)];
  if (!isPlainObject(error)) return undefined;
  const details = isPlainObject(error['details']) ? error['details'] : {};
  const parts = { ...(isPlainObject(output) ? output : {}), ...details };
  const outcomes = Array.isArray(parts['outcomes']) ? parts['outcomes'].filter(isOutcome) : [];
  const verdict = isVerdict(parts['verdict']) ? parts['verdict'] : none;
  return [{ verdict, outcomes, changes: [], place: undefined, failure: `${String(error['code'])}: ${String(error['message'])}` }];
}

function fromAgent(value: object): readonly ReceivedResult[] | undefined {
  const fields = value as Readonly<Record<string, unknown>>;
  const results = agentFields.flatMap((place) => {
    const result = fields[place];
    return isResult(result) ? [{ ...toReceived(result), place }] : [];
  });
  if (results.length > 0) return results;
  // Without hooks of its events, an operation has no results. It has messages nevertheless.
  const isOperation = Array.isArray(fields['systemMessages']) && Array.isArray(fields['userMessages']);
  return isOperation && (fields['status'] === undefined || agentStatuses.includes(String(fields['status']))) ? [] : undefined;
}

function toReceived(result: AggregatedHookResult): ReceivedResult {
  const [error] = result.outcomes.length === 0 && !result.success ? result.errors : [];
  const failure = error === undefined ? undefined : `${error.code}: ${error.message}`;
  return { verdict: result.verdict, outcomes: result.outcomes, changes: result.changes, place: undefined, failure };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isResult(value: unknown): value is AggregatedHookResult {
  if (!isObject(value)) return false;
  const { verdict, outcomes, changes, errors } = value as Partial<Record<keyof AggregatedHookResult, unknown>>;
  return isVerdict(verdict) && Array.isArray(outcomes) && outcomes.every(isOutcome) && Array.isArray(changes) && Array.isArray(errors);
}

function isVerdict(value: unknown): value is Verdict {
  return isObject(value) && 'kind' in value && 'by' in value && Array.isArray(value.by);
}

function isOutcome(value: unknown): value is HookOutcome {
  return isObject(value) && 'hookId' in value && typeof value.hookId === 'string' && 'status' in value;
}

function describeReceived(value: unknown): string {
  if (value instanceof Promise) return 'a promise';
  if (!isPlainObject(value)) return describeOption(value);
  const fields = Object.keys(value).slice(0, 5);
  return fields.length === 0 ? 'an empty object' : `an object with ${fields.join(', ')}`;
}
