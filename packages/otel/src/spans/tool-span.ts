import { type Context, context as contexts, type Meter, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import type { ToolTrace, TracedTool } from '@tenterhook/protocol';
import { attributes, names } from '../attributes.js';
import type { HookMetrics } from '../metrics.js';
import { safely } from '../safely.js';
import { shownText } from '../shown-name.js';

/** `error.type` of a tool that failed. What the tool said is not written, because it may contain anything. */
const toolFailed = 'tool_failed';

/** Records one tool call. The events of the call are its children. */
export class ToolSpan implements ToolTrace {
  readonly #name: string;
  readonly #span: Span | undefined;
  readonly #context: Context;
  readonly #meter: Meter | undefined;
  readonly #metrics: HookMetrics;
  readonly #began = performance.now();

  constructor({ name, callId }: TracedTool, metrics: HookMetrics, tracer: Tracer | undefined, meter: Meter | undefined) {
    const active = contexts.active();
    this.#name = shownText(name);
    this.#span = tracer?.startSpan(
      `${names.toolSpan} ${this.#name}`,
      {
        kind: SpanKind.INTERNAL,
        attributes: {
          [attributes.operationName.name]: 'execute_tool',
          [attributes.toolName.name]: this.#name,
          ...(callId === undefined ? {} : { [attributes.toolCallId.name]: shownText(callId) }),
        },
      },
      active,
    );
    this.#context = this.#span === undefined ? active : trace.setSpan(active, this.#span);
    this.#meter = meter;
    this.#metrics = metrics;
  }

  run<Result>(work: () => Result): Result {
    return contexts.with(this.#context, work);
  }

  ended({ verdict, failure }: Parameters<ToolTrace['ended']>[0]): void {
    const errorType = failure === undefined ? undefined : toolFailed;
    const [meter, span] = [this.#meter, this.#span];
    if (span !== undefined) {
      safely('spans', () => {
        try {
          // A blocked tool does not count as an error: the hooks did what they are for.
          if (verdict !== undefined && verdict !== 'none') span.setAttribute(attributes.verdict.name, verdict);
          if (errorType !== undefined) {
            span.setAttribute(attributes.errorType.name, errorType);
            span.setStatus({ code: SpanStatusCode.ERROR });
          }
        } finally {
          span.end();
        }
      });
    }
    if (meter === undefined) return;
    safely('metrics', () => this.#metrics.tool(meter, this.#name, (performance.now() - this.#began) / 1000, errorType));
  }
}
