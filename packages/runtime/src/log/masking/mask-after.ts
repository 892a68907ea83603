import type { MaskedValue } from './masked-value.js';

/**
 * Reads the value that begins at `start`, behind a match. Undefined if it is not a secret. `from` is the end of the value before, which is
 * masked and so must not be read.
 */
type ReadValue = (found: RegExpExecArray, start: number, from: number) => MaskedValue | undefined;

/** Masks the values behind the matches of a global pattern. */
export function maskAfter(text: string, lead: RegExp, read: ReadValue): string {
  let masked = '';
  let from = 0;
  lead.lastIndex = 0;
  for (let found = lead.exec(text); found !== null; found = lead.exec(text)) {
    const start = lead.lastIndex;
    const value = read(found, start, from);
    if (value === undefined) continue;
    masked += text.slice(from, start) + value.shown;
    from = value.end;
    lead.lastIndex = value.end;
  }
  return masked + text.slice(from);
}
