import type { LLMMessage, LLMRequest } from '@tenterhook/protocol';
import { textOfContent } from './text-of-content.js';

/** `prompt` of a generation: what the user said last; empty where the user has said nothing (decision 71). */
export function lastUserText({ messages = [] }: LLMRequest): string {
  const message = messages.findLast(({ role }) => role === 'user');
  return message === undefined ? '' : textOfContent(message.content);
}

/** `system_prompt`: all system messages, a blank line between them, so that a handler that reads it has read all of them. */
export function systemText({ messages = [] }: LLMRequest): string | undefined {
  const system = messages.filter(({ role }) => role === 'system');
  return system.length === 0 ? undefined : system.map(({ content }) => textOfContent(content)).join('\n\n');
}

/** The other way round: the messages with another last word of the user. */
export function withUserText(messages: readonly LLMMessage[], text: string): LLMMessage[] {
  const place = messages.findLastIndex(({ role }) => role === 'user');
  if (place === -1) return [...messages, { role: 'user', content: text }];
  return messages.map((message, index) => (index === place ? { ...message, content: text } : message));
}

/** The first system message says it, and the others go: together they would say what was rewritten and what it was before. */
export function withSystemText(messages: readonly LLMMessage[], text: string): LLMMessage[] {
  const place = messages.findIndex(({ role }) => role === 'system');
  if (place === -1) return [{ role: 'system', content: text }, ...messages];
  return messages.flatMap((message, index) => {
    if (index === place) return [{ ...message, content: text }];
    return message.role === 'system' ? [] : [message];
  });
}
