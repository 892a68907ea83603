import { omitUndefined } from '@tenterhook/runtime/json';
import { type AlignedMessage, alignMessages } from './align-messages.js';
import { isSameList } from './fields.js';
import { type HookMessage, isBlank, readHookMessages } from './hook-message.js';

/** What rewriting needs to know about the messages of one SDK. No method changes its argument. */
export interface MessageFormat<Message> {
  /** As hooks see it; undefined when it has no text. */
  show(message: Message): HookMessage | undefined;
  create(message: HookMessage): Message;
  /** With this text instead of its own; everything else stays. */
  withText(message: Message, text: string): Message;
  /** With this role; undefined when the SDK does not allow the role with the parts of the message. */
  withRole(message: Message, role: HookMessage['role']): Message | undefined;
  /** Its parts that are not text; undefined when what is left could not be sent by itself. */
  withoutText(message: Message): Message | undefined;
  hasToolCalls(message: Message): boolean;
  hasToolResults(message: Message): boolean;
}

interface Placed<Message> {
  readonly message: Message;
  readonly isNew: boolean;
}

/**
 * The messages with the ones that a hook returned in place of the shown ones; the same list when they are equal, or when the hook returned no
 * list.
 *
 * Providers refuse a tool call without its result, a result without its call, and anything between the two. Hooks see neither and cannot keep
 * that rule, so this function keeps it:
 * - of a removed message, tool calls and results stay, and what came with them (a thought, an image); without them the whole message goes;
 * - a message whose text was blanked keeps its other parts, and goes when it has none;
 * - when a message cannot have its new role with its parts, the text becomes a message of its own;
 * - a message that would come between a call and its results comes after the results.
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

/** A message of a format that has a separate field for system texts; hooks see them in one list with the others. */
export interface MessageOrSystem {
  readonly isSystem: boolean;
}

export interface RewrittenLists<Message> {
  /** Absent when no hook changed them. */
  readonly messages?: readonly Message[];
  readonly systems?: readonly Message[];
}

/**
 * The list that a hook returned, split into messages and system texts. Each is compared by itself, so that a changed system text keeps the
 * same list of messages, and the reverse.
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
  return omitUndefined({ messages, systems });
}
