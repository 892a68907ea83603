import type { LLMMessage, LLMRequest } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';

/** Returns the `prompt` of a generate event: the last message of the user, or an empty text (decision 71). */
export function lastUserText({ messages = [] }: LLMRequest): string {
  const message = messages.findLast(({ role }) => role === 'user');
  return message === undefined ? '' : toContentText(message.content);
}

/** Returns the `system_prompt` of a generate event: all system messages, separated by blank lines. */
export function systemText({ messages = [] }: LLMRequest): string | undefined {
  const system = messages.filter(({ role }) => role === 'system');
  return system.length === 0 ? undefined : system.map(({ content }) => toContentText(content)).join('\n\n');
}

/** Returns the messages with the text of the last message of the user replaced. */
export function withUserText(messages: readonly LLMMessage[], text: string): LLMMessage[] {
  const place = messages.findLastIndex(({ role }) => role === 'user');
  if (place === -1) return [...messages, { role: 'user', content: text }];
  return messages.map((message, index) => (index === place ? { ...message, content: text } : message));
}

/**
 * Returns the messages with the system text replaced. The first system message gets the new text; the others contain the old text
 * and are removed.
 */
export function withSystemText(messages: readonly LLMMessage[], text: string): LLMMessage[] {
  const place = messages.findIndex(({ role }) => role === 'system');
  if (place === -1) return [{ role: 'system', content: text }, ...messages];
  return messages.flatMap((message, index) => {
    if (index === place) return [{ ...message, content: text }];
    return message.role === 'system' ? [] : [message];
  });
}

/**
 * Returns the text of a message's content or of a tool's result. This is a string itself, the texts of its parts, or the JSON of
 * anything else.
 */
export function toContentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  const parts = Array.isArray(content) ? content : [content];
  const texts = parts.map((part) => (isPlainObject(part) ? part['text'] : part));
  return texts.every((text) => typeof text === 'string') ? texts.join('') : JSON.stringify(content);
}
