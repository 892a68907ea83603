import { isPlainObject } from '@tenterhook/runtime/json';
import type { PartFormat } from '../text-parts.js';
import { withFields } from '../with-fields.js';

/** A part, or a text that stands for one. */
export type GenAiPart = unknown;

/** A thought is text too, but the model's own: it is neither shown nor changed. */
export const genAiTextParts: PartFormat<GenAiPart> = {
  textOf(part) {
    if (typeof part === 'string') return part;
    return isPlainObject(part) && typeof part['text'] === 'string' && part['thought'] !== true ? part['text'] : undefined;
  },
  withText: (part, text) => (isPlainObject(part) ? withFields(part, { text }) : text),
};

export function isThought(part: GenAiPart): boolean {
  return isPlainObject(part) && part['thought'] === true;
}

/** Of the client's functions and of tools on the server: either needs its result. */
export function isCall(part: GenAiPart): boolean {
  return isPlainObject(part) && (isPlainObject(part['functionCall']) || isPlainObject(part['toolCall']));
}

export function isResult(part: GenAiPart): boolean {
  return isPlainObject(part) && (isPlainObject(part['functionResponse']) || isPlainObject(part['toolResponse']));
}
