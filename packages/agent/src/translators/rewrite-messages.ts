import { omitUndefined } from '@tenterhook/runtime/json';
import { type AlignedMessage, alignMessages } from './align-messages.js';
import { isSameList } from './fields.js';
import { type HookMessage, isBlank, readHookMessages } from './hook-message.js';

/** What `rewriteMessages` must know about the messages of one SDK. No method changes its argument. */
export interface MessageFormat<Message> {
  /** The message as hooks see it. Undefined if it has no text. */
  show(message: Message): HookMessage | undefined;
  create(message: HookMessage): Message;
  /** The message with this text in place of its own. Everything else stays. */
  withText(message: Message, text: string): Message;
  /** The message with this role. Undefined if the parts of the message cannot have the role. */
  withRole(message: Message, role: HookMessage['role']): Message | undefined;
  /** The message without its text. Undefined if the rest could not be sent by itself. */
  withoutText(message: Message): Message | undefined;
  hasToolCalls(message: Message): boolean;
  hasToolResults(message: Message): boolean;
}

interface Placed<Message> {
  readonly message: Message;
  readonly isNew: boolean;
}

/**
 * Applies the list of messages that a hook returned. Returns the same list if nothing changed, or if the hook returned no list.
 *
 * Providers refuse a tool call without its result, a result without its call, and a message between the two. Hooks see neither calls nor
 * results, so this function follows these rules for them:
 * - A removed message with tool calls or results keeps these and the parts beside them (a thought, an image). Any other removed message
 *   disappears.
 * - A message whose text became blank keeps its other parts. Without other parts it is removed.
 * - If the parts of a message do not allow its new role, its text becomes a separate message.
 * - A message between a call and its results is moved after the results.
 */
export function rewriteMessages<Message>(
  format: MessageFormat<Message>,
  messages: readonly Message[],
  returned: unknown,
): readonly Message[] {
  if (!Array.isArray(returned)) return messages;
  const aligned = alignMessages(messages.map(format.show), readHookMessages(returned));
  if (aligned.every(({ kind }) => kind === 'kept')) return messages;
  return keepResultsAtCalls(
    format,
    aligned.flatMap((step) => placeMessage(format, messages, step)),
  );
}

function placeMessage<Message>(format: MessageFormat<Message>, messages: readonly Message[], step: AlignedMessage): Placed<Message>[] {
  if (step.kind === 'inserted') return isBlank(step.message.content) ? [] : [{ message: format.create(step.message), isNew: true }];
  const message = messages[step.index]!;
  if (step.kind === 'kept') return [{ message, isNew: false }];
  if (step.kind === 'removed') return hasTools(format, message) ? takeText(format, message) : [];
  const { role, content } = step.message;
  if (isBlank(content)) return takeText(format, message);
  const moved = format.show(message)?.role === role ? message : format.withRole(message, role);
  if (moved !== undefined) return [{ message: format.withText(moved, content), isNew: false }];
  return [{ message: format.create(step.message), isNew: true }, ...takeText(format, message)];
}

function takeText<Message>(format: MessageFormat<Message>, message: Message): Placed<Message>[] {
  const rest = format.withoutText(message);
  return rest === undefined ? [] : [{ message: rest, isNew: false }];
}

function hasTools<Message>(format: MessageFormat<Message>, message: Message): boolean {
  return format.hasToolCalls(message) || format.hasToolResults(message);
}

function keepResultsAtCalls<Message>(format: MessageFormat<Message>, placed: readonly Placed<Message>[]): Message[] {
  const messages: Message[] = [];
  let waiting: Message[] = [];
  let awaitsResults = false;
  for (const { message, isNew } of placed) {
    if (isNew && awaitsResults) {
      waiting.push(message);
      continue;
    }
    if (!isNew && !(awaitsResults && format.hasToolResults(message))) {
      messages.push(...waiting);
      waiting = [];
      awaitsResults = format.hasToolCalls(message);
    }
    messages.push(message);
  }
  return messages.concat(waiting);
}

/** A message or a system text, for a format with a separate field for system texts. Hooks see both in one list. */
export interface MessageOrSystem {
  readonly isSystem: boolean;
}

export interface RewrittenLists<Message> {
  /** Absent when no hook changed them. */
  readonly messages?: readonly Message[];
  readonly systems?: readonly Message[];
}

/** Applies the list that a hook returned, and splits it into messages and system texts. An unchanged list stays the same object. */
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
  return omitUndefined({ messages, systems });
}
