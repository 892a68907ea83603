import { fieldsOf, listOf } from '@tenterhook/agent/internal';
import type { AgentInputItem } from '../agents-sdk.js';

export type RunInput = string | AgentInputItem[];

/** Returns the text of the user that begins a run: the input, or the text of its last message. Undefined if it is not of the user. */
export function promptOf(input: RunInput): string | undefined {
  if (typeof input === 'string') return input;
  const { role, content } = fieldsOf(input.at(-1));
  if (role !== 'user') return undefined;
  if (typeof content === 'string') return content;
  const texts = listOf(content).flatMap((part) => (isText(part) ? [String(fieldsOf(part)['text'])] : []));
  return texts.length === 0 ? undefined : texts.join('');
}

/** Returns the input with another prompt. Images and files of the message stay. */
export function withPrompt(input: RunInput, prompt: string): RunInput {
  if (promptOf(input) === prompt) return input;
  if (typeof input === 'string') return prompt;
  const last = input.at(-1);
  const { content } = fieldsOf(last);
  const rest = Array.isArray(content) ? content.filter((part) => !isText(part)) : undefined;
  const changed = { ...last, content: rest === undefined ? prompt : [{ type: 'input_text', text: prompt }, ...rest] };
  return [...input.slice(0, -1), changed as AgentInputItem];
}

/** Returns the message of a prompt. */
export function userMessage(prompt: string): AgentInputItem {
  return { type: 'message', role: 'user', content: prompt };
}

function isText(part: unknown): boolean {
  const { type, text } = fieldsOf(part);
  return type === 'input_text' && typeof text === 'string';
}
