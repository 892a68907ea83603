import { copyPlain } from '../../src/calling/copy-plain.js';

test.each<[string, unknown]>([
  ['plain data', { a: [1, { b: null }], c: 'x', d: undefined, e: true }],
  ['a list with holes', [1, undefined, 3]],
  ['a __proto__ of parsed JSON', JSON.parse('{"__proto__": {"a": [1]}, "b": 1}')],
  ['an object without a prototype', Object.assign(Object.create(null), { a: { b: 1 } })],
  ['a date and a map', { at: new Date(0), map: new Map([[1, { a: 1 }]]) }],
  ['a value that is not an object', 7],
])('%s is copied whole, and shares nothing', (_, value) => {
  const copy = copyPlain(value);
  expect(copy).toEqual(value);
  if (typeof value === 'object') expect(copy).not.toBe(value);
});

test('a __proto__ becomes a field, and not a prototype', () => {
  const copy = copyPlain(JSON.parse('{"__proto__": {"isAdmin": true}}')) as Record<string, unknown>;
  expect(Object.hasOwn(copy, '__proto__')).toBe(true);
  expect(copy['isAdmin']).toBeUndefined();
});

test('what cannot be copied is handed on', () => {
  const call = () => 7;
  expect(copyPlain({ call }).call).toBe(call);
});

test('data that holds itself, several times over, is copied with its circles', () => {
  const circle: Record<string, unknown> = { name: 'c' };
  for (const field of ['a', 'b', 'c']) circle[field] = circle;
  circle['list'] = [circle, circle];
  const copy = copyPlain(circle) as { a: { a: unknown }; b: unknown; name: string };
  expect(copy).not.toBe(circle);
  expect([copy.name, copy.a, copy.b]).toEqual(['c', copy, copy]);
});

test('data that is deeper than any stack is not an end of it', () => {
  let deep: unknown = 'end';
  for (let depth = 0; depth < 1000; depth += 1) deep = { deep };
  let copy = copyPlain(deep);
  expect(copy).not.toBe(deep);
  for (let depth = 0; depth < 1000; depth += 1) copy = (copy as { deep: unknown }).deep;
  expect(copy).toBe('end');
});

/** Returns every object that is contained in both the original and the copy. */
function shared(original: unknown, copy: unknown): object[] {
  const objectsOf = (root: unknown) => {
    const found = new Set<object>();
    const open = [root];
    while (open.length > 0) {
      const value = open.pop();
      if (typeof value !== 'object' || value === null || found.has(value)) continue;
      found.add(value);
      open.push(...Object.getOwnPropertyNames(value).map((name) => (value as Record<string, unknown>)[name]));
    }
    return found;
  };
  const copies = objectsOf(copy);
  return [...objectsOf(original)].filter((value) => copies.has(value));
}

function nested(depth: number): unknown {
  let value: unknown = { end: ['x'] };
  for (let each = 0; each < depth; each += 1) value = each % 2 === 0 ? { value } : [value];
  return value;
}

class Session {
  readonly user = { name: 'ann' };
  readonly log = () => this.user;
}

test.each<[string, () => unknown]>([
  ['data 3000 deep', () => nested(3000)],
  ['data 4500 deep', () => nested(4500)],
  [
    'data that holds itself and a function',
    () => {
      const circle: Record<string, unknown> = { call: () => 7, list: [{ a: 1 }] };
      circle['self'] = circle;
      return circle;
    },
  ],
  ['an instance with a function', () => ({ session: new Session(), list: [new Session()] })],
  ['an own __proto__ within what is deep', () => ({ deep: nested(3000), odd: JSON.parse('{"__proto__": {"a": {"b": 1}}}') })],
])('%s shares no object with its copy', (_, make) => {
  const original = make();
  expect(shared(original, copyPlain(original))).toEqual([]);
});
