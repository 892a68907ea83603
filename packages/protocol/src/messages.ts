import { isPlainObject } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';
import { errorCodes } from './codes.js';
import type { HookEventName } from './events/event-catalogue.js';
import type { HookFieldsOf } from './events/hook-fields.js';
import { type Diagnostic, diagnosticSchema } from './hooks/diagnostic.js';
import { type AggregatedHookResult, aggregatedHookResultSchema } from './results/aggregated-result.js';
import type { HookOutput } from './results/hook-output.js';
import { type HookOutcome, hookOutcomeSchema } from './results/outcome.js';
import type { AggregatedHookResultOf } from './results/result-of-event.js';

/**
 * The messages on the bus. Every message is plain JSON, so an error in a message is an object with `code` and `message`, not an
 * `Error`.
 */

/** Any value is accepted, because a malformed context must not make a request invalid (`readTraceContext`). */
const trace = z
  .unknown()
  .optional()
  .describe(
    'The trace of the sender: `{ traceparent, tracestate?, baggage? }`, as in W3C Trace Context and Baggage. A malformed one is ignored.',
  );

const correlationId = z.string().min(1).describe('Id that all messages of one request have.');

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

export const responseErrorSchema = z.object({
  code: z
    .enum(Object.keys(errorCodes) as [keyof typeof errorCodes, ...(keyof typeof errorCodes)[]])
    .describe('The code of the error, which stays the same in all versions.'),
  message: z.string().describe('A text for people. It may change in later versions.'),
  details: z.record(z.string(), z.unknown()).optional().describe('More about the error, such as the outcomes so far.'),
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
const hookId = z.string().describe('Id of the hook.');
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

/** The hooks of another process. The receiver validates each hook separately, so that an invalid hook does not affect the others. */
export const handlerAnnouncePayloadSchema = z.object({
  engineId: z.string().describe('Id of the engine that has the handlers.'),
  name: z.string().optional().describe('Name of the engine. A later engine with the same name replaces the earlier one.'),
  version: z.string().optional().describe('Version of the engine, such as the version of its policy. Outcomes of its hooks state it.'),
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
  trace,
});

export const handlerResultPayloadSchema = z.object({
  correlationId,
  success: z.boolean().describe('Whether the handler answered.'),
  output: z.unknown().optional().describe('Answer of the handler.'),
  error: responseErrorSchema.optional().describe('Why the handler gave no answer.'),
});

export const serviceQueryPayloadSchema = z.object({
  correlationId: correlationId.optional(),
  query: z
    .string()
    .describe(
      'What to answer. `describe`: the hooks, the settings files and the problems of the service. `explain`: which hooks would run for an event, and why. `preview`: what these hooks would receive. `load`: what a worker of `tenterhook serve` has done so far. Others are refused.',
    ),
  eventName: z.string().optional().describe('Name of the event, for `explain` and `preview`.'),
  input: z.record(z.string(), z.unknown()).optional().describe('Fields of the event, for `explain` and `preview`.'),
});

const inputIssues = z
  .array(z.object({ path: z.string(), message: z.string(), remedy: z.string().optional() }))
  .describe('What is wrong with the input. Hooks are explained nevertheless; none is previewed.');

const explainedSchema = z.object({
  hooks: z.array(
    z.object({
      hookId,
      name: z.string().optional().describe('Name of the hook, if it has one.'),
      wouldRun: z.boolean().describe('Whether the hook would run.'),
      reason: z.string().describe('Why, as a sentence for people.'),
      skipReason: z.string().optional().describe('Why it would not run, as a code.'),
      stage: z.number().optional().describe('The stage of a hook that would run, from 1.'),
    }),
  ),
  issues: inputIssues,
});

const previewSchema = z.object({
  hooks: z.array(
    z.object({
      hookId,
      name: z.string().optional().describe('Name of the hook, if it has one.'),
      stage: z.number().describe('The stage of the hook, from 1.'),
      kind: z.string().describe('`command`, `http`, `call` or `host`; `refused` if the event would be denied without a run.'),
      command: z.string().optional().describe('The command, as the shell gets it.'),
      url: z.string().optional().describe('The address of the request, without its query and its password.'),
      cwd: z.string().optional().describe('The working directory.'),
      stdin: z.string().optional().describe('What the hook would receive: the first 64 KiB.'),
      stdinBytes: z.number().optional().describe('Bytes of the whole input.'),
      reason: z.string().optional().describe('Why the event would be denied without a run.'),
      headers: z.array(z.string()).optional().describe('Names of the headers of the request. Values are never sent.'),
      env: z.array(z.string()).optional().describe('Names of the environment variables. Values are never sent.'),
    }),
  ),
  issues: inputIssues,
});

export const serviceDescriptionSchema = z.object({
  events: z.array(z.string()).describe('Names of the events that have hooks.'),
  hooks: z
    .array(
      z.object({
        hookId,
        name: z.string().optional().describe('Name of the hook, if it has one.'),
        eventName: z.string().describe('Name of the event.'),
        dialect: z.string().describe('Format of the settings of the hook.'),
        source: z.string().describe('Where the hook comes from, such as `project` or `user`.'),
        off: z.string().optional().describe('Why the hook never runs. Missing if it runs for each event that it matches.'),
        matcher: z.string().optional().describe('The matcher as written in the settings.'),
        file: z.string().optional().describe('The settings file of the hook.'),
        line: z.number().optional().describe('The line of the hook in that file, from 1.'),
      }),
    )
    .describe('The configured hooks, in the order in which they run. Their commands are left out.'),
  files: z
    .array(z.object({ file: z.string(), source: z.string(), dialect: z.string().optional(), state: z.string() }))
    .describe('Every file where settings were looked for. `state` is `read`, `missing` or `broken`.'),
  diagnostics: z.array(diagnosticSchema as z.ZodType<Diagnostic>).describe('The problems of the settings.'),
  load: z
    .object({
      worker: z.string().describe('Name of the worker: its machine and the id of its process.'),
      ready: z.boolean().describe('Whether the worker takes requests. False from the signal that ends it.'),
      running: z.number().describe('Requests that run.'),
      answered: z.number().describe('Requests that were answered, since the start.'),
      denied: z.number().describe('Answered requests whose verdict was a deny.'),
      failed: z.number().describe('Answered requests that were not carried out.'),
      redelivered: z.number().optional().describe('Deliveries by a stream that were not the first one of their request.'),
      repeated: z.number().optional().describe('Deliveries by a stream of requests that the worker ran or had answered already.'),
    })
    .optional()
    .describe('Answer to the query `load`. The lists are then empty.'),
  explained: explainedSchema.optional().describe('Answer to the query `explain`. The lists are then empty.'),
  preview: previewSchema.optional().describe('Answer to the query `preview`. The lists are then empty.'),
});

export const serviceAnswerPayloadSchema = z.object({
  correlationId,
  success: z.boolean().describe('Whether the service answered the query.'),
  output: serviceDescriptionSchema.optional().describe('Answer to the query.'),
  error: responseErrorSchema.optional().describe('Why the query was not answered.'),
});

export const channelPayloadSchemas = {
  HOOK_EXECUTION_REQUEST: requestPayloadSchema,
  HOOK_EXECUTION_RESPONSE: responsePayloadSchema,
  HOOK_EXECUTION_PROGRESS: progressPayloadSchema,
  HOOK_EXECUTION_CANCEL: cancelPayloadSchema,
  HOOK_HANDLER_ANNOUNCE: handlerAnnouncePayloadSchema,
  HOOK_HANDLER_CALL: handlerCallPayloadSchema,
  HOOK_HANDLER_RESULT: handlerResultPayloadSchema,
  HOOK_SERVICE_QUERY: serviceQueryPayloadSchema,
  HOOK_SERVICE_ANSWER: serviceAnswerPayloadSchema,
} as const;

/** The name of a channel: the `type` of its messages. */
export type Channel = keyof typeof channelPayloadSchemas;

/** Tests whether the schema of a channel accepts a payload. Takes a tenth of the time of `safeParse()`, which says what is wrong. */
export function acceptsPayload(channel: Channel, payload: unknown): boolean {
  return z.accepts(channelPayloadSchemas[channel], payload);
}

/** The payload of the messages of a channel. */
export type PayloadOf<C extends Channel> = z.infer<(typeof channelPayloadSchemas)[C]>;
/** A message of a channel. */
export type MessageOf<C extends Channel> = { type: C; payload: PayloadOf<C> };
/** Any message. */
export type BusMessage = { [C in Channel]: MessageOf<C> }[Channel];

/** Asks for an event to be carried out. */
export type HookExecutionRequest = PayloadOf<'HOOK_EXECUTION_REQUEST'>;
/** The answer to a request: the result, or why the request was not carried out. */
export type HookExecutionResponse = PayloadOf<'HOOK_EXECUTION_RESPONSE'>;
/** A step of an event in progress. */
export type HookExecutionProgress = PayloadOf<'HOOK_EXECUTION_PROGRESS'>;
/** Cancels a request. */
export type HookExecutionCancel = PayloadOf<'HOOK_EXECUTION_CANCEL'>;
/** What a service answers to the query `describe`. */
export type HookServiceDescription = z.infer<typeof serviceDescriptionSchema>;
/** Why a request was not carried out. */
export interface ResponseError extends z.infer<typeof responseErrorSchema> {}

/**
 * Request channels, with the channels of their response, progress and cancellation. `routedBy` is the field of the payload that
 * names the responder. Without `routedBy`, any responder may answer.
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
  HOOK_SERVICE_QUERY: {
    response: 'HOOK_SERVICE_ANSWER',
    progress: 'HOOK_EXECUTION_PROGRESS',
    cancel: 'HOOK_EXECUTION_CANCEL',
  },
} as const satisfies Partial<Record<Channel, { response: Channel; progress: Channel; cancel: Channel; routedBy?: string }>>;

/** A channel whose messages have a response. */
export type RequestChannel = keyof typeof exchanges;
/** The payload of the response to a request of this channel. */
export type ResponseOf<C extends RequestChannel> = PayloadOf<(typeof exchanges)[C]['response']>;

/**
 * The type of an event name in a request. A literal must be in the catalogue. A name that is known only at run time is a `string`,
 * and the service checks it.
 */
type CheckedName<Name extends string> = string extends Name ? string : [Name] extends [HookEventName] ? Name : HookEventName;
/** The fields of an event of the catalogue. */
type FieldsOfName<Name extends string> = [Name] extends [HookEventName] ? HookFieldsOf<Name> : Readonly<Record<string, unknown>>;
type ResultOfName<Name extends string> = [Name] extends [HookEventName] ? AggregatedHookResultOf<Name> : AggregatedHookResult;
/** The fields of an object without its methods. */
type DataOf<Instance> = {
  readonly [Field in keyof Instance as Instance[Field] extends (...args: never[]) => unknown ? never : Field]: Instance[Field];
};
/** A result as messages contain it: `finalOutput` is a plain object. `createHookOutput` makes the instance of its class from it. */
type SentResultOf<Result extends { readonly finalOutput?: object | undefined }> = Omit<Result, 'finalOutput'> & {
  readonly finalOutput?: DataOf<NonNullable<Result['finalOutput']>> | undefined;
};

/** The payload of a request on this channel. If the event name is a literal, `input` has the types of this event's fields. */
export type RequestOf<C extends RequestChannel, Name extends string = string> = C extends 'HOOK_EXECUTION_REQUEST'
  ? Omit<HookExecutionRequest, 'eventName' | 'input'> & { eventName: CheckedName<Name>; input: FieldsOfName<Name> }
  : PayloadOf<C>;
/** The payload of the answer to a request on this channel. If the event name is a literal, `output` has the types of this event. */
export type AnswerOf<C extends RequestChannel, Name extends string = string> = C extends 'HOOK_EXECUTION_REQUEST'
  ? Omit<HookExecutionResponse, 'output'> & { output?: SentResultOf<ResultOfName<Name>> | undefined }
  : ResponseOf<C>;

const requestChannels: ReadonlySet<string> = new Set(Object.keys(exchanges));

export function isRequestChannel(channel: string): channel is RequestChannel {
  return requestChannels.has(channel);
}

const routingFields: ReadonlyMap<string, string> = new Map(
  Object.entries(exchanges).flatMap(([channel, exchange]) => ('routedBy' in exchange ? [[channel, exchange.routedBy] as const] : [])),
);

/**
 * Returns the field of the payload that names the responder. Returns undefined for channels without requests, and for channels on
 * which any responder may answer.
 */
export function routingFieldOf(channel: string): string | undefined {
  return routingFields.get(channel);
}

/**
 * Returns the responder that a message names. Returns undefined if any responder of the channel may answer. If the message must
 * name a responder but does not, returns `''`. No responder has this name, so none receives the message.
 */
export function routeOf(message: { readonly type: string; readonly payload: unknown }): string | undefined {
  const field = routingFieldOf(message.type);
  if (field === undefined) return undefined;
  const { payload } = message;
  const route: unknown = isPlainObject(payload) ? payload[field] : undefined;
  return typeof route === 'string' ? route : '';
}

/** Returns the JSON Schema of every bus message. A test compares it with the file in `schema/`. */
export function messagesJsonSchema(): Record<string, unknown> {
  const message = z.discriminatedUnion(
    'type',
    Object.entries(channelPayloadSchemas).map(([type, payload]) => z.object({ type: z.literal(type), payload })) as unknown as [
      z.ZodObject<{ type: z.ZodLiteral<string> }>,
    ],
  );
  return { title: 'Tenterhook bus messages', ...z.toJSONSchema(message, { target: 'draft-07', io: 'input' }) };
}
