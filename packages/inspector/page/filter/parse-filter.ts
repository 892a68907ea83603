/** The keys of the filter language. Everything else in a filter is a text that must occur somewhere in the row. */
export const filterKeys = ['event', 'tool', 'subject', 'hook', 'verdict', 'status', 'dialect', 'session', 'slow', 'is', 'time'] as const;

export type FilterKey = (typeof filterKeys)[number];

/** The values of `is:`. */
export const states = ['late', 'idle', 'running', 'failed', 'stopped'] as const;

/** One condition of a filter. `event:A,B` is two terms. */
export interface FilterTerm {
  readonly key: FilterKey | 'text';
  /** Without quotes, and never empty. */
  readonly value: string;
  readonly isNegated: boolean;
}

/** A filter that was read. */
export interface Filter {
  readonly terms: readonly FilterTerm[];
  /** A sentence for each term that is ignored. */
  readonly problems: readonly string[];
}

/** A duration with a comparison, such as `>200ms`. */
export interface DurationBound {
  readonly compare: '<' | '<=' | '>' | '>=';
  readonly ms: number;
}

/** Milliseconds since 1970. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

const word = /(?:[^\s"]|"[^"]*"?)+/g;
const unitMs: Readonly<Record<string, number>> = { '': 1, ms: 1, s: 1000, m: 60_000 };

/**
 * Reads a filter such as `event:BeforeTool -hook:guard* slow:>200ms text`. Every text is a filter: a key that does not exist is a text to
 * search for, because texts of hooks contain colons, and a value that cannot be read is ignored and reported, because it may be half
 * typed.
 */
export function parseFilter(text: string): Filter {
  const terms: FilterTerm[] = [];
  const problems: string[] = [];
  for (const [written] of text.matchAll(word)) {
    const isNegated = written.startsWith('-') && written.length > 1;
    const positive = isNegated ? written.slice(1) : written;
    const found = /^([a-z]+):(.*)$/s.exec(positive);
    const key = filterKeys.find((one) => one === found?.[1]);
    if (key === undefined) {
      const value = withoutQuotes(positive);
      if (value !== '') terms.push({ key: 'text', value, isNegated });
      continue;
    }
    for (const value of valuesOf(found?.[2] ?? '')) {
      const problem = problemOf(key, value);
      if (problem === undefined) terms.push({ key, value, isNegated });
      else problems.push(problem);
    }
  }
  return { terms, problems };
}

/** Reads `>200ms`, `<=1.5s`, `2m`. A number alone is the least duration in milliseconds. */
export function parseDurationBound(value: string): DurationBound | undefined {
  const found = /^(<=|>=|<|>)?(\d{1,12}(?:\.\d{1,6})?)(ms|s|m)?$/.exec(value);
  if (found === null) return undefined;
  const [, compare = '>=', number = '', unit = ''] = found;
  return { compare: compare as DurationBound['compare'], ms: Number(number) * (unitMs[unit] as number) };
}

/** Reads `1700000000000..1700000001000`. The list of events writes such a range for a drag over the minimap. */
export function parseTimeRange(value: string): TimeRange | undefined {
  const found = /^(\d{1,15}(?:\.\d{1,6})?)\.\.(\d{1,15}(?:\.\d{1,6})?)$/.exec(value);
  return found === null ? undefined : { from: Number(found[1]), to: Number(found[2]) };
}

/** Writes a term as it is read. */
export function formatTerm({ key, value, isNegated }: FilterTerm): string {
  const needsQuotes = /[\s,]/.test(value) || (key === 'text' && /^-|^[a-z]+:/.test(value));
  const written = needsQuotes ? `"${value.replaceAll('"', '')}"` : value;
  return `${isNegated ? '-' : ''}${key === 'text' ? '' : `${key}:`}${written}`;
}

/** Several values are separated by commas. In quotes a comma is part of the value. */
function valuesOf(written: string): string[] {
  const values = written.match(/(?:[^,"]|"[^"]*"?)+/g) ?? [''];
  return values.map(withoutQuotes);
}

function withoutQuotes(text: string): string {
  return text.replaceAll('"', '');
}

function problemOf(key: FilterKey, value: string): string | undefined {
  if (value === '') return `"${key}:" has no value and is ignored.`;
  if (key === 'slow' && parseDurationBound(value) === undefined) {
    return `"slow:${value}" is ignored. It must be a duration. Write slow:>200ms.`;
  }
  if (key === 'time' && parseTimeRange(value) === undefined) {
    return `"time:${value}" is ignored. It must be two times in milliseconds since 1970. Drag over the timeline.`;
  }
  if (key === 'is' && !states.some((state) => state === value.toLowerCase())) {
    return `"is:${value}" is ignored. It must be ${states.join(', ').replace(/, (?=\w+$)/, ' or ')}.`;
  }
  return undefined;
}
