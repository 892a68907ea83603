import { isPlainObject } from '@tenterhook/runtime/json';
import { isCursorEvent } from '../input/event-table.js';

/**
 * Returns why Cursor would not read a file at all. Cursor cuts each line at `//`, also inside of a text, and rejects the whole file for an
 * event that it does not know.
 */
export function unread(text: string): string | undefined {
  const body = text.replace(/^\uFEFF/, '');
  if (body.trim() === '') return undefined;
  let settings: unknown;
  try {
    settings = JSON.parse(body.replace(/\/\/.*$/gm, ''));
  } catch {
    const line = body.split('\n').findIndex((each) => each.includes('//')) + 1;
    const where = line === 0 ? '' : ` Line ${line} has such a place.`;
    return `Cursor does not read this file: it must be JSON after each line is cut at "//", also inside of a text.${where}`;
  }
  const hooks = isPlainObject(settings) ? settings['hooks'] : undefined;
  const unknown = isPlainObject(hooks) ? Object.keys(hooks).find((key) => !isCursorEvent(key)) : undefined;
  return unknown === undefined ? undefined : `Cursor rejects this file, because it does not know the event ${JSON.stringify(unknown)}.`;
}
