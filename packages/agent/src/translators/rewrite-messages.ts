import { type AlignedMessage, alignMessages } from './align-messages.js';
import { type HookMessage, isBlank, readHookMessages } from './hook-message.js';

/** What rewriting has to know about the messages of one SDK. Nothing changes its argument. */
export interface MessageFormat<Message> {
  /** As hooks see it; undefined when it has no text. */
  show(message: Message): HookMessage | undefined;
  create(message: HookMessage): Message;
  /** With this text in place of its own; everything else of it stays. */
  withText(message: Message, text: string): Message;
  /** With this role; undefined where the SDK cannot say that with the parts the message has. */
  withRole(message: Message, role: HookMessage['role']): Message | undefined;
  /** What of it is no text; undefined when nothing is left that could be sent by itself. */
  withoutText(message: Message): Message | undefined;
  hasToolCalls(message: Message): boolean;
  hasToolResults(message: Message): boolean;
}

interface Placed<Message> {
  readonly message: Message;
  readonly isNew: boolean;
}

/**
 * The messages with what a hook returned instead of the ones it was shown; the very same list when that is the same, or no list.
 *
 * Providers refuse a tool call without its result, a result without its call, and anything between the two. Hooks see neither, so they
 * cannot be expected to keep that rule; it is kept for them:
 * - of a message that is gone, tool calls and results stay, and what came with them (a thought, an image); otherwise it goes as a whole;
 * - a message whose text was blanked keeps its other parts, and goes when it has none;
 * - where a message cannot have its new role with the parts it has, the text becomes a message of its own;
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
  if (step.kind === 'removed') return hasTools(format, message) ? textTaken(format, message) : [];
  const { role, content } = step.message;
  if (isBlank(content)) return textTaken(format, message);
  const moved = format.show(message)?.role === role ? message : format.withRole(message, role);
  if (moved !== undefined) return [{ message: format.withText(moved, content), isNew: false }];
  return [{ message: format.create(step.message), isNew: true }, ...textTaken(format, message)];
}

function textTaken<Message>(format: MessageFormat<Message>, message: Message): Placed<Message>[] {
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
