import { isPlainObject } from '@tenterhook/runtime/json';

/** The text of what a tool gave the model: a text, parts with texts, or the JSON of anything else. */
export function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  const parts = Array.isArray(content) ? content : [content];
  const texts = parts.map((part) => (isPlainObject(part) ? part['text'] : part));
  return texts.every((text) => typeof text === 'string') ? texts.join('') : JSON.stringify(content);
}
