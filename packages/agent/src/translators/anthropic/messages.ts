import { isPlainObject } from '@tenterhook/runtime/json';
import { type Fields, fieldsOf, listOf, withFields } from '../fields.js';
import type { HookMessage } from '../hook-message.js';
import type { MessageFormat } from '../rewrite-messages.js';
import { joinSystemTexts, joinTextParts, type PartFormat, rewriteTextParts, surroundParts, withoutTextParts } from '../text-parts.js';

/** One of `messages`, or the `system` field of the request, which hooks see as the first message. */
export interface AnthropicMessage {
  readonly message: Fields;
  readonly isSystem: boolean;
  readonly isNew: boolean;
}

export const textBlocks: PartFormat<unknown> = {
  textOf: (block) => (hasType(block, 'text') && typeof block['text'] === 'string' ? block['text'] : undefined),
  // `parsed_output` is what the SDK parsed from the old text. It is removed because it still contains that text.
  withText: (block, text) => withFields(fieldsOf(block), { text, parsed_output: undefined }),
};

export const anthropicMessages: MessageFormat<AnthropicMessage> = {
  show({ message, isSystem }) {
    const text = textOf(message);
    return text === '' ? undefined : { role: isSystem ? 'system' : shownRole(message['role']), content: text };
  },
  create: ({ role, content }) => ({
    message: { role: role === 'model' ? 'assistant' : 'user', content },
    isSystem: role === 'system',
    isNew: true,
  }),
  withText(entry, text) {
    const { content } = entry.message;
    return withContent(entry, typeof content === 'string' ? text : rewriteTextParts(textBlocks, listOf(content), text));
  },
  // The role can change only if the message has nothing but text, which both roles allow. A message cannot become a system message or the
  // reverse, because system texts have their own field.
  withRole({ message, isSystem, isNew }, role) {
    if (isSystem || role === 'system' || !listOf(message['content']).every(isPlainText)) return undefined;
    return { message: withFields(message, { role: role === 'model' ? 'assistant' : 'user' }), isSystem, isNew };
  },
  withoutText(entry) {
    const rest = withoutTextParts(textBlocks, listOf(entry.message['content']));
    return rest.every(isThought) ? undefined : withContent(entry, rest);
  },
  hasToolCalls: ({ message }) => hasBlock(message, 'tool_use'),
  hasToolResults: ({ message }) => hasBlock(message, 'tool_result'),
};

export function readAnthropicMessages({ system, messages }: Fields): AnthropicMessage[] {
  const own = system === undefined || system === null ? [] : [{ message: { content: system }, isSystem: true, isNew: false }];
  return [...own, ...listOf(messages).map((message) => ({ message: fieldsOf(message), isSystem: false, isNew: false }))];
}

/** Writes the field for system texts. Texts that a hook added are placed before or after the existing text, in the order of the hook. */
export function writeSystem(entries: readonly AnthropicMessage[]): unknown {
  const place = entries.findIndex(({ isNew }) => !isNew);
  const content = entries[place]?.message['content'];
  const texts = entries.map(({ message }) => textOf(message));
  if (entries.length === 0) return undefined;
  if (!Array.isArray(content)) return joinSystemTexts(texts);
  if (entries.length === 1) return content;
  return surroundParts(content, texts.slice(0, place), texts.slice(place + 1), (text) => ({ type: 'text', text }));
}

/** Whether a block is a thought. Providers refuse a changed thought, and one without the rest of its message. */
export function isThought(block: unknown): boolean {
  return hasType(block, 'thinking') || hasType(block, 'redacted_thinking');
}

/** Whether a block is text without citations. Text with citations can only be part of an answer of the model. */
function isPlainText(block: unknown): boolean {
  return textBlocks.textOf(block) !== undefined && listOf(fieldsOf(block)['citations']).length === 0;
}

export function hasBlock(message: Fields, type: string): boolean {
  return listOf(message['content']).some((block) => hasType(block, type));
}

function hasType(block: unknown, type: string): block is Fields {
  return isPlainObject(block) && block['type'] === type;
}

function shownRole(role: unknown): HookMessage['role'] {
  if (role === 'assistant') return 'model';
  return role === 'system' ? 'system' : 'user';
}

function textOf({ content }: Fields): string {
  return typeof content === 'string' ? content : joinTextParts(textBlocks, listOf(content));
}

function withContent(entry: AnthropicMessage, content: unknown): AnthropicMessage {
  return { ...entry, message: withFields(entry.message, { content }) };
}
