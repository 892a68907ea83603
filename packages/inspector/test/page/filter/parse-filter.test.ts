import fc from 'fast-check';
import { formatTerm, parseDurationBound, parseFilter } from '../../../page/filter/parse-filter.js';

test.each([
  ['', []],
  ['event:BeforeTool', [{ key: 'event', value: 'BeforeTool', isNegated: false }]],
  ['-hook:guard', [{ key: 'hook', value: 'guard', isNegated: true }]],
  [
    'tool:a,b',
    [
      { key: 'tool', value: 'a', isNegated: false },
      { key: 'tool', value: 'b', isNegated: false },
    ],
  ],
  ['hook:"my, guard"', [{ key: 'hook', value: 'my, guard', isNegated: false }]],
  [
    'two words',
    [
      { key: 'text', value: 'two', isNegated: false },
      { key: 'text', value: 'words', isNegated: false },
    ],
  ],
  ['"two words"', [{ key: 'text', value: 'two words', isNegated: false }]],
  ['"event:not a key"', [{ key: 'text', value: 'event:not a key', isNegated: false }]],
  ['colour:red', [{ key: 'text', value: 'colour:red', isNegated: false }]],
  ['-', [{ key: 'text', value: '-', isNegated: false }]],
  ['""', []],
])('%j is read', (text, terms) => {
  expect(parseFilter(text)).toEqual({ terms, problems: [] });
});

test.each([
  ['event:', '"event:" has no value and is ignored.'],
  ['slow:fast', '"slow:fast" is ignored. It must be a duration. Write slow:>200ms.'],
  ['is:odd', '"is:odd" is ignored. It must be late, idle, running, failed or stopped.'],
])('%j is ignored with a sentence', (text, problem) => {
  expect(parseFilter(text)).toEqual({ terms: [], problems: [problem] });
});

test.each([
  ['>200ms', { compare: '>', ms: 200 }],
  ['<=1.5s', { compare: '<=', ms: 1500 }],
  ['2m', { compare: '>=', ms: 120_000 }],
  ['250', { compare: '>=', ms: 250 }],
  ['>', undefined],
  ['1h', undefined],
])('the duration %s', (text, bound) => {
  expect(parseDurationBound(text)).toEqual(bound);
});

test('a filter that was written again means the same, and no text is refused', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { terms } = parseFilter(text);
      expect(parseFilter(terms.map(formatTerm).join(' ')).terms).toEqual(terms);
    }),
    { numRuns: 1000 },
  );
});
