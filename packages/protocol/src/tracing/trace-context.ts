import { isPlainObject } from '@tenterhook/runtime/json';

/** The trace that an operation belongs to, in the form of W3C Trace Context. It travels in requests and responses as the field `trace`. */
export interface TraceContext {
  /** The version, the ids of the trace and of the parent span, and the flags. */
  readonly traceparent: string;
  /** Data of tracing systems, at most 512 characters. */
  readonly tracestate?: string;
  /** Properties for the whole trace, in the form of W3C Baggage, at most 8192 bytes. */
  readonly baggage?: string;
}

const longestState = 512;
const longestBaggage = 8192;

/** Version 00 has exactly four parts. A later version may have more, which are kept. */
const wellFormed = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-[\x21-\x7e]{1,256})?$/;
const printable = /^[\x20-\x7e]*$/;

/**
 * Reads a trace context from a message of any sender. A context never makes a request invalid: without a well-formed `traceparent` the result
 * is undefined, and other fields that are malformed or too long are dropped.
 */
export function readTraceContext(value: unknown): TraceContext | undefined {
  try {
    return read(value);
  } catch {
    // A sender in this process may pass an object whose getter throws.
    return undefined;
  }
}

function read(value: unknown): TraceContext | undefined {
  if (!isPlainObject(value)) return undefined;
  const { traceparent, tracestate, baggage } = value;
  if (typeof traceparent !== 'string' || !wellFormed.test(traceparent)) return undefined;
  if (traceparent.startsWith('00') && traceparent.length !== 55) return undefined;
  const context: { traceparent: string; tracestate?: string; baggage?: string } = { traceparent };
  if (isText(tracestate, longestState)) context.tracestate = tracestate;
  // Only printable ASCII is accepted, so characters are bytes.
  if (isText(baggage, longestBaggage)) context.baggage = baggage;
  return context;
}

function isText(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longest && printable.test(value);
}
