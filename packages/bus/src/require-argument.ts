import {
  type BusMessage,
  type Channel,
  channelPayloadSchemas,
  isRequestChannel,
  type RequestChannel,
  routingFieldOf,
} from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeValue } from '@tenterhook/runtime/text';
import { isChannel } from './parse-message.js';
import type { RequestOptions } from './requests/pending-requests.js';

/** Wrong use of the bus is a TypeError that names the argument and the value; everything else that can go wrong is a value. */

/** Above this setTimeout wraps to 1 ms (field failure 34). */
const longestTimerMs = 2_147_483_647;

export function requireChannel(channel: unknown): asserts channel is Channel {
  if (typeof channel !== 'string' || !isChannel(channel)) {
    throw new TypeError(`channel must be one of ${Object.keys(channelPayloadSchemas).join(', ')}, not ${describeValue(channel)}`);
  }
}

export function requireMessage(message: unknown): asserts message is BusMessage {
  if (!isPlainObject(message)) throw new TypeError(`message must be an object { type, payload }, not ${describeValue(message)}`);
  const { type } = message;
  if (typeof type !== 'string' || !isChannel(type)) {
    throw new TypeError(`message.type must be one of ${Object.keys(channelPayloadSchemas).join(', ')}, not ${describeValue(type)}`);
  }
}

/** What request() and requestStream() are given. */
export function requireRequest(channel: unknown, payload: unknown, { timeoutMs, signal }: RequestOptions): void {
  requireRequestChannel(channel);
  if (!isPlainObject(payload)) throw new TypeError(`payload must be an object, not ${describeValue(payload)}`);
  if (timeoutMs !== undefined) requireMs('timeoutMs', timeoutMs, 1);
  // By its shape and not by its class: signals of another realm are as good.
  if (signal !== undefined && typeof (signal as Partial<AbortSignal> | null)?.aborted !== 'boolean') {
    throw new TypeError(`signal must be an AbortSignal, not ${describeValue(signal)}`);
  }
}

export function requireRequestChannel(channel: unknown): asserts channel is RequestChannel {
  requireChannel(channel);
  if (!isRequestChannel(channel)) throw new TypeError(`${channel} is no request channel: nothing on it is answered`);
}

/** A responder that could be asked by nobody, or by everybody where it was made for one, would look like one that is never asked. */
export function requireRoute(channel: RequestChannel, route: unknown): void {
  const field = routingFieldOf(channel);
  if (field === undefined) {
    if (route !== undefined) throw new TypeError(`${channel} has no routes: any responder may answer; leave route out`);
  } else if (typeof route !== 'string' || route === '') {
    throw new TypeError(`route must be a non-empty string on ${channel}, the ${field} that is answered here, not ${describeValue(route)}`);
  }
}

export function requireFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') throw new TypeError(`${name} must be a function, not ${describeValue(value)}`);
}

export function requireMs(name: string, value: unknown, least: number): void {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < least || value > longestTimerMs) {
    throw new TypeError(`${name} must be a number from ${least} to ${longestTimerMs}, not ${describeValue(value)}`);
  }
}

export function requireCount(name: string, value: unknown): void {
  if (!Number.isInteger(value) || (value as number) < 1) {
    throw new TypeError(`${name} must be an integer from 1, not ${describeValue(value)}`);
  }
}
