import type { Verdict } from '@tenterhook/protocol';
import { createPaint, plainPaint } from '../../../src/output/terminal/palette.js';
import { renderVerdict } from '../../../src/output/timeline/verdict-line.js';
import { verdict } from './samples.js';

const plain = { width: 80, paint: plainPaint, labelOf: (hookId: string) => hookId, hasRun: true };

const table: Record<string, [fields: Partial<Verdict>, lines: string[]]> = {
  'nobody decided': [{}, ['  → none: no hook decided']],
  'an allow without a reason': [{ kind: 'allow', by: ['a'] }, ['  → allow by a']],
  'a deny of two, with a reason each': [
    { kind: 'deny', by: ['a', 'b'], reason: 'not here\nnot now' },
    ['  → deny by a, b: not here · not now'],
  ],
  'an ask': [{ kind: 'ask', by: ['a'], reason: 'sure?' }, ['  → ask by a: sure?']],
  'a deny that may be tried again': [
    { kind: 'deny', by: ['a'], reason: 'busy', retryAfterMs: 1500 },
    ['  → deny by a: busy (may be tried again in 1.50 s)'],
  ],
  'a stop alone': [{ stop: true, stoppedBy: ['a'], stopReason: 'budget' }, ['  → stop by a: budget']],
  'a stop beside an allow': [
    { kind: 'allow', by: ['a'], stop: true, stoppedBy: ['b'], stopReason: 'budget' },
    ['  → allow by a', '  → stop by b: budget'],
  ],
  'a long reason goes on below': [
    { kind: 'deny', by: ['a'], reason: 'word '.repeat(20).trim() },
    [`  → deny by a: ${'word '.repeat(13).trim()}`, `    ${'word '.repeat(7).trim()}`],
  ],
};

test.each(Object.entries(table))('%s', (_, [fields, lines]) => {
  expect(renderVerdict(verdict(fields), plain)).toEqual(lines);
});

test('an endless reason ends', () => {
  expect(renderVerdict(verdict({ kind: 'deny', by: ['a'], reason: 'x'.repeat(1e6) }), plain).join('').length).toBeLessThan(400);
});

test('each kind has its colour, and the reason has none', () => {
  const line = (fields: Partial<Verdict>) => renderVerdict(verdict(fields), { ...plain, paint: createPaint(true) })[0];
  expect(line({ kind: 'deny', by: ['a'], reason: 'r' })).toBe('  \x1b[2m→\x1b[22m \x1b[31mdeny\x1b[39m by a: r');
  expect(line({ kind: 'ask', by: ['a'] })).toContain('\x1b[33mask\x1b[39m');
  expect(line({ kind: 'allow', by: ['a'] })).toContain('\x1b[32mallow\x1b[39m');
  expect(line({})).toBe('  \x1b[2m→ none: no hook decided\x1b[22m');
});
