import { isPlainObject } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';
import { errorCodes } from './codes.js';
import type { HookEventName } from './events/event-catalogue.js';
import type { HookFieldsOf } from './events/hook-fields.js';
import { type AggregatedHookResult, aggregatedHookResultSchema } from './results/aggregated-result.js';
import type { HookOutput } from './results/hook-output.js';
import { type HookOutcome, hookOutcomeSchema } from './results/outcome.js';
import type { AggregatedHookResultOf } from './results/result-of-event.js';

/**
 * The messages on the bus. Every message is plain JSON. So an error in a message is an object with `code` and `message`, not an `Error`.
 */

const correlationId = z.string().min(1).describe('Ties the messages of one request together.');

export const requestPayloadSchema = z.object({
  correlationId: correlationId.optional().describe('Ties the messages of one request together. Generated if absent.'),
  eventName: z.string().describe('Name of the event.'),
  input: z.record(z.string(), z.unknown()).describe('Fields of the event. The service adds the fields that all events have.'),
  recheck: z
    .boolean()
    .optional()
    .describe(
      'true runs the hooks again on an input that was rewritten after they had answered. Only a deny, an ask or a stop then has an effect. For BeforeTool and PermissionRequest.',
    ),
});

export const responseErrorSchema = z.object({
  code: z.enum(Object.keys(errorCodes) as [keyof typeof errorCodes, ...(keyof typeof errorCodes)[]]).describe('Stable code.'),
  message: z.string().describe('For people. The text may change.'),
  details: z.record(z.string(), z.unknown()).optional().describe('More about the error: outcomes so far, issues, diagnostics.'),
});

/** A result in a message. The result is deeply frozen. `finalOutput` is an instance of its class only in the process of the service. */
type SentResult = Omit<AggregatedHookResult, 'finalOutput'> & { readonly finalOutput?: HookOutput | undefined };

export const responsePayloadSchema = z
  .object({
    correlationId,
    success: z.boolean().describe('Whether the request was carried out, whatever the hooks decided.'),
    output: (aggregatedHookResultSchema as z.ZodType<SentResult>)
      .optional()
      .describe('The aggregated result. Present when success is true.'),
    error: responseErrorSchema.optional().describe('Why the request was not carried out. Present if and only if success is false.'),
  })
  .refine((response) => response.success === (response.error === undefined), 'error is present if and only if success is false');

const progressBase = {
  correlationId,
  eventName: z.string().describe('Name of the event.'),
  elapsedMs: z.number().describe('Milliseconds since the start of the event.'),
};
const hookId = z.string().describe('Id of the hook.');
const hidden = z.literal(true).optional().describe('true if the settings of the hook ask not to show its runs in the chat.');
const plannedHook = z.object({ hookId: z.string(), name: z.string().optional(), dialect: z.string(), source: z.string(), hidden });

export const progressPayloadSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('planned'),
    ...progressBase,
    stages: z.array(z.array(plannedHook)).describe('The hooks to run. Stages run one after another, the hooks of a stage in parallel.'),
    skipped: z.number().describe('Number of configured hooks of the event that are not in the plan.'),
  }),
  z.object({
    kind: z.literal('hook-started'),
    ...progressBase,
    hookId,
    name: z.string().optional().describe('Name of the hook, if it has one.'),
    hidden,
    timeoutMs: z.number().describe('Timeout of the hook in milliseconds, from now.'),
    recheck: z.literal(true).optional().describe('The hook runs again, because another hook rewrote the input.'),
  }),
  z.object({
    kind: z.literal('hook-finished'),
    ...progressBase,
    hookId,
    hidden,
    // A progress message leaves out the output of a hook, because the response contains the output. The end of an asynchronous hook may
    // come after the response, so the message about that end contains the output.
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
  z.object({ kind: z.literal('hook-skipped'), ...progressBase, hookId, skipReason: z.string().describe('Why the hook does not run.') }),
  z.object({
    kind: z.literal('circuit-changed'),
    ...progressBase,
    hookId,
    state: z.enum(['closed', 'open', 'half-open']).describe('open: the hook is skipped for a while.'),
  }),
]);

export const cancelPayloadSchema = z.object({
  correlationId: correlationId.describe('Correlation ID of the request to cancel.'),
  reason: z.string().optional().describe('Why, in a few words. Part of the error message.'),
});

/** The hooks of another process. The receiver validates each hook separately, so that an invalid hook does not affect the others. */
export const handlerAnnouncePayloadSchema = z.object({
  engineId: z.string().describe('Id of the engine that has the handlers.'),
  name: z.string().optional().describe('Name of the engine. A later engine with the same name replaces the earlier one.'),
  query: z
    .boolean()
    .optional()
    .describe('true asks every engine to announce itself. `engineId` is then the id of the sender, and `hooks` is empty.'),
  hooks: z
    .array(z.record(z.string(), z.unknown()))
    .describe(
      'The hooks of the engine, each `{ id, event_type, matcher?, config?, hasHandler }`. An empty list removes all hooks of the engine.',
    ),
  pathFields: z.array(z.string()).optional().describe("Settings of the engine's matchers: the names of fields that hold paths."),
  shellTools: z.array(z.string()).optional().describe("Settings of the engine's matchers: the tools whose input is a shell command."),
  ignoreCase: z
    .boolean()
    .optional()
    .describe(
      "Settings of the engine's matchers: whether upper and lower case are ignored when paths are compared. Without it, the platform of the agent decides.",
    ),
});

