import { isPlainObject } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';
import { errorCodes } from './codes.js';
import { aggregatedHookResultSchema } from './results/aggregated-result.js';
import { hookOutcomeSchema } from './results/outcome.js';

/** What travels on the bus. Every message is plain JSON; an `Error` object never crosses it. */

const correlationId = z.string().min(1).describe('What ties the messages of one request together.');

export const requestPayloadSchema = z.object({
  correlationId: correlationId.optional().describe('What ties the messages of one request together; generated where it is missing.'),
  eventName: z.string().describe('Name of the event.'),
  input: z.record(z.string(), z.unknown()).describe('Fields of the event; base fields are filled in.'),
});

export const responseErrorSchema = z.object({
  code: z.enum(Object.keys(errorCodes) as [keyof typeof errorCodes, ...(keyof typeof errorCodes)[]]).describe('Stable code.'),
  message: z.string().describe('For people; may change.'),
  details: z.record(z.string(), z.unknown()).optional().describe('What the code alone does not say: outcomes so far, issues, diagnostics.'),
});

/** `success`: the request was carried out, whatever the hooks decided. `error` is present if and only if it is false. */
export const responsePayloadSchema = z
  .object({
    correlationId,
    success: z.boolean().describe('Whether the request was carried out, whatever the hooks decided.'),
    output: aggregatedHookResultSchema.optional().describe('The aggregated result; present when success is true.'),
    error: responseErrorSchema.optional().describe('Why not; present if and only if success is false.'),
  })
  .refine((response) => response.success === (response.error === undefined), 'error is present if and only if success is false');

const progressBase = {
  correlationId,
  eventName: z.string().describe('Name of the event.'),
  elapsedMs: z.number().describe('Milliseconds since the event began.'),
};
const hookId = z.string().describe('Id of the hook.');
const hidden = z.literal(true).optional().describe('Its settings ask that its runs are not shown in the chat.');
const plannedHook = z.object({ hookId: z.string(), name: z.string().optional(), dialect: z.string(), source: z.string(), hidden });
/** What a hook printed stays out of progress messages: they are for watching, and must stay small. */
const finishedOutcome = hookOutcomeSchema.omit({ stdout: true, stderr: true, output: true });

export const progressPayloadSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('planned'),
    ...progressBase,
    stages: z.array(z.array(plannedHook)).describe('The hooks that are to run: stages one after another, hooks of a stage side by side.'),
    skipped: z.number().describe('Number of configured hooks of the event that are not in the plan.'),
  }),
  z.object({
    kind: z.literal('hook-started'),
    ...progressBase,
    hookId,
    name: z.string().optional().describe('Name of the hook, where it has one.'),
    hidden,
    timeoutMs: z.number().describe('Milliseconds it has, from now on.'),
  }),
  z.object({
    kind: z.literal('hook-finished'),
    ...progressBase,
    hookId,
    hidden,
    outcome: finishedOutcome.describe('Its outcome, without what it printed.'),
    late: z.literal(true).optional().describe('It ended after its event had been answered: an async hook.'),
  }),
  z.object({ kind: z.literal('hook-skipped'), ...progressBase, hookId, skipReason: z.string().describe('Why.') }),
  z.object({
    kind: z.literal('circuit-changed'),
    ...progressBase,
    hookId,
    state: z.enum(['closed', 'open', 'half-open']).describe('open: the hook is left out for a while.'),
  }),
]);

export const cancelPayloadSchema = z.object({
  correlationId: correlationId.describe('That of the request that is to end.'),
  reason: z.string().optional().describe('Why, in a few words; stands in the message of the error.'),
});

/** Handlers of another process: which hooks it has. Each hook is checked by who accepts it, so that one bad hook does not hide the others. */
export const handlerAnnouncePayloadSchema = z.object({
  engineId: z.string().describe('Id of the engine that has the handlers.'),
  name: z.string().optional().describe('Name of the engine; an engine that announces itself under the name of another takes its place.'),
  query: z
    .boolean()
    .optional()
    .describe('true asks every engine to announce itself; `engineId` is then that of who asks, and `hooks` is empty.'),
  hooks: z
    .array(z.record(z.string(), z.unknown()))
    .describe('Its hooks, each `{ id, event_type, matcher?, config?, hasHandler }`; an empty list takes them away.'),
  pathFields: z.array(z.string()).optional().describe("Settings of the engine's matchers: the fields that hold paths."),
  shellTools: z.array(z.string()).optional().describe("Settings of the engine's matchers: the tools whose input is a shell command."),
});

export const handlerCallPayloadSchema = z.object({
  correlationId: correlationId.optional(),
  engineId: z.string().describe('Id of the engine that has the handler.'),
  hookId,
  event: z.record(z.string(), z.unknown()).describe('What the handler is given.'),
  timeoutMs: z.number().describe('Milliseconds it has.'),
});

export const handlerResultPayloadSchema = z.object({
  correlationId,
  success: z.boolean().describe('Whether the handler answered.'),
  output: z.unknown().optional().describe('Its answer.'),
  error: responseErrorSchema.optional().describe('Why there is none.'),
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

/**
 * Channels that are asked, and those on which the answer, the progress and the cancelling of it travel. On a channel with `routedBy` this
 * field of the payload names who is to answer; on the others any responder may.
 */
export const exchanges = {
  HOOK_EXECUTION_REQUEST: {
    response: 'HOOK_EXECUTION_RESPONSE',
    progress: 'HOOK_EXECUTION_PROGRESS',
    cancel: 'HOOK_EXECUTION_CANCEL',
  },
  HOOK_HANDLER_CALL: {
    response: 'HOOK_HANDLER_RESULT',
    progress: 'HOOK_EXECUTION_PROGRESS',
    cancel: 'HOOK_EXECUTION_CANCEL',
    routedBy: 'engineId',
  },
} as const satisfies Partial<Record<Channel, { response: Channel; progress: Channel; cancel: Channel; routedBy?: string }>>;

export type RequestChannel = keyof typeof exchanges;
export type ResponseOf<C extends RequestChannel> = PayloadOf<(typeof exchanges)[C]['response']>;

export function isRequestChannel(channel: string): channel is RequestChannel {
  return Object.hasOwn(exchanges, channel);
}

/** The field of the payload that names who is to answer; undefined where any responder may, and for channels that are not asked. */
export function routingFieldOf(channel: string): string | undefined {
  if (!isRequestChannel(channel)) return undefined;
  const exchange: { readonly response: Channel; readonly routedBy?: string } = exchanges[channel];
  return exchange.routedBy;
}

/**
 * Whom a message is for: undefined for anybody who serves its channel. `''` for a message of a routed channel whose payload names nobody:
 * it reaches no server, because no server has this route.
 */
export function routeOf(message: { readonly type: string; readonly payload: unknown }): string | undefined {
  const field = routingFieldOf(message.type);
  if (field === undefined) return undefined;
  const { payload } = message;
  const route: unknown = isPlainObject(payload) ? payload[field] : undefined;
  return typeof route === 'string' ? route : '';
}

/** JSON Schema of every bus message, keyed by channel; committed under `schema/` and compared by a test. */
export function messagesJsonSchema(): Record<string, unknown> {
  const message = z.discriminatedUnion(
    'type',
    Object.entries(channelPayloadSchemas).map(([type, payload]) => z.object({ type: z.literal(type), payload })) as unknown as [
      z.ZodObject<{ type: z.ZodLiteral<string> }>,
    ],
  );
  return { title: 'Tenterhook bus messages', ...z.toJSONSchema(message, { target: 'draft-07', io: 'input' }) };
}
