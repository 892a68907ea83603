import { type Fields, fieldsOf, fieldsOfAll, listOf, withFields } from '../fields.js';
import type { HookMessage } from '../hook-message.js';
import type { MessageFormat } from '../rewrite-messages.js';
import { joinTextParts, type PartFormat, rewriteTextParts, withoutTextParts } from '../text-parts.js';

export const promptTextParts: PartFormat<unknown> = {
  textOf(part) {
    const { type, text } = fieldsOf(part);
    return type === 'text' && typeof text === 'string' ? text : undefined;
  },
  withText: (part, text) => withFields(fieldsOf(part), { text }),
};

/** The messages of a prompt. Only a system message has a plain text as its content. */
export const aiSdkMessages: MessageFormat<unknown> = {
  show(message) {
    const { role, content } = fieldsOf(message);
    const text = textOf(content);
    // The text of a result is in its output, and a tool message has no texts of its own.
    return text === '' || role === 'tool' ? undefined : { role: shownRole(role), content: text };
  },
  create: ({ role, content }) => toMessage(role, content),
  withText(message, text) {
    const { content } = fieldsOf(message);
    return withFields(fieldsOf(message), { content: Array.isArray(content) ? rewriteTextParts(promptTextParts, content, text) : text });
  },
  // A role changes the form of the content too, so only a message of texts alone can have another role.
  withRole(message, role) {
    const { content, providerOptions } = fieldsOf(message);
    if (withoutTextParts(promptTextParts, listOf(content)).length > 0) return undefined;
    const moved = toMessage(role, textOf(content));
    return providerOptions === undefined ? moved : { ...moved, providerOptions };
  },
  withoutText(message) {
    const rest = withoutTextParts(promptTextParts, listOf(fieldsOf(message)['content']));
    return rest.every(isThought) ? undefined : withFields(fieldsOf(message), { content: rest });
  },
  hasToolCalls: (message) => hasPart(message, 'tool-call'),
  hasToolResults: (message) => fieldsOf(message)['role'] === 'tool' || hasPart(message, 'tool-result'),
};

/** Whether a part is a thought of the model. Providers refuse a thought without the rest of its message. */
export function isThought(part: unknown): boolean {
  const { type } = fieldsOf(part);
  return type === 'reasoning' || type === 'reasoning-file';
}

function toMessage(role: HookMessage['role'], text: string): Fields {
  if (role === 'system') return { role, content: text };
  return { role: role === 'model' ? 'assistant' : 'user', content: [{ type: 'text', text }] };
}

function shownRole(role: unknown): HookMessage['role'] {
  if (role === 'assistant') return 'model';
  return role === 'system' ? 'system' : 'user';
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : joinTextParts(promptTextParts, listOf(content));
}

function hasPart(message: unknown, type: string): boolean {
  return fieldsOfAll(fieldsOf(message)['content']).some((part) => part['type'] === type);
}
