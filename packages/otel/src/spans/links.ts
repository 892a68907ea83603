import type { Link, SpanContext } from '@opentelemetry/api';
import { longestText } from '../shown-name.js';

/** The number of tool calls that are remembered. */
const most = 1000;

/** Links the events of one tool call: AfterTool to BeforeTool, and a BeforeTool that is fired again to the one before. */
export class ToolCallLinks {
  /** The span of the last BeforeTool of each call. The oldest call is first. */
  readonly #spans = new Map<string, SpanContext>();

  /** Returns the links of an event, before its span is made. */
  of(eventName: string, call: CallId): Link[] {
    const key = keyOf(call);
    const before = key === undefined || !isOfToolCall(eventName) ? undefined : this.#spans.get(key);
    return before === undefined ? [] : [{ context: before }];
  }

  /** Remembers the span of a BeforeTool. */
  remember(eventName: string, call: CallId, span: SpanContext): void {
    const key = keyOf(call);
    if (eventName !== 'BeforeTool' || key === undefined) return;
    this.#spans.delete(key);
    this.#spans.set(key, span);
    if (this.#spans.size > most) this.#spans.delete(this.#spans.keys().next().value as string);
  }
}

/** Some models count the calls of a session, so an id alone may belong to two calls. */
interface CallId {
  readonly session: string | undefined;
  readonly id: string | undefined;
}

/** The ids are not masked, because two of them would then be equal. They stay in this process. */
function keyOf({ session = '', id }: CallId): string | undefined {
  return id === undefined ? undefined : `${session.slice(0, longestText)}\0${id.slice(0, longestText)}`;
}

function isOfToolCall(eventName: string): boolean {
  return eventName === 'BeforeTool' || eventName === 'AfterTool' || eventName === 'PostToolUseFailure';
}
