import * as z from '@tenterhook/runtime/schema';

/** The version of the frames between hub and client. Each side refuses another version with a frame that both versions can read. */
export const protocolVersion = 5;

const channel = z.string();
const delivery = z.enum(['served', 'unserved']);
/** A client numbers its servers. */
const server = z.int();
/** The hub numbers the turns. A turn is a message for one of the client's servers, which the client accepts or refuses. */
const turn = z.int();
/** A client numbers the messages that it publishes. */
const id = z.int();
/** Set for a response or a cancel that must have no effect at the receiving client (`markUnsolicited` of the bus). */
const unsolicited = z.literal(true).exactOptional();
/** `parseMessage` checks the message later, where a problem can be reported to the sender. */
const message = z.unknown();

const serverFields = { server, channel, route: z.string().exactOptional() };
const serverHello = z.object(serverFields);
const turnOfMessage = { turn: turn.exactOptional(), server: server.exactOptional() };

const clientFrame = z.discriminatedUnion('kind', [
  // Another version may have other fields, so only the version is read here.
  z.looseObject({ kind: z.literal('hello'), protocol: z.int() }),
  z.object({ kind: z.literal('subscribe'), channel }),
  z.object({ kind: z.literal('unsubscribe'), channel }),
  z.object({ kind: z.literal('serve'), ...serverFields }),
  z.object({ kind: z.literal('unserve'), server }),
  // `taken`: the last turn that the client has begun, as in a frame of its own. 0 if there is nothing to report.
  z.object({ kind: z.literal('publish'), id, unsolicited, message, taken: turn.exactOptional() }),
  z.object({ kind: z.literal('flush'), id }),
  // The client has begun all turns up to this one that it has not refused before.
  z.object({ kind: z.literal('taken'), turn }),
  z.object({ kind: z.literal('refused'), turn }),
]);

const hubFrame = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('welcome'), protocol: z.int() }),
  // Any code is accepted, because a newer hub may have more codes.
  z.object({ kind: z.literal('turned-away'), code: z.string(), message: z.string() }),
  // `placed`: as in a frame of its own. 0 if there is nothing to report.
  z.object({ kind: z.literal('message'), isNew: z.boolean(), unsolicited, message, placed: id.exactOptional(), ...turnOfMessage }),
  // Marks the position of a client's own message in the order of the hub. The message is not sent back: the listeners in the client
  // receive the published object.
  z.object({ kind: z.literal('own'), isNew: z.boolean(), id, unsolicited, delivery: delivery.exactOptional(), ...turnOfMessage }),
  z.object({ kind: z.literal('delivered'), id, delivery }),
  // All messages of the client up to this one have their positions, apart from those that the hub has refused. Sent instead of `own` for
  // messages that are not requests and have no subscriber in the client.
  z.object({ kind: z.literal('placed'), id }),
  // Answers a flush: the hub has read everything that the client sent before it.
  z.object({ kind: z.literal('flushed'), id }),
  // The route of this server belongs to another process. The client may offer the server again when it reconnects.
  z.object({ kind: z.literal('server-refused'), server, message: z.string() }),
  z.object({
    kind: z.literal('rejected'),
    id,
    code: z.enum(['malformed', 'not_json', 'too_large', 'refused', 'id_in_use', 'overloaded']),
    message: z.string(),
  }),
]);

/** Identifies the client, even after a reconnection. Other clients never see it. */
const identity = z.string().min(16);
/** The name of the file in which the client records the turns that it begins (`TurnMark`). An earlier version has none. */
const mark = z.string().exactOptional();
const hello = z.object({ identity, channels: z.array(channel), servers: z.array(serverHello), mark });
/** `isMarked`: the hub reads this file. Otherwise the client must send `taken` before it begins a turn. */
const welcome = z.object({ maxMessageBytes: z.int(), isMarked: z.boolean().exactOptional() });

export type ServerHello = Readonly<z.infer<typeof serverHello>>;
export type ClientFrame = Readonly<z.infer<typeof clientFrame>>;
export type Welcome = Readonly<z.infer<typeof welcome>>;
export type HubFrame = Readonly<z.infer<typeof hubFrame>>;

/** Returns the frame of a client, or undefined if the value is not a valid frame. The frame is not copied. */
export const readClientFrame = (value: unknown): ClientFrame | undefined =>
  z.accepts(clientFrame, value) ? (value as ClientFrame) : undefined;
export const readHubFrame = (value: unknown): HubFrame | undefined => (z.accepts(hubFrame, value) ? (value as HubFrame) : undefined);

const clientKinds: ReadonlySet<string> = new Set(['publish', 'taken'] satisfies ClientFrame['kind'][]);

/** Returns the frame if a client may send it. The frame was checked when it was read (`readCompact`). */
export const asClientFrame = (frame: unknown): ClientFrame | undefined =>
  clientKinds.has((frame as ClientFrame).kind) ? (frame as ClientFrame) : undefined;
/** Like `asClientFrame`, for a hub. */
export const asHubFrame = (frame: unknown): HubFrame | undefined =>
  clientKinds.has((frame as ClientFrame).kind) ? undefined : (frame as HubFrame);

/** Returns the servers and subscriptions of a hello, or undefined if the value is not a hello of this version. */
export const readHello = (value: unknown): Readonly<z.infer<typeof hello>> | undefined => hello.safeParse(value).data;
export const readWelcome = (value: unknown): Welcome | undefined => welcome.safeParse(value).data;
