import type { EventRow } from '../../src/api/messages.js';
import { type Filter, type FilterTerm, parseDurationBound, parseTimeRange } from './parse-filter.js';
import { compileWildcard } from './wildcard.js';

/** Tests whether a row is shown. */
export type RowTest = (row: EventRow) => boolean;

/** Keys whose terms must all fit. Of other keys one term is enough, because an event has only one name. */
const needsAll: ReadonlySet<FilterTerm['key']> = new Set(['slow', 'time', 'text']);

/** The number of texts whose result is remembered. Names repeat in nearly all rows. */
const mostRemembered = 10_000;

/** Returns a test for rows. A row fits if it fits each key, and no negated term. */
export function compileFilter({ terms }: Filter): RowTest {
  const tests: RowTest[] = [];
  const groups = new Map<FilterTerm['key'], RowTest[]>();
  for (const term of terms) {
    const test = compileTerm(term);
    if (term.isNegated) tests.push((row) => !test(row));
    else if (needsAll.has(term.key)) tests.push(test);
    else groups.set(term.key, [...(groups.get(term.key) ?? []), test]);
  }
  for (const group of groups.values()) tests.push(group.length === 1 ? (group[0] as RowTest) : (row) => group.some((test) => test(row)));
  return (row) => {
    for (const test of tests) if (!test(row)) return false;
    return true;
  };
}

/** The word that the list shows for the answer of an event. */
export function verdictWord({ state, verdict }: Pick<EventRow, 'state' | 'verdict'>): string {
  return state === 'answered' ? verdict : state;
}

/** Returns the name of the tool. Undefined for events that are not about a tool. */
export function toolOf({ event, subject }: EventRow): string | undefined {
  return event.includes('Tool') ? subject : undefined;
}

function compileTerm({ key, value }: FilterTerm): RowTest {
  switch (key) {
    case 'slow':
      return compileSlow(value);
    case 'time':
      return compileTime(value);
    case 'is':
      return stateTests[value.toLowerCase()] ?? (() => false);
    case 'text':
      return compileText(value);
    default:
      return compileName(key, remembered(compileWildcard(value)));
  }
}

function compileName(key: Exclude<FilterTerm['key'], 'slow' | 'time' | 'is' | 'text'>, fits: (text: string) => boolean): RowTest {
  const fitsOptional = (text: string | undefined) => text !== undefined && fits(text);
  switch (key) {
    case 'event':
      return ({ event }) => fits(event);
    case 'tool':
      return (row) => fitsOptional(toolOf(row));
    case 'subject':
      return ({ subject }) => fitsOptional(subject);
    case 'session':
      return ({ session }) => fitsOptional(session);
    case 'verdict':
      return (row) => fits(verdictWord(row));
    case 'hook':
      return ({ hooks }) => hooks.some(({ hookId, name }) => fits(hookId) || fitsOptional(name));
    case 'status':
      return ({ hooks }) => hooks.some(({ status }) => fits(status));
    case 'dialect':
      return ({ hooks }) => hooks.some(({ dialect }) => fits(dialect));
  }
}

const stateTests: Readonly<Record<string, RowTest>> = {
  late: ({ hooks }) => hooks.some(({ late }) => late === true),
  idle: ({ run }) => run === 0,
  running: ({ state }) => state === 'running',
  failed: ({ state }) => state === 'failed',
  stopped: ({ stop }) => stop === true,
};

/** The duration of an event that still runs is not known, so no bound fits it. */
function compileSlow(value: string): RowTest {
  const bound = parseDurationBound(value);
  if (bound === undefined) return () => false;
  const { compare, ms } = bound;
  return ({ durationMs }) => {
    if (durationMs === undefined) return false;
    if (compare === '>') return durationMs > ms;
    if (compare === '>=') return durationMs >= ms;
    return compare === '<' ? durationMs < ms : durationMs <= ms;
  };
}

function compileTime(value: string): RowTest {
  const range = parseTimeRange(value);
  if (range === undefined) return () => false;
  return ({ at, durationMs = 0 }) => at <= range.to && at + durationMs >= range.from;
}

function compileText(value: string): RowTest {
  const lower = value.toLowerCase();
  const has = remembered((text) => text.toLowerCase().includes(lower));
  return ({ event, subject, session, error, hooks }) =>
    has(event) ||
    (subject !== undefined && has(subject)) ||
    (session !== undefined && has(session)) ||
    (error !== undefined && has(error)) ||
    hooks.some(({ hookId, name }) => has(hookId) || (name !== undefined && has(name)));
}

function remembered(test: (text: string) => boolean): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const result = test(text);
    if (known.size < mostRemembered) known.set(text, result);
    return result;
  };
}
