import {
  type HookMessage,
  joinSystemTexts,
  joinTextParts,
  listOf,
  type MessageFormat,
  type PartFormat,
  rewriteTextParts,
  surroundParts,
  withoutTextParts,
} from '@tenterhook/agent/internal';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from '../langchain-library.js';

/** A message of a request, or its `systemMessage`, which hooks see as the first message. */
export interface RequestMessage {
  readonly message: BaseMessage;
  readonly isSystem: boolean;
}

export type MessageContent = BaseMessage['content'];

type ContentParts = Exclude<MessageContent, string>;

export const textParts: PartFormat<unknown> = {
  textOf: (part) => (isPlainObject(part) && part['type'] === 'text' && typeof part['text'] === 'string' ? part['text'] : undefined),
  withText: (part, text) => ({ ...(part as object), text }),
};

export const langChainMessages: MessageFormat<RequestMessage> = {
  show({ message }) {
    const role = shownRole(message);
    const text = textOf(message);
    return role === undefined || text === '' ? undefined : { role, content: text };
  },
  create: ({ role, content }) => ({ message: createMessage(role, content), isSystem: role === 'system' }),
  withText: ({ message, isSystem }, text) => ({ message: copyMessage(message, { content: withText(message.content, text) }), isSystem }),
  withRole({ message }, role) {
    if (withoutTextParts(textParts, listOf(message.content)).length > 0 || hasToolCalls(message)) return undefined;
    return { message: createMessage(role, message.content, message.id), isSystem: role === 'system' };
  },
  withoutText({ message, isSystem }) {
    const rest = withoutTextParts(textParts, listOf(message.content));
    if (rest.length === 0 && !hasToolCalls(message)) return undefined;
    return { message: copyMessage(message, { content: (rest.length === 0 ? '' : rest) as MessageContent }), isSystem };
  },
  hasToolCalls: ({ message }) => hasToolCalls(message),
  hasToolResults: ({ message }) => shownRole(message) === undefined,
};

/** Returns the text of a message, without separators between its parts. */
export function textOf({ content }: Pick<BaseMessage, 'content'>): string {
  return typeof content === 'string' ? content : joinTextParts(textParts, listOf(content));
}

/** Returns a content in which this text replaces the text of the original. Parts of other kinds stay. */
export function withText(content: MessageContent, text: string): MessageContent {
  if (!Array.isArray(content)) return text;
  const isWithoutText = content.every((part) => textParts.textOf(part) === undefined);
  return (isWithoutText ? [...content, { type: 'text', text }] : rewriteTextParts(textParts, content, text)) as MessageContent;
}

/** The fields of a message that its class sets. */
const setByClass: readonly string[] = ['lc_kwargs', 'lc_namespace', 'lc_serializable', 'lc_direct_tool_output', 'type'];

/**
 * Returns a new message of the same class with these fields. Changing the message was rejected: the history of the agent has the same
 * object, and a message also keeps the arguments of its constructor, which are written when it is stored.
 */
export function copyMessage<Message extends BaseMessage>(message: Message, fields: Readonly<Record<string, unknown>>): Message {
  const own = Object.fromEntries(Object.entries(message).filter(([name]) => !setByClass.includes(name)));
  const Class = message.constructor as new (fields: object) => Message;
  return new Class(omitUndefined({ ...own, ...fields }));
}

/**
 * Joins the system messages of a request, because it has one field for all of them. Parts of a list stay as they are, because they may have
 * marks of the provider, e.g. for its cache.
 */
export function joinSystemMessages(messages: readonly BaseMessage[]): SystemMessage | undefined {
  const filled = messages.filter((message) => textOf(message) !== '' || listOf(message.content).length > 0);
  const [only] = filled;
  if (only === undefined) return undefined;
  if (filled.length === 1 && SystemMessage.isInstance(only)) return only;
  const place = filled.findIndex(({ content }) => Array.isArray(content));
  const texts = filled.map(textOf);
  if (place < 0) return new SystemMessage(joinSystemTexts(texts));
  const parts = surroundParts(listOf(filled[place]?.content), texts.slice(0, place), texts.slice(place + 1), (text) => ({
    type: 'text',
    text,
  }));
  return new SystemMessage({ content: parts as ContentParts });
}

function createMessage(role: HookMessage['role'], content: MessageContent, id?: string): BaseMessage {
  const Class = { system: SystemMessage, user: HumanMessage, model: AIMessage }[role];
  return new Class(omitUndefined({ content, id }) as { content: MessageContent });
}

/** The role that hooks see. Undefined for a message that hooks do not see: the result of a tool, or an order to remove a message. */
function shownRole(message: BaseMessage): HookMessage['role'] | undefined {
  switch (message.getType() as string) {
    case 'human':
      return 'user';
    case 'ai':
      return 'model';
    case 'system':
    case 'developer':
      return 'system';
    case 'generic':
      return shownGenericRole((message as { readonly role?: unknown }).role);
    default:
      return undefined;
  }
}

function shownGenericRole(role: unknown): HookMessage['role'] {
  if (role === 'assistant' || role === 'model') return 'model';
  return role === 'system' || role === 'developer' ? 'system' : 'user';
}

function hasToolCalls(message: BaseMessage): boolean {
  return AIMessage.isInstance(message) && ((message.tool_calls?.length ?? 0) > 0 || (message.invalid_tool_calls?.length ?? 0) > 0);
}
