import { type PartFormat, rewriteTextParts } from './text-parts.js';

/** How one SDK writes the parts of a response. */
export interface ResponsePartFormat<Part> extends PartFormat<Part> {
  isThought(part: Part): boolean;
  createText(text: string): Part;
}

/** A new text in place of the response's own; of a response without any, behind the thoughts and before the calls it announces. */
export function writeResponseText<Part>(format: ResponsePartFormat<Part>, parts: readonly Part[], text: string): readonly Part[] {
  if (parts.some((part) => format.textOf(part) !== undefined)) return rewriteTextParts(format, parts, text);
  const place = parts.findIndex((part) => !format.isThought(part));
  const end = place < 0 ? parts.length : place;
  return [...parts.slice(0, end), format.createText(text), ...parts.slice(end)];
}
