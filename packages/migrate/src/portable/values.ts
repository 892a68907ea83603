import { eventEntry, type HookEventName } from '@tenterhook/protocol';
import { coreOf, fitting, hasStar } from './globs.js';
import type { HookLoss, PortableSubject } from './portable-hook.js';
import type { PatternText, ReadSubjects } from './read-tools.js';
import type { WrittenSubjects } from './write-tools.js';

/** The values of a dialect's matchers on events without a tool, e.g. `startup` for the start of a session. */
export interface ValueSpelling {
  readonly agent: string;
  /** The words of the dialect that differ from the canonical values, by event. One word may mean two canonical values. */
  readonly words: Readonly<Partial<Record<HookEventName, Readonly<Record<string, string>>>>>;
  /** Values that only this dialect has, by event. */
  readonly more?: Readonly<Partial<Record<HookEventName, readonly string[]>>>;
}

/** Converts a pattern into the values that it matches. If the event catalogue lists the possible values, each of them is tested. */
export function readValues(
  { text, globs, fits }: PatternText,
  eventName: HookEventName,
  spelling: ValueSpelling,
): ReadSubjects | { readonly cannot: string } {
  const canonical = canonicalValues(eventName) ?? [];
  const known = [...new Set([...canonical.map((value) => wordOf(value, eventName, spelling)), ...(spelling.more?.[eventName] ?? [])])];
  const isClosed = canonicalValues(eventName) !== undefined;
  const written = (globs ?? [undefined]).flatMap((glob) => {
    if (glob === undefined) return known.filter(fits);
    if (!hasStar(glob)) return [glob];
    const found = fitting(glob, known);
    return found.length > 0 || coreOf(glob).includes('*') ? found : [coreOf(glob)];
  });
  const values = [...new Set(written.flatMap((word) => valuesOf(word, eventName, spelling)))];
  if (values.length === 0) return { cannot: `Its matcher ${JSON.stringify(text)} matches none of the known values.` };
  const isOpen = !isClosed && (globs === undefined || globs.some(hasStar));
  const message = `The pattern ${JSON.stringify(text)} can also match other values. Only the known values are written: ${values.join(', ')}.`;
  return {
    subjects: values.map((value): PortableSubject => ({ kind: 'value', value })),
    losses: isOpen ? [{ field: 'matcher', message }] : [],
  };
}

export function writeValues(subjects: readonly PortableSubject[], eventName: HookEventName, spelling: ValueSpelling): WrittenSubjects {
  const values = subjects.flatMap((subject) => (subject.kind === 'value' ? [subject.value] : []));
  const words = [...new Set(values.map((value) => wordOf(value, eventName, spelling)))];
  const losses: HookLoss[] = [];
  const say = (message: string) => losses.push({ field: 'matcher', message });
  const canonical = canonicalValues(eventName);
  const strange = values.filter((value) => canonical?.includes(value) === false && !spelling.more?.[eventName]?.includes(value));
  if (strange.length > 0) say(`${quoted(strange)} is not a known value of ${spelling.agent}. The value is kept unchanged.`);
  const covered = words.flatMap((word) => valuesOf(word, eventName, spelling)).filter((value) => !values.includes(value));
  if (covered.length > 0) say(`The hook also runs for ${quoted(covered)}, because the name in ${spelling.agent} is the same.`);
  return { globs: words, losses };
}

/** Returns all possible values of the field that an event's matcher reads, or undefined if the event catalogue does not list them. */
function canonicalValues(eventName: HookEventName): readonly string[] | undefined {
  const { input, matcherField } = eventEntry(eventName);
  const schema: unknown = matcherField === undefined ? undefined : input.shape[matcherField];
  return (schema as { readonly options?: readonly string[] } | undefined)?.options;
}

function wordOf(value: string, eventName: HookEventName, { words }: ValueSpelling): string {
  const table = words[eventName] ?? {};
  return Object.hasOwn(table, value) ? (table[value] as string) : value;
}

/** Returns the canonical values that a word of the dialect means. A word that means none is returned unchanged. */
function valuesOf(word: string, eventName: HookEventName, spelling: ValueSpelling): readonly string[] {
  const table = spelling.words[eventName] ?? {};
  const candidates = new Set([...(canonicalValues(eventName) ?? []), ...Object.keys(table)]);
  const found = [...candidates].filter((value) => wordOf(value, eventName, spelling) === word);
  return found.length === 0 ? [word] : found;
}

function quoted(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}
