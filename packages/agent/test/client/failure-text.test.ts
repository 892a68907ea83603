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
  ['an object without a prototype', Object.create(null), 'a thrown value without text'],
  ['an object that cannot be written', silent, 'a thrown value without text'],
])('%s', (_, thrown, text) => {
  expect(formatThrown(thrown)).toBe(text);
});
