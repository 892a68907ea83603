import { nearestName } from '@tenterhook/protocol/internal';
import { formatValue } from '../text.js';
import type { MatcherPlace } from './plain-matcher.js';

/** The values that an event can have, and how a matcher is compared with them. */
export interface MatchedValues {
  /** The field that has the value, such as `source`. */
  readonly field: string;
  readonly values: readonly string[];
  /**
   * How the matcher is compared with a value. A `text` must equal the value. Of a `list`, one name must equal the value. A
   * `pattern` may match a part of the value.
   */
  readonly compared: 'text' | 'list' | 'pattern';
  test(value: string): boolean;
}

/** Words that other agents use for the same value. Users copy them. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  compact: ['compress'],
  compress: ['compact'],
  auto: ['automatic'],
  startup: ['start', 'new'],
};

/**
 * Reports values in a matcher that the event cannot have. With such a value, the hooks of the group run less often than intended,
 * or never.
 */
export function reportUnknownValues(
  text: string,
  { place, reporter, eventName, dialectEvent }: MatcherPlace & { readonly dialectEvent: string },
  matched: MatchedValues,
): void {
  const { field, values, compared, test } = matched;
  const neverMatches = !values.some(test);
  const unknown = neverMatches ? [] : alternatives(text, compared).filter((name) => !isPartOf(name, matched));
  if (!neverMatches && unknown.length === 0) return;
  const subject = neverMatches
    ? `The matcher ${formatValue(text)}`
    : `${unknown.map(formatValue).join(', ')} in the matcher ${formatValue(text)}`;
  const verb = unknown.length > 1 ? 'never match' : 'never matches';
  const effect = neverMatches ? ' The hooks of this group never run.' : '';
  const message = `${subject} ${verb}: ${field} of ${dialectEvent} is one of ${values.join(', ')}.${effect}`;
  reporter.report('unmatched_matcher', 'warning', place, message, { remedy: formatRemedy(text, matched), eventName });
}

/** Returns the names in a matcher, without anchors and parentheses. The list is empty if the matcher has other special characters. */
function alternatives(text: string, compared: MatchedValues['compared']): readonly string[] {
  if (compared === 'text') return [text];
  const parts = text.split(compared === 'list' ? /[|,]/ : '|').map((part) => /^[\^(\s]*([\w-]*)[)$\s]*$/.exec(part)?.[1]);
  return parts.every((part) => part !== undefined) ? parts.filter((part) => part !== '') : [];
}

function isPartOf(name: string, { values, compared }: MatchedValues): boolean {
  return compared === 'pattern' ? values.some((value) => value.includes(name)) : values.includes(name);
}

function formatRemedy(text: string, { values, compared }: MatchedValues): string {
  const corrected = text
    .trim()
    .replace(/\s*[|,]\s*/g, '|')
    .replace(/[\w-]+/g, (word) => correctValue(word, values) ?? word);
  const words = corrected.match(/[\w-]+/g) ?? [];
  if (words.length === 0 || !words.every((word) => values.includes(word)) || (compared !== 'pattern' && /[^\w|-]/.test(corrected)))
    return 'Write one of these values, or remove the matcher.';
  return compared === 'text' && words.length > 1
    ? `Write a group for each: ${words.map((word) => `"matcher": "${word}"`).join(', ')}.`
    : `Write "matcher": ${JSON.stringify(corrected)}.`;
}

function correctValue(word: string, values: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  return values.find((value) => value === lower || otherWords[value]?.includes(lower)) ?? nearestName(lower, values);
}
