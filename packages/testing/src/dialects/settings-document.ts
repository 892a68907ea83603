import type { SettingsDocument } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';

/** Settings as read from a file. */
export interface FileDocument extends SettingsDocument {
  readonly file: string;
  readonly text: string;
  /** The lines that were asked for so far. */
  readonly told: ReadonlySet<number>;
}

/** With every entry on a line of its own. A path that does not exist is found at what is there of it. */
export function fileDocument(value: unknown, source: string, file: string): FileDocument {
  const told = new Set<number>();
  const locate = (path: readonly (string | number)[]) => {
    const place = placeOf(value, path);
    told.add(place.line);
    return place;
  };
  return { source, file, value, text: JSON.stringify(value, null, 2), told, locate };
}

/** Settings that were handed in as an object: they have no file and no lines. */
export function givenDocument(value: unknown, source = 'settings'): SettingsDocument {
  return { source, value, locate: () => undefined };
}

function placeOf(value: unknown, path: readonly (string | number)[]): { line: number; column: number } {
  let [node, line, depth] = [value, 1, 0];
  for (const step of path) {
    const entries = entriesOf(node);
    const index = entries.findIndex(([key]) => key === step);
    const entry = entries[index];
    if (entry === undefined) break;
    line += 1 + entries.slice(0, index).reduce((lines, [, before]) => lines + linesOf(before), 0);
    [node, depth] = [entry[1], depth + 1];
  }
  return { line, column: 1 + 2 * depth };
}

/** How many lines JSON.stringify writes of it: one of each entry, and one of each bracket unless it is empty. */
function linesOf(value: unknown): number {
  const entries = entriesOf(value);
  return entries.length === 0 ? 1 : entries.reduce((lines, [, item]) => lines + linesOf(item), 2);
}

function entriesOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return [...value.entries()];
  return isPlainObject(value) ? Object.entries(value) : [];
}
