import {
  type Baggage,
  type Context,
  createTraceState,
  INVALID_SPANID,
  INVALID_TRACEID,
  propagation,
  ROOT_CONTEXT,
  type SpanContext,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import type { TraceContext } from '@tenterhook/protocol';
import { readTraceContext } from '@tenterhook/protocol/internal';

/**
 * Returns the context for messages of Tenterhook, or undefined for the span of a tracer that makes none. It always has the form of W3C Trace
 * Context. Ids of a wrong form are not looked for: who receives the context checks it (`readTraceContext`).
 */
export function toTraceContext({ traceId, spanId, traceFlags, traceState }: SpanContext, baggage?: string): TraceContext | undefined {
  if (traceId === INVALID_TRACEID || spanId === INVALID_SPANID) return undefined;
  const flags = (traceFlags & 0xff).toString(16).padStart(2, '0');
  const context: { traceparent: string; tracestate?: string; baggage?: string } = { traceparent: `00-${traceId}-${spanId}-${flags}` };
  const tracestate = traceState?.serialize() ?? '';
  if (tracestate !== '') context.tracestate = tracestate;
  if (baggage !== undefined && baggage !== '') context.baggage = baggage;
  return context;
}

/**
 * Returns the context of a message, with its span as the parent, and with the baggage entries that have one of the names. The global propagator was rejected for this, because it may use another form,
 * or be missing.
 */
export function fromTraceContext(given: TraceContext | undefined, names: readonly string[], base: Context = ROOT_CONTEXT): Context {
  if (given === undefined) return base;
  const [, traceId = '', spanId = '', flags = '00'] = given.traceparent.split('-');
  const isSampled = (Number.parseInt(flags, 16) & TraceFlags.SAMPLED) !== 0;
  const span: SpanContext = {
    traceId,
    spanId,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
    ...(given.tracestate === undefined ? {} : { traceState: createTraceState(given.tracestate) }),
  };
  const context = trace.setSpanContext(base, span);
  if (given.baggage === undefined || names.length === 0) return context;
  return propagation.setBaggage(context, readBaggage(given.baggage, names));
}

/** Returns the context that the process inherited, if it is well-formed. */
export function inheritedContext(env: Readonly<Record<string, string | undefined>>): TraceContext | undefined {
  return readTraceContext({ traceparent: env['TRACEPARENT'], tracestate: env['TRACESTATE'] });
}

/** Writes the entries with these names in the form of W3C Baggage. */
export function writeBaggage(baggage: Baggage | undefined, names: readonly string[]): string {
  if (baggage === undefined) return '';
  return names
    .flatMap((name) => {
      const entry = baggage.getEntry(name);
      try {
        return entry === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(entry.value)}`];
      } catch {
        // Half of a surrogate pair cannot be encoded. The other entries are passed on.
        return [];
      }
    })
    .join(',');
}

function readBaggage(text: string, names: readonly string[]): Baggage {
  const entries: Record<string, { value: string }> = {};
  for (const part of text.split(',')) {
    // A value may contain `=`.
    const [, name = '', value = ''] = /^([^=;]*)=([^;]*)/.exec(part) ?? [];
    try {
      const read = decodeURIComponent(name.trim());
      if (names.includes(read)) entries[read] = { value: decodeURIComponent(value.trim()) };
    } catch {
      // An entry that is not encoded as W3C Baggage requires is dropped.
    }
  }
  return propagation.createBaggage(entries);
}

/**
 * Returns the variables with which a command receives the context: the keys of the global propagator, as the specification of environment
 * carriers writes them. `traceparent` becomes `TRACEPARENT`, and `x-b3-traceid` becomes `X_B3_TRACEID`. The other variables of the propagator
 * are undefined: the process may have inherited them, and they belong to another trace.
 */
export function toEnvironment(context: Context): Readonly<Record<string, string | undefined>> {
  const written: Record<string, string> = {};
  propagation.inject(context, written, { set: (carrier, key, value) => (carrier[toVariable(key)] = value) });
  // Without a propagator nothing was written, and what the process has inherited stays.
  if (Object.keys(written).length === 0) return written;
  const environment: Record<string, string | undefined> = Object.fromEntries(
    propagation.fields().map((key) => [toVariable(key), undefined]),
  );
  Object.assign(environment, written);
  return environment;
}

function toVariable(key: string): string {
  const name = key.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_');
  return /^[0-9]/.test(name) ? `_${name}` : name;
}
