import * as z from '@tenterhook/runtime/schema';
import { type AggregatedHookResult, aggregatedHookResultSchema } from '../results/aggregated-result.js';
import type { HookOutput } from '../results/hook-output.js';
import { type HookOutcome, hookOutcomeSchema } from '../results/outcome.js';
import { correlationId, hookId, responseErrorSchema, trace } from './fields.js';

export const requestPayloadSchema = z.object({
  correlationId: correlationId.optional().describe('Id that all messages of one request have. If it is missing, an id is generated.'),
  eventName: z.string().describe('Name of the event.'),
  input: z.record(z.string(), z.unknown()).describe('Fields of the event. The service adds the fields that all events have.'),
  recheck: z
    .boolean()
    .optional()
    .describe(
      'true runs the hooks again on an input that was rewritten after they had answered. Only a deny, an ask or a stop then has an effect. For BeforeTool and PermissionRequest.',
    ),
  trace,
});

/** A result in a message, frozen at every level. `finalOutput` is a plain object; `restoreResult` makes the instance of its class. */
type SentResult = Omit<AggregatedHookResult, 'finalOutput'> & { readonly finalOutput?: HookOutput | undefined };

export const responsePayloadSchema = z
  .object({
    correlationId,
    success: z.boolean().describe('Whether the request was carried out, whatever the hooks decided.'),
    output: (aggregatedHookResultSchema as z.ZodType<SentResult>)
      .optional()
      .describe('The aggregated result. Present when success is true.'),
    error: responseErrorSchema.optional().describe('Why the request was not carried out. Present only when success is false.'),
    trace: z
      .unknown()
      .optional()
      .describe('The context of the record of this event, if the service records it: `{ traceparent, tracestate? }`.'),
    deliveries: z
      .number()
      .optional()
      .describe(
        'How often a stream has delivered the request to workers, if one keeps it (`atLeastOnce` on NATS). From 2 on, its hooks may have run more than once.',
      ),
  })
  .refine((response) => response.success === (response.error === undefined), 'error is present if and only if success is false');

const progressBase = {
  correlationId,
  eventName: z.string().describe('Name of the event.'),
  elapsedMs: z.number().describe('Milliseconds since the start of the event.'),
};
const hidden = z.literal(true).optional().describe('true if the settings of the hook say that its runs are not shown in the chat.');
const plannedHook = z.object({ hookId: z.string(), name: z.string().optional(), dialect: z.string(), source: z.string(), hidden });

export const progressPayloadSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('planned'),
    ...progressBase,
    stages: z
      .array(z.array(plannedHook))
      .describe('The hooks to run. Stages run one after another; the hooks of one stage run in parallel.'),
    skipped: z.number().describe('Number of configured hooks of the event that are not in the plan.'),
    base: z
      .object({ session_id: z.string(), cwd: z.string(), timestamp: z.string() })
      .optional()
      .describe('Fields of the input that the service has set. A request does not have them. Absent from services of an earlier version.'),
  }),
  z.object({
    kind: z.literal('hook-started'),
    ...progressBase,
    hookId,
    name: z.string().optional().describe('Name of the hook, if it has one.'),
    hidden,
    timeoutMs: z.number().describe('Milliseconds from now until the timeout of the hook.'),
    recheck: z.literal(true).optional().describe('The hook runs again, because another hook rewrote the input.'),
  }),
  z.object({
    kind: z.literal('hook-finished'),
    ...progressBase,
    hookId,
    hidden,
    // Progress messages leave out the output of a hook, because the response contains it. An asynchronous hook may end after the
    // response, so the message about its end contains the output.
    outcome: (hookOutcomeSchema as z.ZodType<HookOutcome>).describe(
      'Outcome of the hook. It has output, stdin, stdout and stderr only if `late` is true, and then at most 10000 characters of what the hook printed.',
    ),
    late: z.literal(true).optional().describe('true if the hook is asynchronous and ended after the event was answered.'),
    rewake: z
      .literal(true)
      .optional()
      .describe(
        'true if the hook ended late and wants the agent to continue, even if the agent waits for its user. The text for the model is `stderr`, or `stdout` if `stderr` is empty.',
      ),
  }),
  z.object({
    kind: z.literal('hook-input'),
    ...progressBase,
    hookId,
    stdin: z.string().describe('What the hook receives on stdin, or the body of its request: the first 64 KiB. Secrets are not masked.'),
    stdinBytes: z.number().describe('Bytes of the whole input.'),
    cwd: z.string().optional().describe('Working directory of the hook. Missing for a request.'),
    recheck: z.literal(true).optional().describe('The hook runs again, because another hook rewrote the input.'),
  }),
  z.object({ kind: z.literal('hook-skipped'), ...progressBase, hookId, skipReason: z.string().describe('Why the hook does not run.') }),
  z.object({
    kind: z.literal('circuit-changed'),
    ...progressBase,
    hookId,
    state: z.enum(['closed', 'open', 'half-open']).describe('If it is open, the hook is paused: it is skipped for a while.'),
  }),
]);

export const cancelPayloadSchema = z.object({
  correlationId: correlationId.describe('Correlation ID of the request to cancel.'),
  reason: z.string().optional().describe('Why the request is cancelled, in a few words. The error message contains this text.'),
});