export const handlerCallPayloadSchema = z.object({
  correlationId: correlationId.optional(),
  engineId: z.string().describe('Id of the engine that has the handler.'),
  hookId,
  event: z.record(z.string(), z.unknown()).describe('The event that the handler receives.'),
  timeoutMs: z.number().describe('Timeout of the handler in milliseconds.'),
});

export const handlerResultPayloadSchema = z.object({
  correlationId,
  success: z.boolean().describe('Whether the handler answered.'),
  output: z.unknown().optional().describe('Answer of the handler.'),
  error: responseErrorSchema.optional().describe('Why there is no answer.'),
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

/** The name of a channel: the `type` of its messages. */
export type Channel = keyof typeof channelPayloadSchemas;
/** The payload of the messages of a channel. */
export type PayloadOf<C extends Channel> = z.infer<(typeof channelPayloadSchemas)[C]>;
/** A message of a channel. */
export type MessageOf<C extends Channel> = { type: C; payload: PayloadOf<C> };
/** Any message. */
export type BusMessage = { [C in Channel]: MessageOf<C> }[Channel];

/** Asks for an event to be carried out. */
export type HookExecutionRequest = PayloadOf<'HOOK_EXECUTION_REQUEST'>;
/** The answer to a request: its result, or why it was not carried out. */
export type HookExecutionResponse = PayloadOf<'HOOK_EXECUTION_RESPONSE'>;
/** A step of an event that is being carried out. */
export type HookExecutionProgress = PayloadOf<'HOOK_EXECUTION_PROGRESS'>;
/** Cancels a request. */
export type HookExecutionCancel = PayloadOf<'HOOK_EXECUTION_CANCEL'>;
/** Why a request was not carried out. */
export interface ResponseError extends z.infer<typeof responseErrorSchema> {}

/**
 * Request channels, each with the channels of its response, progress and cancellation. `routedBy` is the field of the payload that names
 * the responder. Without `routedBy`, any responder may answer.
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

/** A channel whose messages have a response. */
export type RequestChannel = keyof typeof exchanges;
/** The payload of the response to a request of this channel. */
export type ResponseOf<C extends RequestChannel> = PayloadOf<(typeof exchanges)[C]['response']>;

/**
 * The type of an event name in a request. A literal must be in the catalogue. A name that is known only at run time is a `string`, which
 * the service checks.
 */
type CheckedName<Name extends string> = string extends Name ? string : [Name] extends [HookEventName] ? Name : HookEventName;
/** The fields of an event of the catalogue. */
type FieldsOfName<Name extends string> = [Name] extends [HookEventName] ? HookFieldsOf<Name> : Readonly<Record<string, unknown>>;
type ResultOfName<Name extends string> = [Name] extends [HookEventName] ? AggregatedHookResultOf<Name> : AggregatedHookResult;

/** The payload of a request on this channel. If the event name is a literal, `input` has the types of this event's fields. */
export type RequestOf<C extends RequestChannel, Name extends string = string> = C extends 'HOOK_EXECUTION_REQUEST'
  ? Omit<HookExecutionRequest, 'eventName' | 'input'> & { eventName: CheckedName<Name>; input: FieldsOfName<Name> }
  : PayloadOf<C>;
/** The payload of the answer to a request on this channel. If the event name is a literal, `output` has the types of this event. */
export type AnswerOf<C extends RequestChannel, Name extends string = string> = C extends 'HOOK_EXECUTION_REQUEST'
  ? Omit<HookExecutionResponse, 'output'> & { output?: ResultOfName<Name> | undefined }
  : ResponseOf<C>;

export function isRequestChannel(channel: string): channel is RequestChannel {
  return Object.hasOwn(exchanges, channel);
}

/** Returns the field of the payload that names the responder. Undefined for channels without requests, and if any responder may answer. */
export function routingFieldOf(channel: string): string | undefined {
  if (!isRequestChannel(channel)) return undefined;
  const exchange: { readonly response: Channel; readonly routedBy?: string } = exchanges[channel];
  return exchange.routedBy;
}

/**
 * Returns the responder that a message names. Returns undefined if any responder of the channel may answer. Returns `''` if the message
 * must name a responder but does not. No responder has this name, so none receives the message.
 */
export function routeOf(message: { readonly type: string; readonly payload: unknown }): string | undefined {
  const field = routingFieldOf(message.type);
  if (field === undefined) return undefined;
  const { payload } = message;
  const route: unknown = isPlainObject(payload) ? payload[field] : undefined;
  return typeof route === 'string' ? route : '';
}

/** Returns the JSON Schema of every bus message. `schema/` contains it too, and a test compares the two. */
export function messagesJsonSchema(): Record<string, unknown> {
  const message = z.discriminatedUnion(
    'type',
    Object.entries(channelPayloadSchemas).map(([type, payload]) => z.object({ type: z.literal(type), payload })) as unknown as [
      z.ZodObject<{ type: z.ZodLiteral<string> }>,
    ],
  );
  return { title: 'Tenterhook bus messages', ...z.toJSONSchema(message, { target: 'draft-07', io: 'input' }) };
}
