import fc from 'fast-check';
import { compileFilter } from '../../../page/filter/compile-filter.js';
import { parseFilter } from '../../../page/filter/parse-filter.js';
import type { EventRow } from '../../../src/api/messages.js';
import { hookOf, rowOf } from '../rows.js';
import { fitsSimply, type SimpleTerm } from './simple-filter.js';

const names = ['guard', 'Guard', 'gua', 'write_file', 'write_*', '*', 'a*b*c', 'abc', 'aXbXc', 'llxprt', 'eca', 'BeforeTool', 'AfterModel'];
const values: Readonly<Record<string, readonly string[]>> = {
  event: names,
  tool: names,
  subject: names,
  hook: names,
  session: ['s-1', 's-2', 's-*'],
  verdict: ['none', 'allow', 'ask', 'deny', 'running', 'failed', 'D*'],
  status: ['succeeded', 'timed-out', 'blocked', '*out'],
  dialect: ['llxprt', 'eca', 'e*'],
  slow: ['>200ms', '<200ms', '>=200ms', '<=0.2s', '200ms', '>1s'],
  is: ['late', 'idle', 'running', 'failed', 'stopped'],
  text: [...names.filter((name) => !name.includes(':')), 's-1', 'boom', 'colour:red'],
};

const term: fc.Arbitrary<SimpleTerm> = fc.constantFrom(...Object.keys(values)).chain((key) =>
  fc.record({
    key: fc.constant(key),
    values: fc.array(fc.constantFrom(...(values[key] as string[])), { minLength: 1, maxLength: key === 'text' ? 1 : 3 }),
    isNegated: fc.boolean(),
  }),
);
const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });
const hook = fc
  .record({
    hookId: fc.constantFrom('llxprt/project/0.0', 'eca/user/guard', 'guard'),
    name: optional(fc.constantFrom(...names)),
    dialect: fc.constantFrom('llxprt', 'eca'),
    status: fc.constantFrom('succeeded', 'timed-out', 'blocked', 'running'),
    late: optional(fc.constant(true as const)),
  })
  .map((fields) => hookOf(withoutUndefined(fields)));
const row = fc
  .record({
    event: fc.constantFrom('BeforeTool', 'AfterTool', 'BeforeModel', 'AfterModel'),
    subject: optional(fc.constantFrom(...names)),
    session: optional(fc.constantFrom('s-1', 's-2')),
    state: fc.constantFrom('running' as const, 'answered' as const, 'failed' as const),
    verdict: fc.constantFrom('none' as const, 'allow' as const, 'ask' as const, 'deny' as const),
    stop: optional(fc.constant(true as const)),
    error: optional(fc.constant('boom')),
    run: fc.nat(2),
    durationMs: optional(fc.constantFrom(0, 199, 200, 201, 5_000)),
    hooks: fc.array(hook, { maxLength: 3 }),
  })
  .map((fields) => rowOf(fields as Partial<EventRow>));

test('30. each filter key, negation and several values select the rows that a second implementation selects', () => {
  fc.assert(
    fc.property(fc.array(term, { maxLength: 5 }), fc.array(row, { maxLength: 30 }), (terms, rows) => {
      const text = terms
        .map(({ key, values: own, isNegated }) => `${isNegated ? '-' : ''}${key === 'text' ? '' : `${key}:`}${own.join(',')}`)
        .join(' ');
      const test = compileFilter(parseFilter(text));
      expect(rows.filter(test)).toEqual(rows.filter((one) => fitsSimply(terms, one)));
    }),
    { numRuns: 2000 },
  );
});

test('30. nonsense in a filter throws nothing, and its known parts still count', () => {
  const rows = [rowOf({ event: 'BeforeTool' }), rowOf({ event: 'AfterTool' })];
  const nonsense = fc.constantFrom('slow:', 'slow:fast', 'is:odd', '-is:', 'time:1..x', 'event:', '-tool:', '""', '-""', 'session:,');
  fc.assert(
    fc.property(fc.array(nonsense), fc.array(nonsense), (before, after) => {
      const text = [...before, 'event:BeforeTool', ...after].join(' ');
      expect(rows.filter(compileFilter(parseFilter(text)))).toEqual([rows[0]]);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(() => rows.filter(compileFilter(parseFilter(text)))).not.toThrow();
    }),
  );
});

test('a pattern of many stars takes no longer than the text is long', () => {
  const test = compileFilter(parseFilter(`event:${'*a'.repeat(2_000)}b`));
  expect(test(rowOf({ event: 'a'.repeat(100_000) }))).toBe(false);
});

function withoutUndefined<Fields extends object>(fields: Fields): { [Key in keyof Fields]: Exclude<Fields[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
