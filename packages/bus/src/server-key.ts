import { routeOf } from '@tenterhook/protocol';

/**
 * What servers that take turns have in common: their channel, and on a routed channel their route. A name of a channel has no space in it, so
 * no two keys are one.
 */
export function serverKey(channel: string, route: string | undefined): string {
  return route === undefined ? channel : `${channel} ${route}`;
}

/** The key of the servers that a message is for. */
export function keyOfMessage(message: { readonly type: string; readonly payload: unknown }): string {
  return serverKey(message.type, routeOf(message));
}
