import { formatThrown } from '../../src/client/failure-text.js';

const silent = {
  toString() {
    throw new Error('x');
  },
};

test.each<[string, unknown, string]>([
  ['an error', new Error('broke'), 'broke'],
  ['an error without a message', new TypeError(''), 'TypeError'],
  ['a text', 'broke', 'broke'],
  ['nothing', undefined, 'undefined'],
  ['an object without a prototype', Object.create(null), 'something was thrown that has no text'],
  ['an object that cannot be written', silent, 'something was thrown that has no text'],
])('%s', (_, thrown, text) => {
  expect(formatThrown(thrown)).toBe(text);
});
