import * as z from 'zod';
import { aggregatedHookResultSchema } from './aggregated-result.js';
import { errorCodes } from './codes.js';
import { hookOutcomeSchema } from './outcome.js';

/** What travels on the bus. Every message is plain JSON; an `Error` object never crosses it. */

const correlationId = z.string().min(1);

export const requestPayloadSchema = z.object({
  /** Generated where it is missing. */
  correlationId: correlationId.optional(),
  eventName: z.string(),
  input: z.record(z.string(), z.unknown()),
});

export const responseErrorSchema = z.object({
  code: z.enum(Object.keys(errorCodes) as [keyof typeof errorCodes, ...(keyof typeof errorCodes)[]]),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});

/** `success`: the request was carried out, whatever the hooks decided. `error` is present if and only if it is false. */
export const responsePayloadSchema = z
  .object({
    correlationId,
    success: z.boolean(),
    output: aggregatedHookResultSchema.optional(),
    error: responseErrorSchema.optional(),
  })
  .refine((response) => response.success === (response.error === undefined), 'error is present if and only if success is false');

const progressBase = {
  correlationId,
  eventName: z.string(),
  /** Milliseconds since the event began. */
  elapsedMs: z.number(),
};
const plannedHook = z.object({ hookId: z.string(), name: z.string().optional(), dialect: z.string(), source: z.string() });
/** What a hook printed stays out of progress messages: they are for watching, and must stay small. */
const finishedOutcome = hookOutcomeSchema.omit({ stdout: true, stderr: true, output: true });

export const progressPayloadSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('planned'), ...progressBase, stages: z.array(z.array(plannedHook)), skipped: z.number() }),
  z.object({ kind: z.literal('hook-started'), ...progressBase, hookId: z.string(), name: z.string().optional(), timeoutMs: z.number() }),
  z.object({
    kind: z.literal('hook-finished'),
    ...progressBase,
    hookId: z.string(),
    outcome: finishedOutcome,
    /** The hook ended after its event had been answered: an async hook. */
    late: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal('hook-skipped'), ...progressBase, hookId: z.string(), skipReason: z.string() }),
  z.object({ kind: z.literal('circuit-changed'), ...progressBase, hookId: z.string(), state: z.enum(['closed', 'open', 'half-open']) }),
]);

export const cancelPayloadSchema = z.object({ correlationId, reason: z.string().optional() });

/** Handlers of another process: which hooks it has. An empty list takes them away. */
export const handlerAnnouncePayloadSchema = z.object({
  engineId: z.string(),
  hooks: z.array(z.record(z.string(), z.unknown())),
});

export const handlerCallPayloadSchema = z.object({
  correlationId: correlationId.optional(),
  engineId: z.string(),
  hookId: z.string(),
  event: z.record(z.string(), z.unknown()),
  timeoutMs: z.number(),
});

export const handlerResultPayloadSchema = z.object({
  correlationId,
  success: z.boolean(),
  output: z.unknown().optional(),
  error: responseErrorSchema.optional(),
});

export const channelPayloadSchemas = {
  HOOK_EXECUTION_REQUEST: requestPayloadSchema,
  HOOK_EXECUTION_RESPONSE: responsePayloadSchema,
  HOOK_EXECUTION_PROGRESS: progressPayloadSchema,
  HOOK_EXECUTION_CANCEL: cancelPayloadSchema,
  HOOK_HANDLER_ANNOUNCE: handlerAnnouncePayloadSchema,
  HOOK_HANDLER_CALL: handlerCallPayloadSchema,
  HOOK_HANDLER_RESULT: handlerResultPayloadSchema,
} as const;

export type Channel = keyof typeof channelPayloadSchemas;
export type PayloadOf<C extends Channel> = z.infer<(typeof channelPayloadSchemas)[C]>;
export type MessageOf<C extends Channel> = { type: C; payload: PayloadOf<C> };
export type BusMessage = { [C in Channel]: MessageOf<C> }[Channel];

export type HookExecutionRequest = PayloadOf<'HOOK_EXECUTION_REQUEST'>;
export type HookExecutionResponse = PayloadOf<'HOOK_EXECUTION_RESPONSE'>;
export type HookExecutionProgress = PayloadOf<'HOOK_EXECUTION_PROGRESS'>;
export type HookExecutionCancel = PayloadOf<'HOOK_EXECUTION_CANCEL'>;
export type ResponseError = z.infer<typeof responseErrorSchema>;

/** Channels that are asked, and those on which the answer, the progress and the cancelling of it travel. */
export const exchanges = {
  HOOK_EXECUTION_REQUEST: {
    response: 'HOOK_EXECUTION_RESPONSE',
    progress: 'HOOK_EXECUTION_PROGRESS',
    cancel: 'HOOK_EXECUTION_CANCEL',
  },
  HOOK_HANDLER_CALL: { response: 'HOOK_HANDLER_RESULT', progress: 'HOOK_EXECUTION_PROGRESS', cancel: 'HOOK_EXECUTION_CANCEL' },
} as const satisfies Partial<Record<Channel, { response: Channel; progress: Channel; cancel: Channel }>>;

export type RequestChannel = keyof typeof exchanges;
export type ResponseOf<C extends RequestChannel> = PayloadOf<(typeof exchanges)[C]['response']>;

export function isRequestChannel(channel: string): channel is RequestChannel {
  return Object.hasOwn(exchanges, channel);
}
