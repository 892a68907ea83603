import type { Dialect, HookDefinition, HookEvent, HookInput, Invocation, TraceContext } from '@tenterhook/protocol';
import type { ContainedHook } from '@tenterhook/protocol/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import { isResident, residentRoute } from './executors/resident/resident-hook.js';

type Environment = Readonly<Record<string, string>>;
type Request = Extract<Invocation, { kind: 'http' }>;

/**
 * Returns the environment of a command with the context of its run. The process of a resident hook answers many events, so its environment
 * cannot have the context of one of them.
 */
export function withTraceVariables(environment: Environment, hook: HookDefinition, trace: ContainedHook | undefined): Environment {
  if (trace === undefined || (isResident(hook) && residentRoute(hook).kind === 'resident')) return environment;
  const { environment: traced } = trace;
  if (traced === undefined) return environment;
  const merged = { ...environment, ...omitUndefined(traced) } as Environment;
  // A variable that is undefined belongs to another trace, which the process has inherited.
  const foreign = Object.keys(traced).filter((name) => traced[name] === undefined && name in environment);
  return foreign.length === 0 ? merged : Object.fromEntries(Object.entries(merged).filter(([name]) => !foreign.includes(name)));
}

/**
 * Returns the event with the context of the run in its input, if hooks of the dialect can receive it there. Other formats would break hooks
 * that check their input. The result is used for one invocation only: the event itself does not change.
 */
export function withTraceFields(event: HookEvent, { traceFields }: Dialect, trace: ContainedHook | undefined): HookEvent {
  if (trace === undefined || traceFields === undefined) return event;
  if (traceFields === 'on request' && !trace.isInInput) return event;
  const { context } = trace;
  if (context === undefined) return event;
  const { traceparent, tracestate } = context;
  const { traceparent: _, tracestate: __, ...input } = event.input as Readonly<Record<string, unknown>>;
  const traced = { ...input, traceparent, ...(tracestate === undefined ? {} : { tracestate }) };
  return { ...event, input: traced as unknown as HookInput };
}

/** Adds the headers of W3C Trace Context, unless the settings set `traceparent`. Baggage is never sent: it is for this program. */
export function withTraceHeaders(request: Request, context: TraceContext | undefined): Request {
  if (context === undefined) return request;
  const { traceparent, tracestate } = context;
  const isSet = Object.keys(request.headers).some((name) => ['traceparent', 'tracestate'].includes(name.toLowerCase()));
  if (isSet) return request;
  return { ...request, headers: { ...request.headers, traceparent, ...(tracestate === undefined ? {} : { tracestate }) } };
}
