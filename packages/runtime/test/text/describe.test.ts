import { sentence } from '../../src/text/describe.js';

test.each([
  ['it failed', 'it failed.'],
  ['it failed.', 'it failed.'],
  ['why?', 'why?'],
  ['no!', 'no!'],
  ['cut off…', 'cut off…'],
  ['', '.'],
])('%p ends as %p', (text, expected) => {
  expect(sentence(text)).toBe(expected);
});
