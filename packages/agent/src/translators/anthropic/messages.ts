import { isPlainObject } from '@tenterhook/runtime/json';
import { type Fields, fieldsOf, listOf, withFields } from '../fields.js';
import type { HookMessage } from '../hook-message.js';
import type { MessageFormat } from '../rewrite-messages.js';
import { joinSystemTexts, joinTextParts, type PartFormat, rewriteTextParts, surroundParts, withoutTextParts } from '../text-parts.js';

/** A message of the request, or its `system` field, which hooks see as the first message. */
export interface AnthropicMessage {
  readonly message: Fields;
  readonly isSystem: boolean;
  readonly isNew: boolean;
}

export const textBlocks: PartFormat<unknown> = {
  textOf: (block) => (hasType(block, 'text') && typeof block['text'] === 'string' ? block['text'] : undefined),
  // `parsed_output` is removed, because the SDK parsed it from the old text.
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
  // The role can change only if the message is plain text, which both roles allow. It cannot change from or to `system`, because system
  // texts have their own field.
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

/** Returns the `system` field. Texts that a hook added come before or after the existing text, in the order of the hook. */
export function writeSystem(entries: readonly AnthropicMessage[]): unknown {
  const place = entries.findIndex(({ isNew }) => !isNew);
  const content = entries[place]?.message['content'];
  const texts = entries.map(({ message }) => textOf(message));
  if (entries.length === 0) return undefined;
  if (!Array.isArray(content)) return joinSystemTexts(texts);
  if (entries.length === 1) return content;
  return surroundParts(content, texts.slice(0, place), texts.slice(place + 1), (text) => ({ type: 'text', text }));
}

/** Whether a block is a thought of the model. Providers refuse a changed thought, and a thought without the rest of its message. */
export function isThought(block: unknown): boolean {
  return hasType(block, 'thinking') || hasType(block, 'redacted_thinking');
}

/** Whether a block is text without citations. Only answers of the model may have citations. */
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
