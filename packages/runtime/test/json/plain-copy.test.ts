import { copyPlainJson } from '../../src/json/index.js';

const shared = { a: 1 };
const cycle: Record<string, unknown> = { a: [] };
cycle['b'] = { again: cycle };
const deep = Array.from({ length: 5000 }).reduce<unknown>((inside) => [inside], 'a');

class Point {
  x = 1;
  get y() {
    return 2;
  }
}

/** What a value is must not be read from its prototype. */
const plain = (value: object) => Object.setPrototypeOf(value, Object.prototype);

test.each<[string, unknown, unknown]>([
  ['plain JSON', { a: [1, 'b', null, { c: true }] }, { a: [1, 'b', null, { c: true }] }],
  ['the same object twice', [shared, { shared }], [{ a: 1 }, { shared: { a: 1 } }]],
  ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ['fields that are undefined', { a: undefined, b: 1 }, { b: 1 }],
  ['fields that JSON does not write', Object.defineProperty({ [Symbol('a')]: 1, b: 2 }, 'c', { value: 3 }), { b: 2 }],
  ['an instance with fields', new Point(), { x: 1 }],
  ['a list with another prototype', plain([1, 2]), [1, 2]],
])('%s is copied as JSON shows it', (_, value, copy) => {
  const copied = copyPlainJson(value);
  expect(copied).toEqual({ ok: true, value: copy });
  expect(JSON.stringify(copied.ok && copied.value)).toBe(JSON.stringify(copy));
  expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
});

test('a key __proto__ stays a key, and minus zero becomes zero, as in JSON', () => {
  expect(JSON.stringify(copyPlainJson(JSON.parse('{"__proto__":{"a":1}}')))).toBe('{"ok":true,"value":{"__proto__":{"a":1}}}');
  expect(copyPlainJson([-0])).toEqual({ ok: true, value: [0] });
});

test('a list whose length grows with each read is copied up to its first length', () => {
  let length = 1;
  const growing = new Proxy([1], {
    get: (_, key) => {
      if (key !== 'length') return 1;
      length += 1;
      if (length > 100) throw new Error('read too often');
      return length;
    },
  });
  expect(copyPlainJson(growing)).toEqual({ ok: true, value: [1, 1] });
});

test('200 levels are copied', () => {
  const list = JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`);
  expect(JSON.stringify(copyPlainJson(list))).toBe(JSON.stringify({ ok: true, value: list }));
});

test('each field is read once, so that an accessor cannot show another value later', () => {
  let reads = 0;
  const changing = {
    get command() {
      reads += 1;
      return reads === 1 ? 'ls' : 'rm -rf /';
    },
  };
  expect(copyPlainJson(changing)).toEqual({ ok: true, value: { command: 'ls' } });
  expect(reads).toBe(1);
});

const throwing = Object.defineProperty({}, 'b', {
  enumerable: true,
  get: () => {
    throw new Error('not me');
  },
});
const unlistable = new Proxy(
  {},
  {
    ownKeys: () => {
      throw new Error('not these');
    },
  },
);

test.each<[string, unknown, string, RegExp]>([
  ['an infinite number', { a: { n: Number.POSITIVE_INFINITY } }, 'a.n', /^The number Infinity .*finite/],
  ['not a number', [Number.NaN], '[0]', /^The number NaN /],
  ['a BigInt', { a: [1, { n: 5n }] }, 'a[1].n', /^A BigInt \(5n\) cannot be written as JSON\. Send a number or a string\.$/],
  ['a function', { f: () => 1 }, 'f', /^A function /],
  ['a symbol', [Symbol('a')], '[0]', /^A symbol /],
  ['an undefined item', ['a', undefined], '[1]', /^An undefined value .*null/],
  ['nothing', undefined, '', /^An undefined value /],
  ['a hole', new Array(1), '[0]', /^An undefined value /],
  ['a Map', { args: new Map([['a', 1]]) }, 'args', /^A Map .*Send a plain object\.$/],
  ['a Map with a field', Object.assign(new Map(), { a: 1 }), '', /^A Map /],
  ['a Set', new Set(['a']), '', /^A Set .*Send a list\.$/],
  ['bytes', { command: new Uint8Array([1]) }, 'command', /^A Uint8Array .*Send a text/],
  ['bytes of Node', Buffer.from('a'), '', /^A Buffer /],
  ['a buffer', new ArrayBuffer(2), '', /^An ArrayBuffer /],
  ['an error', Object.assign(new TypeError('m'), { code: 1 }), '', /^A TypeError .*Send its message\.$/],
  ['a date', { at: new Date(0) }, 'at', /^A Date .*toJSON/],
  ['an own toJSON', { command: 'rm', toJSON: () => 'ls' }, '', /^An Object .*toJSON/],
  ['a list with a toJSON', Object.assign(['rm'], { toJSON: () => 'ls' }), '', /^An Array .*toJSON/],
  ['an error with another prototype', plain(new Error('m')), '', /^An Object .*Send its message\.$/],
  ['bytes with another prototype', plain(new Uint8Array(1)), '', /^An Object .*Send a text/],
  ['a text in an object', new String('a'), '', /^A String .*Send the value itself\.$/],
  ['a text in an object with another prototype', plain(new String('a')), '', /^An Object .*Send the value itself\.$/],
  ['a number in an object', Object(1), '', /^A Number /],
  ['a regular expression', /a/, '', /^A RegExp .*Send plain JSON\.$/],
  ['a Blob', new Blob(['a']), '', /^A Blob /],
  ['a promise', Promise.resolve(), '', /^A Promise /],
  ['a cycle', cycle, 'b.again', /contains itself/],
  ['more than 200 levels', deep, '[0][0][0][0][0][0][0][0]', /deeper than 200 levels/],
  ['a getter that throws', { a: throwing }, 'a.b', /reading it failed: not me/],
  ['an object whose keys cannot be read', { a: unlistable }, 'a', /reading it failed: not these/],
])('%s is refused with its path', (_, value, path, message) => {
  expect(copyPlainJson(value)).toEqual({ ok: false, path, message: expect.stringMatching(message) });
});

test('the path begins with the given keys, and is bounded', () => {
  expect(copyPlainJson({ a: 1n }, ['tool_input'])).toMatchObject({ path: 'tool_input.a' });
  const copied = copyPlainJson({ ['k'.repeat(100_000)]: 10n ** 5000n });
  expect(JSON.stringify(copied).length).toBeLessThan(1000);
});
