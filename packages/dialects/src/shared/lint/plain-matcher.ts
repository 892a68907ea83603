import type { EventContext } from '../settings/group-format.js';
import type { DocumentPath } from '../settings/reporter.js';
import { formatValue } from '../text.js';

/** So many names say what is meant. */
const maxNames = 3;

/** A name, or a list of names, without anything that says "pattern". */
export function isPlainName(text: string): boolean {
  return /^[A-Za-z0-9_|-]+$/.test(text);
}

/** The known tools that a plain name fits because it is a part of theirs. A name that is one of them is not among them. */
export function longerNames(text: string, test: (subject: string) => boolean, known: readonly string[]): readonly string[] {
  if (!isPlainName(text)) return [];
  const names = text.split('|');
  return known.filter((name) => !names.includes(name) && test(name));
}

/** A plain name is searched for, which its author may not expect. `longer`: tools that it fits beside those of its names; may be none. */
export function reportPlainMatcher(
  text: string,
  longer: readonly string[],
  place: DocumentPath,
  { eventName, reporter }: EventContext,
  exactly: (names: readonly string[]) => string,
): void {
  const some = longer.length > maxNames ? [...longer.slice(0, maxNames), '…'] : longer;
  const examples = longer.length === 0 ? '' : `: ${some.join(', ')}`;
  const message = `${formatValue(text)} is searched for anywhere in the tool name, so it also matches longer names${examples}.`;
  const remedy = `Write "${exactly(text.split('|'))}" to mean exactly that.`;
  reporter.report('plain_matcher', 'note', place, message, { remedy, eventName });
}
