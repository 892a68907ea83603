import fc from 'fast-check';
import { applySgr, classesOf } from '../../../page/texts/sgr-style.js';
import { styledSpans } from '../../../page/texts/styled-spans.js';
import { visibleLine, visiblePieces } from '../../../page/texts/visible-text.js';

test.each([
  [
    '\u001b[1;31mno\u001b[0m yes',
    [
      ['no', 'sgr-colour-1 sgr-bold'],
      [' yes', ''],
    ],
  ],
  ['\u001b[38;5;196mred', [['red', 'sgr-colour-1']]],
  ['\u001b[48;2;0;0;255mblue', [['blue', 'sgr-back-12']]],
  [
    '\u001b[2Jgone',
    [
      ['\\x1b', 'escape'],
      ['[2Jgone', ''],
    ],
  ],
  [
    '\u001b]8;;x:y\u0007link\u001b]8;;\u0007',
    [
      ['\\x1b', 'escape'],
      [']8;;x:y', ''],
      ['\\x07', 'escape'],
      ['link', ''],
      ['\\x1b', 'escape'],
      [']8;;', ''],
      ['\\x07', 'escape'],
    ],
  ],
  [
    'a\u202eb\u200b',
    [
      ['a', ''],
      ['\\u202e', 'escape'],
      ['b', ''],
      ['\\u200b', 'escape'],
    ],
  ],
  [
    'one\n\ttwo\r\n',
    [
      ['one\n\ttwo', ''],
      ['\\r', 'escape'],
      ['\n', ''],
    ],
  ],
  ['<img onerror=x>', [['<img onerror=x>', '']]],
  ['\\x1b as text', [['\\x1b as text', '']]],
])('%j is shown as spans', (text, spans) => {
  expect(styledSpans(text).map(({ text: shown, classes }) => [shown, classes])).toEqual(spans);
});

test('no span has a character that is not visible, and nothing that was printed is lost', () => {
  const piece = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\u001b[31m', '\u001b[999;1;m', '\u001b[', '\0', '\u202e', '\r\n'));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join('');
      const spans = styledSpans(text);
      for (const { text: shown } of spans) expect(shown.replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      const plain = text.replace(/\u001b\[[0-9;:]{0,64}m/g, '');
      expect(spans.map((span) => span.text).join('')).toBe(
        visiblePieces(plain)
          .map((one) => one.text)
          .join(''),
      );
    }),
    { numRuns: 500 },
  );
});

test('a text of nothing but sequences has a bounded number of spans, and is shown whole', () => {
  const spans = styledSpans('\u001b[31ma\u001b[32mb'.repeat(100_000));
  expect(spans.length).toBeLessThan(5_010);
  expect(spans.at(-1)?.text).toContain('\\x1b[31ma');
});

test('sequences add up, and are taken back one by one', () => {
  const style = applySgr(applySgr({}, '1;2;3;4;7;9;33;103'), '22;24;39');
  expect(classesOf(style)).toBe('sgr-back-11 sgr-italic sgr-inverse sgr-strike');
  expect(applySgr(style, '')).toEqual({});
});

test('a line has no line break, and is cut', () => {
  expect(visibleLine('a\nb\u202e')).toBe('a\\nb\\u202e');
  expect(visibleLine('x'.repeat(300), 10)).toBe(`${'x'.repeat(9)}…`);
});
