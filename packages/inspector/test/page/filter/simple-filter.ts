import type { EventRow } from '../../../src/api/messages.js';

/** One term as the test writes it. */
export interface SimpleTerm {
  readonly key: string;
  readonly values: readonly string[];
  readonly isNegated: boolean;
}

/** A second implementation of the filter language, with regular expressions and without any thought of speed. */
export function fitsSimply(terms: readonly SimpleTerm[], row: EventRow): boolean {
  const keys = [...new Set(terms.map(({ key }) => key))];
  return keys.every((key) => {
    const own = terms.filter((term) => term.key === key);
    const unwanted = own.filter(({ isNegated }) => isNegated).flatMap(({ values }) => values);
    const wanted = own.filter(({ isNegated }) => !isNegated).flatMap(({ values }) => values);
    if (unwanted.some((value) => fits(key, value, row))) return false;
    if (wanted.length === 0) return true;
    return ['slow', 'text'].includes(key) ? wanted.every((value) => fits(key, value, row)) : wanted.some((value) => fits(key, value, row));
  });
}

function fits(key: string, value: string, row: EventRow): boolean {
  const name = (text: string | undefined) => text !== undefined && asRegExp(value).test(text);
  const names = row.hooks.flatMap(({ hookId, name: own }) => [hookId, own ?? hookId]);
  if (key === 'event') return name(row.event);
  if (key === 'tool') return /Tool/.test(row.event) && name(row.subject);
  if (key === 'subject') return name(row.subject);
  if (key === 'session') return name(row.session);
  if (key === 'verdict') return name(row.state === 'answered' ? row.verdict : row.state);
  if (key === 'hook') return names.some(name);
  if (key === 'status') return row.hooks.some(({ status }) => name(status));
  if (key === 'dialect') return row.hooks.some(({ dialect }) => name(dialect));
  if (key === 'slow') return isSlow(value, row.durationMs);
  if (key === 'is') {
    const is = { late: row.hooks.some(({ late }) => late), idle: row.run === 0, stopped: row.stop === true };
    return is[value as 'late'] ?? row.state === value;
  }
  const all = [row.event, row.subject ?? '', row.session ?? '', row.error ?? '', ...names];
  return all.some((text) => text.toLowerCase().includes(value.toLowerCase()));
}

function asRegExp(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|/-]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'is');
}

function isSlow(bound: string, ms: number | undefined): boolean {
  if (ms === undefined) return false;
  const sign = /^[<>=]*/.exec(bound)?.[0] ?? '';
  const amount = Number.parseFloat(bound.slice(sign.length)) * (bound.endsWith('ms') ? 1 : 1000);
  return { '>': ms > amount, '<': ms < amount, '<=': ms <= amount, '>=': ms >= amount, '': ms >= amount }[sign] as boolean;
}
