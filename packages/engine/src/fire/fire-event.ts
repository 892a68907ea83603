import type { MessageBus } from '@tenterhook/bus';
import {
  type AggregatedHookResult,
  type HookEvent,
  type HookEventName,
  type HookExecutionResponse,
  isHookEventName,
  type ResponseError,
} from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { HookPlanner } from '../planner/planner.js';
import type { HookSet } from '../registry/hook-set.js';
import { resultOfFailure, resultOfResponse, type Situation } from './failed-result.js';
import type { FireOptions } from './hook-event-handler.js';

/** What firing needs of a system, beside its bus. */
export interface FireContext {
  readonly bus: MessageBus;
  readonly planner: HookPlanner;
  readonly currentSet: () => HookSet;
  /** The event with its base fields; undefined when the fields are not valid. */
  readonly eventOf: (eventName: HookEventName, fields: Readonly<Record<string, unknown>>) => HookEvent | undefined;
}

/** One request on the bus, and its result. Never rejects: what was wrong, wrong use included, is a result with its code. */
export async function fireEvent(
  context: FireContext,
  eventName: string,
  fields: Readonly<Record<string, unknown>>,
  options: FireOptions,
): Promise<AggregatedHookResult> {
  const began = performance.now();
  // Before the request: a guard that is gone when the failure comes was there when the event was fired (decision 35).
  const set = context.currentSet();
  const response = await requestSafely(context.bus, eventName, fields, options);
  if (response.success) return resultOfResponse({ eventName: eventName as HookEventName }, response);
  const error = response.error ?? { code: 'internal_error', message: 'The response carried neither a result nor an error.' };
  return resultOfFailure(error, situationOf(context, set, eventName, fields), Math.round(performance.now() - began));
}

async function requestSafely(
  bus: MessageBus,
  eventName: string,
  fields: Readonly<Record<string, unknown>>,
  options: FireOptions,
): Promise<Pick<HookExecutionResponse, 'success' | 'output' | 'error'>> {
  try {
    return await bus.request('HOOK_EXECUTION_REQUEST', { eventName, input: fields as Record<string, unknown> }, options);
  } catch (error) {
    const failure: ResponseError = { code: 'invalid_request', message: error instanceof Error ? error.message : String(error) };
    return { success: false, error: failure };
  }
}

/** What would have run: the plan, or without a valid input every hook of the event. */
function situationOf(context: FireContext, set: HookSet, eventName: string, fields: unknown): Situation | undefined {
  if (!isHookEventName(eventName)) return undefined;
  const event = isPlainObject(fields) ? context.eventOf(eventName, fields) : undefined;
  const hooks = set.hooks[eventName].filter((hook) => hook.skip === undefined);
  const { dialects } = set;
  if (event === undefined) return { eventName, hooks, dialects };
  try {
    return { eventName, hooks, dialects, event, plan: context.planner.plan(set, event) };
  } catch {
    // A dialect that failed on the bus fails here as well: nobody knows which of its hooks would have run, so any of them counts.
    return { eventName, hooks, dialects, event };
  }
}
