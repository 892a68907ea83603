import type { LLMMessage, LLMRequest } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';

/** `prompt` of a generation: the last message of the user; empty without such a message (decision 71). */
export function lastUserText({ messages = [] }: LLMRequest): string {
  const message = messages.findLast(({ role }) => role === 'user');
  return message === undefined ? '' : toContentText(message.content);
}

/** `system_prompt`: all system messages, separated by blank lines, so that a handler reads all of them. */
export function systemText({ messages = [] }: LLMRequest): string | undefined {
  const system = messages.filter(({ role }) => role === 'system');
  return system.length === 0 ? undefined : system.map(({ content }) => toContentText(content)).join('\n\n');
}

/** The reverse: the messages with another last message of the user. */
export function withUserText(messages: readonly LLMMessage[], text: string): LLMMessage[] {
  const place = messages.findLastIndex(({ role }) => role === 'user');
  if (place === -1) return [...messages, { role: 'user', content: text }];
  return messages.map((message, index) => (index === place ? { ...message, content: text } : message));
}

/** The first system message gets the text, and the others are removed: they would still contain what was rewritten. */
export function withSystemText(messages: readonly LLMMessage[], text: string): LLMMessage[] {
  const place = messages.findIndex(({ role }) => role === 'system');
  if (place === -1) return [{ role: 'system', content: text }, ...messages];
  return messages.flatMap((message, index) => {
    if (index === place) return [{ ...message, content: text }];
    return message.role === 'system' ? [] : [message];
  });
}

/** The text of a content, of a message or of a tool's result: a text, parts with texts, or the JSON of anything else. */
export function toContentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  const parts = Array.isArray(content) ? content : [content];
  const texts = parts.map((part) => (isPlainObject(part) ? part['text'] : part));
  return texts.every((text) => typeof text === 'string') ? texts.join('') : JSON.stringify(content);
}
