import { type RequestChannel, routingFieldOf } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeValue } from '@tenterhook/runtime/text';
import { type Failure, failure } from './requests/responses.js';

/** What stands for the answer to a request that no server got. */
export function unservedFailure(channel: RequestChannel, payload: unknown): Failure {
  const field = routingFieldOf(channel);
  if (field === undefined) {
    return failure('no_responders', `Nobody answers ${channel}. Call bus.respond('${channel}', …) before requests are made.`);
  }
  const route = isPlainObject(payload) ? payload[field] : undefined;
  if (typeof route !== 'string' || route === '') {
    return failure(
      'invalid_request',
      `${field} must be a non-empty string, not ${describeValue(route)}: it says who is to answer ${channel}.`,
    );
  }
  const message = `Nobody answers ${channel} of the ${field} ${describeValue(route)}. Call bus.respond('${channel}', …, { route }) before.`;
  return failure('no_responders', message);
}
