import { withFields } from '../../src/translators/fields.js';
import { frozen } from './freeze.js';

class Response {
  parts: string[] = ['a'];

  get text(): string {
    return this.parts.join('');
  }
}

test('the very same object when it has all the values, and when there is nothing to take away', () => {
  const value = frozen({ a: 1, b: undefined });
  expect(withFields(value, { a: 1, b: undefined, c: undefined })).toBe(value);
  expect(withFields(value, {})).toBe(value);
});

test('a copy otherwise: changed, added, taken away, in the order of the original', () => {
  const value = frozen({ a: 1, b: 2, c: 3 });
  expect(Object.entries(withFields(value, { b: 5, a: undefined, d: 4 }))).toEqual([
    ['b', 5],
    ['c', 3],
    ['d', 4],
  ]);
});

test('the class, its getters and a hidden field stay; the copy of a frozen object can be changed', () => {
  const response = new Response();
  Object.defineProperty(response, '_request_id', { value: 'r', enumerable: false });
  const copy = withFields(frozen(response), { parts: ['a', 'b'] });
  expect(copy).toBeInstanceOf(Response);
  expect(copy.text).toBe('ab');
  expect(copy).toHaveProperty('_request_id', 'r');
  expect(Object.keys(copy)).toEqual(['parts']);
  copy.parts = [];
  expect(copy.text).toBe('');
});
