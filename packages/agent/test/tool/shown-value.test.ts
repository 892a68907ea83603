import { showValue } from '../../src/tool/shown-value.js';

class Answer {
  text = 'a';
}

test.each<[string, unknown, unknown]>([
  ['plain JSON', { a: [1, 'b', null, { c: true }] }, { a: [1, 'b', null, { c: true }] }],
  ['a Map', new Map([['a', new Set([1])]]), { a: [1] }],
  ['primitives in objects', [Object('a'), Object(1), Object(false)], ['a', 1, false]],
  ['a Map with other keys', new Map([[1, 'a']]), [[1, 'a']]],
  ['bytes of a text', new TextEncoder().encode('grün'), 'grün'],
  ['bytes of Node', Buffer.from('a key'), 'a key'],
  ['bytes that are not UTF-8, with the text in them', new Uint8Array([0xff, 0x61, 0xe2, 0x62]), '\ufffda\ufffdb'],
  ['character codes', Uint16Array.from([0x61, 0xd83d, 0xde00]), { numbers: [0x61, 0xd83d, 0xde00], text: 'a😀' }],
  ['integers that are not characters', Int32Array.from([-1, 0x62]), { numbers: [-1, 0x62], text: '\ufffdb' }],
  ['big integers', BigInt64Array.from([0x61n]), { numbers: ['97'], text: 'a' }],
  ['integers in floats', Float64Array.from([0x61]), { numbers: [0x61], text: 'a' }],
  ['a part of a buffer', new Uint8Array(new TextEncoder().encode('abc').buffer, 1, 1), 'b'],
  ['a buffer', new TextEncoder().encode('abc').buffer, 'abc'],
  ['numbers', new Float32Array([1.5, 2]), [1.5, 2]],
  ['numbers that JSON lacks', { size: 5n, of: [Number.NaN, -0] }, { size: '5', of: ['NaN', 0] }],
  ['what JSON leaves out', { a: () => 1, b: [() => 1, undefined], c: undefined, [Symbol('d')]: 1 }, { b: [null, null] }],
  ['an error in it', [Object.assign(new Error('m'), { code: 'e' })], [{ message: 'm', code: 'e' }]],
  [
    'the cause of an error',
    new Error('m', { cause: new Error('c', { cause: 'd' }) }),
    { message: 'm', cause: { message: 'c', cause: 'd' } },
  ],
  ['the errors in an error', new AggregateError([new Error('a')], 'm'), { message: 'm', errors: [{ message: 'a' }] }],
  ['what has a JSON of its own', new Date(0), '1970-01-01T00:00:00.000Z'],
  ['an instance with fields', new Answer(), { text: 'a' }],
  ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
])('%s', (_, value, shown) => {
  expect(showValue(value, 'r')).toStrictEqual({ value: shown, problems: [] });
});

test('the same object twice is not a cycle', () => {
  const part = { text: 'a' };
  expect(showValue([part, part], 'r')).toEqual({ value: [part, part], problems: [] });
});

const cycle: Record<string, unknown> = { a: 1 };
cycle['self'] = [cycle];
const ownCause = new Error('m');
ownCause.cause = ownCause;
const deep = Array.from({ length: 2000 }).reduce<unknown>((inside) => [inside], 'a');
const unreadable = Object.defineProperty({}, 'a', {
  enumerable: true,
  get: () => {
    throw new Error('no');
  },
});

test.each<[string, unknown, string, string]>([
  ['a cycle', cycle, 'contains itself', 'r.self[0]: It contains itself.'],
  ['an error that is its own cause', ownCause, 'contains itself', 'r.cause: It contains itself.'],
  ['a Blob', { a: new Blob(['b']) }, 'contains a value that only code can read', 'r.a: A Blob cannot be shown to hooks.'],
  ['a promise', Promise.resolve('a'), 'contains a value that only code can read', 'r: A Promise cannot be shown to hooks.'],
  ['a regular expression', [/a/], 'contains a value that only code can read', 'r[0]: A RegExp cannot be shown to hooks.'],
  ['deeper than 200 levels', deep, 'is nested deeper than 200 levels', 'r[0][0][0][0][0][0][0]: It is nested deeper than 200 levels.'],
  ['a getter that throws', unreadable, 'cannot be read', 'r: It cannot be read.'],
])('%s is a problem, with its path', (_, value, kind, detail) => {
  expect(showValue(value, 'r').problems).toEqual([{ kind, detail }]);
});
