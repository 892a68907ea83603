import { routeOf } from '@tenterhook/protocol';

/** A name of a channel has no space in it, so no two keys are one. */
export function serverKey(channel: string, route: string | undefined): string {
  return route === undefined ? channel : `${channel} ${route}`;
}

export function keyOfMessage(message: { readonly type: string; readonly payload: unknown }): string {
  return serverKey(message.type, routeOf(message));
}
