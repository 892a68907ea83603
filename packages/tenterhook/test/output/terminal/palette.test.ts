import { createPaint, hasColours } from '../../../src/output/terminal/palette.js';

const table: Record<string, [isTTY: boolean, env: NodeJS.ProcessEnv, expected: boolean]> = {
  'a terminal has colours': [true, {}, true],
  'a file or a pipe has none': [false, {}, false],
  'NO_COLOR takes them away': [true, { NO_COLOR: '1' }, false],
  'an empty NO_COLOR is not set': [true, { NO_COLOR: '' }, true],
  'a dumb terminal has none': [true, { TERM: 'dumb' }, false],
  'FORCE_COLOR gives them to a pipe': [false, { FORCE_COLOR: '1' }, true],
  'FORCE_COLOR outranks NO_COLOR': [true, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  'FORCE_COLOR=0 takes them away': [true, { FORCE_COLOR: '0' }, false],
};

test.each(Object.entries(table))('%s', (_, [isTTY, env, expected]) => {
  expect(hasColours({ isTTY }, env)).toBe(expected);
});

test('paints, or leaves the text as it is', () => {
  expect(createPaint(true)('red', 'no')).toBe('\x1b[31mno\x1b[39m');
  expect(createPaint(true)('plain', 'no')).toBe('no');
  expect(createPaint(true)('red', '')).toBe('');
  expect(createPaint(false)('red', 'no')).toBe('no');
});
