import { type Channel, exchanges } from '@tenterhook/protocol';

const responseChannels: ReadonlySet<Channel> = new Set(Object.values(exchanges).map(({ response }) => response));

export function isResponseChannel(channel: Channel): boolean {
  return responseChannels.has(channel);
}
