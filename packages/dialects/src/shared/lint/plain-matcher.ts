import type { HookEventName } from '@tenterhook/protocol';
import type { DocumentPath, Reporter } from '../settings/reporter.js';
import { formatValue } from '../text.js';

/** Where a matcher is in the settings, and the reporter of its problems. */
export interface MatcherPlace {
  readonly place: DocumentPath;
  readonly reporter: Reporter;
  readonly eventName: HookEventName;
}

/** The maximum number of names in the message. */
const maxNames = 3;

/** Tests whether a text is a name or a list of names, without special characters of a pattern. */
export function isPlainName(text: string): boolean {
  return /^[A-Za-z0-9_|-]+$/.test(text);
}

/**
 * Returns the known tools that the matcher also matches because their name contains a plain name of the matcher, e.g. `read_file`
 * for `read`.
 */
export function longerNames(text: string, test: (subject: string) => boolean, known: readonly string[]): readonly string[] {
  if (!isPlainName(text)) return [];
  const names = text.split('|');
  return known.filter((name) => !names.includes(name) && test(name));
}

/**
 * Reports a plain name that also matches longer names. Its author may expect that only an equal name matches. `longer` are the
 * tools with the longer names.
 */
export function reportPlainMatcher(
  text: string,
  longer: readonly string[],
  { place, reporter, eventName }: MatcherPlace,
  exactly: (names: readonly string[]) => string,
): void {
  const some = longer.length > maxNames ? [...longer.slice(0, maxNames), '…'] : longer;
  const message = `The matcher ${formatValue(text)} matches anywhere in the tool name, so it also matches ${some.join(', ')}.`;
  const remedy = `Write "${exactly(text.split('|'))}" to match exactly that name.`;
  reporter.report('plain_matcher', 'note', place, message, { remedy, eventName });
}
