import type { EventRow } from '../../src/api/messages.js';
import { toolOf } from './compile-filter.js';
import { type FilterKey, type FilterTerm, filterKeys, formatTerm, parseFilter, states } from './parse-filter.js';

/** The most suggestions that are offered. */
const mostSuggestions = 50;
/** Only so many of the newest rows are searched for values, so that typing stays quick. */
const mostRows = 5_000;

/** Returns the filter with a term added, or removed if it has the term already. */
export function toggleTerm(text: string, term: FilterTerm): string {
  const written = formatTerm(term);
  const before = parseFilter(text).terms.map(formatTerm);
  const after = before.includes(written) ? before.filter((one) => one !== written) : [...before, written];
  return after.join(' ');
}

/** Returns the filter with exactly one term of a key, or with none. */
export function replaceTerm(text: string, key: FilterKey, value: string | undefined): string {
  const others = parseFilter(text).terms.filter((term) => term.key !== key);
  const terms: FilterTerm[] = value === undefined ? others : [...others, { key, value, isNegated: false }];
  return terms.map(formatTerm).join(' ');
}

export function hasTerm(text: string, term: FilterTerm): boolean {
  const written = formatTerm(term);
  return parseFilter(text).terms.some((one) => formatTerm(one) === written);
}

/** Returns whole filters that continue the last word of a filter with what occurs in the rows. */
export function suggestFilters(text: string, rows: readonly EventRow[]): string[] {
  const [, before = '', last = ''] = /^(.*\s)?(\S*)$/s.exec(text) ?? [];
  const minus = last.startsWith('-') ? '-' : '';
  const word = last.slice(minus.length).toLowerCase();
  const key = filterKeys.find((one) => word.startsWith(`${one}:`));
  if (key === undefined) {
    return filterKeys.filter((one) => one !== 'time' && one.startsWith(word)).map((one) => `${before}${minus}${one}:`);
  }
  const typed = word.slice(key.length + 1);
  return [...valuesOf(key, rows)]
    .filter((value) => value.toLowerCase().includes(typed) && !value.includes('"'))
    .sort()
    .slice(0, mostSuggestions)
    .map((value) => `${before}${formatTerm({ key, value, isNegated: minus !== '' })}`);
}

function valuesOf(key: FilterKey, rows: readonly EventRow[]): Set<string> {
  if (key === 'is') return new Set(states);
  if (key === 'slow') return new Set(['>100ms', '>1s', '>10s']);
  const found = new Set<string | undefined>();
  if (key === 'verdict') for (const word of ['none', 'allow', 'ask', 'deny', 'running', 'failed']) found.add(word);
  for (let index = rows.length - 1; index >= Math.max(0, rows.length - mostRows); index -= 1) {
    const row = rows[index] as EventRow;
    if (key === 'event') found.add(row.event);
    else if (key === 'session') found.add(row.session);
    else if (key === 'subject') found.add(row.subject);
    else if (key === 'tool') found.add(toolOf(row));
    else if (key === 'hook') for (const { hookId, name } of row.hooks) found.add(name ?? hookId);
    else if (key === 'status') for (const { status } of row.hooks) found.add(status);
    else if (key === 'dialect') for (const { dialect } of row.hooks) found.add(dialect);
  }
  found.delete(undefined);
  found.delete('');
  return found as Set<string>;
}
