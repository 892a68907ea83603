import { type MessageFormat, rewriteMessages } from './rewrite-messages.js';
import { isSameList } from './same-list.js';

/** A message of a format that keeps its system texts in a place of their own; hooks see them in one list with the others. */
export interface MessageOrSystem {
  readonly isSystem: boolean;
}

export interface RewrittenLists<Message> {
  /** Absent when no hook changed them. */
  readonly messages?: readonly Message[];
  readonly systems?: readonly Message[];
}

/**
 * The list a hook returned, sorted into the two places it goes to. Each is compared by itself, so that a changed system text leaves the
 * messages the very same list, and the other way round.
 */
export function rewriteMessagesAndSystem<Message extends MessageOrSystem>(
  format: MessageFormat<Message>,
  before: readonly Message[],
  returned: unknown,
): RewrittenLists<Message> {
  const after = rewriteMessages(format, before, returned);
  const changedWhere = (isSystem: boolean) => {
    const [old, now] = [before, after].map((list) => list.filter((message) => message.isSystem === isSystem)) as [Message[], Message[]];
    return isSameList(now, old) ? undefined : now;
  };
  const [messages, systems] = [changedWhere(false), changedWhere(true)];
  return { ...(messages === undefined ? {} : { messages }), ...(systems === undefined ? {} : { systems }) };
}
