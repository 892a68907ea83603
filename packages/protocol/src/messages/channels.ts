import { isPlainObject } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';
import type { HookEventName } from '../events/event-catalogue.js';
import type { HookFieldsOf } from '../events/hook-fields.js';
import type { AggregatedHookResult } from '../results/aggregated-result.js';
import type { AggregatedHookResultOf } from '../results/result-of-event.js';
import { cancelPayloadSchema, progressPayloadSchema, requestPayloadSchema, responsePayloadSchema } from './execution-messages.js';
import { handlerAnnouncePayloadSchema, handlerCallPayloadSchema, handlerResultPayloadSchema } from './handler-messages.js';
import { serviceAnswerPayloadSchema, type serviceDescriptionSchema, serviceQueryPayloadSchema } from './service-messages.js';

/**
 * The messages on the bus. Every message is plain JSON, so an error in a message is an object with `code` and `message`, not an
 * `Error`.
 */

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
