import type { BusMessage, Channel, RequestChannel } from '@tenterhook/protocol';
import { channelPayloadSchemas, isRequestChannel, routingFieldOf } from '@tenterhook/protocol/internal';
import { longestTimerMs } from '@tenterhook/runtime/async';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeValue, nearestName, suggestName } from '@tenterhook/runtime/text';
import type { RequestOptions } from './requests/pending-requests.js';

const channelNames = Object.keys(channelPayloadSchemas);

/** Throws a TypeError that names the argument and the value. Zod schemas were rejected, because these checks run for each request. */
function refuse(name: string, expected: string, value: unknown): never {
  throw new TypeError(`${name} must be ${expected}, and is ${describeValue(value)}`);
}

const channelOf: ReadonlyMap<string, Channel> = new Map(channelNames.map((name) => [name, name as Channel]));

export function isChannel(type: string): type is Channel {
  return channelOf.has(type);
}

/**
 * Returns the channel with this name, or undefined. The result is the text of this program, and not the one that was parsed: V8 compares the
 * same text with a later one in a nanosecond, and computes its hash only once.
 */
export function findChannel(type: string): Channel | undefined {
  return channelOf.get(type);
}

export function requireChannel(channel: unknown, name = 'channel'): asserts channel is Channel {
  if (typeof channel === 'string' && isChannel(channel)) return;
  const nearest = typeof channel === 'string' ? nearestName(channel, channelNames) : undefined;
  if (nearest === undefined) refuse(name, `one of ${channelNames.join(', ')}`, channel);
  throw new TypeError(`${name}: there is no channel ${describeValue(channel)}. Did you mean "${nearest}"?`);
}

export function requireMessage(message: unknown): asserts message is BusMessage {
  if (!isPlainObject(message)) refuse('message', 'an object { type, payload }', message);
  requireChannel(message['type'], 'message.type');
}

/** The options of a request without any. */
export const noOptions: RequestOptions = Object.freeze({});

const requestOptions = ['signal', 'timeoutMs'];

/**
 * Checks the arguments of request() and requestStream(). Unknown options are refused, because with a misspelt `timeoutMs` a request could
 * wait forever.
 */
export function requireRequest(channel: unknown, payload: unknown, options: RequestOptions): void {
  requireRequestChannel(channel);
  if (!isPlainObject(payload)) refuse('payload', 'an object', payload);
  if (options === noOptions) return;
  if (!isPlainObject(options)) refuse('options', 'an object', options);
  requireKnownOptions('request()', options, requestOptions);
  const { timeoutMs, signal } = options;
  if (timeoutMs !== undefined) requireMs('timeoutMs', timeoutMs, 1);
  requireSignal(signal);
}

/** The class is not checked, so that signals of another realm work too. */
export function requireSignal(signal: unknown): void {
  if (signal !== undefined && typeof (signal as Partial<AbortSignal> | null)?.aborted !== 'boolean') {
    refuse('signal', 'an AbortSignal', signal);
  }
}

const subscribeOptions = ['signal', 'maxBuffered'];

/** Checks the second argument of subscribe(). Unknown options are refused, because with a misspelt `signal` the loop would never end. */
export function requireSubscriber(subscriber: unknown): asserts subscriber is object {
  if (typeof subscriber === 'function') return;
  if (!isPlainObject(subscriber)) refuse('subscriber', 'a function, or the options of an iteration', subscriber);
  requireKnownOptions('subscribe()', subscriber, subscribeOptions);
}

/** Checks the options of the constructor. */
export function requireBusOptions(options: unknown): void {
  requireOptions('MessageBus', options, ['transport', 'cancelGraceMs']);
}

/** Checks the options of a responder. With a misspelt `maxInFlight` its limit would be another one. */
export function requireRespondOptions(options: unknown): void {
  requireOptions('respond()', options, ['maxInFlight', 'route']);
}

/** Checks the options of `values()` of a stream. */
export function requireIteration(options: unknown): void {
  requireOptions('values()', options, subscribeOptions);
}

function requireOptions(what: string, options: unknown, known: readonly string[]): void {
  if (!isPlainObject(options)) refuse('options', 'an object', options);
  requireKnownOptions(what, options, known);
}

function requireKnownOptions(what: string, options: object, known: readonly string[]): void {
  // `Object.keys()` was rejected, because its list takes a tenth of the time of a request in memory.
  for (const name in options) {
    if (!known.includes(name) && Object.hasOwn(options, name)) {
      throw new TypeError(`${what} has no option "${name}". ${suggestName(name, known, `Its options are ${known.join(' and ')}.`)}`);
    }
  }
}

export function requireRequestChannel(channel: unknown): asserts channel is RequestChannel {
  if (typeof channel === 'string' && isRequestChannel(channel)) return;
  requireChannel(channel);
  throw new TypeError(`${channel} is not a request channel: its messages have no responses`);
}

/** Checks the route of a responder. Without this check, a responder with a wrong route would never be called. */
export function requireRoute(channel: RequestChannel, route: unknown): void {
  const field = routingFieldOf(channel);
  if (field === undefined) {
    if (route !== undefined) throw new TypeError(`${channel} has no routes: any responder may answer. Leave out "route"`);
  } else if (typeof route !== 'string' || route === '') {
    refuse('route', `a non-empty string on ${channel}: the ${field} of the requests to answer`, route);
  }
}

export function requireFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') refuse(name, 'a function', value);
}

export function requireMs(name: string, value: unknown, least: number): void {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < least || value > longestTimerMs) {
    refuse(name, `a number from ${least} to ${longestTimerMs}`, value);
  }
}

export function requireCount(name: string, value: unknown): void {
  if (!Number.isInteger(value) || (value as number) < 1) refuse(name, 'an integer from 1', value);
}
