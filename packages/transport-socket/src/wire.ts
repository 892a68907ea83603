import { isPlainObject } from '@tenterhook/protocol';

/** What hub and client say to each other. Another number is another language: each side refuses the other in words both can read. */
export const protocolVersion = 1;

export interface ServerHello {
  /** The number by which the client knows its server. */
  readonly server: number;
  readonly channel: string;
  readonly route?: string;
}

export type ClientFrame =
  | { readonly kind: 'hello'; readonly protocol: number; readonly channels: readonly string[]; readonly servers: readonly ServerHello[] }
  | { readonly kind: 'subscribe'; readonly channel: string }
  | { readonly kind: 'unsubscribe'; readonly channel: string }
  | ({ readonly kind: 'serve' } & ServerHello)
  | { readonly kind: 'unserve'; readonly server: number }
  | { readonly kind: 'publish'; readonly id: number; readonly message: unknown }
  | { readonly kind: 'taken'; readonly turn: number }
  | { readonly kind: 'refused'; readonly turn: number };

/** A turn of one of the client's servers, which the client takes or refuses. */
interface Turn {
  readonly turn?: number;
  readonly server?: number;
}

export type HubFrame =
  | { readonly kind: 'welcome'; readonly protocol: number; readonly maxMessageBytes: number }
  | { readonly kind: 'turned-away'; readonly code: string; readonly message: string }
  | ({ readonly kind: 'message'; readonly isNew: boolean; readonly message: unknown } & Turn)
  /** A message of this client has its place in the order. It stays with the client, because its listeners get the object that was published. */
  | ({ readonly kind: 'own'; readonly isNew: boolean; readonly id: number; readonly delivery?: 'served' | 'unserved' } & Turn)
  | { readonly kind: 'delivered'; readonly id: number; readonly delivery: 'served' | 'unserved' }
  | { readonly kind: 'rejected'; readonly id: number; readonly code: 'malformed' | 'not_json' | 'too_large'; readonly message: string };

type Check = (value: unknown) => boolean;
type Shape = Readonly<Record<string, Check>>;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => Number.isSafeInteger(value);
const isBoolean: Check = (value) => typeof value === 'boolean';
const isAnything: Check = () => true;
const isOneOf = (...texts: readonly string[]): Check => {
  return (value) => texts.includes(value as string);
};
const isOptional = (check: Check): Check => {
  return (value) => value === undefined || check(value);
};
const isListOf = (check: Check): Check => {
  return (value) => Array.isArray(value) && value.every(check);
};
const hasShape = (shape: Shape): Check => {
  return (value) => isPlainObject(value) && Object.entries(shape).every(([key, check]) => check(value[key]));
};

const server: Shape = { server: isNumber, channel: isText, route: isOptional(isText) };
const turn: Shape = { turn: isOptional(isNumber), server: isOptional(isNumber) };
const isDelivery = isOneOf('served', 'unserved');

const clientFrames: Readonly<Record<ClientFrame['kind'], Check>> = {
  // Only the number: what else a hello of another version holds is not known here.
  hello: hasShape({ protocol: isNumber }),
  subscribe: hasShape({ channel: isText }),
  unsubscribe: hasShape({ channel: isText }),
  serve: hasShape(server),
  unserve: hasShape({ server: isNumber }),
  publish: hasShape({ id: isNumber, message: isAnything }),
  taken: hasShape({ turn: isNumber }),
  refused: hasShape({ turn: isNumber }),
};

const hubFrames: Readonly<Record<HubFrame['kind'], Check>> = {
  welcome: hasShape({ protocol: isNumber }),
  'turned-away': hasShape({ code: isText, message: isText }),
  message: hasShape({ isNew: isBoolean, message: isAnything, ...turn }),
  own: hasShape({ isNew: isBoolean, id: isNumber, delivery: isOptional(isDelivery), ...turn }),
  delivered: hasShape({ id: isNumber, delivery: isDelivery }),
  rejected: hasShape({ id: isNumber, code: isOneOf('malformed', 'not_json', 'too_large'), message: isText }),
};

/** What a client said, or undefined where it is no frame of ours. */
export function readClientFrame(value: unknown): ClientFrame | undefined {
  return readFrame(value, clientFrames) as ClientFrame | undefined;
}

export function readHubFrame(value: unknown): HubFrame | undefined {
  return readFrame(value, hubFrames) as HubFrame | undefined;
}

/** A hello of this version, with what is served and subscribed to from the start. */
export const isFullHello = hasShape({ channels: isListOf(isText), servers: isListOf(hasShape(server)) });
export const isFullWelcome = hasShape({ maxMessageBytes: isNumber });

function readFrame(value: unknown, frames: Readonly<Record<string, Check>>): unknown {
  if (!isPlainObject(value)) return undefined;
  const { kind } = value;
  const check = typeof kind === 'string' && Object.hasOwn(frames, kind) ? frames[kind] : undefined;
  return check?.(value) === true ? value : undefined;
}
