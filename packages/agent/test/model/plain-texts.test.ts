import { withPlainTexts } from '../../src/model/plain-texts.js';

class Answer {
  readonly #id = 'a';
  parts: unknown[] = [{ text: Object('b') }];
  get id() {
    return this.#id;
  }
}

test('what has only strings stays the same object, with all that is not JSON', () => {
  const request = {
    contents: [{ parts: [{ text: 'a' }, { data: new Uint8Array([1]), url: new URL('https://a.b'), at: new Date(0) }] }],
    signal: new AbortController().signal,
    run: () => 1,
    self: undefined as unknown,
  };
  request.self = request;
  expect(withPlainTexts(request)).toBe(request);
  const text = 'a';
  expect(withPlainTexts(text)).toBe(text);
});

test('objects around texts become texts; their neighbours stay the same objects', () => {
  const other = { text: 'c' };
  const parts = [{ text: Object('a') }, { text: { toJSON: () => Object('b') } }, other];
  const read = withPlainTexts({ contents: parts });
  expect(read).toEqual({ contents: [{ text: 'a' }, { text: 'b' }, other] });
  expect(read.contents[2]).toBe(other);
  expect(parts[0]!.text).not.toBe('a');
});

test('an instance is read if it is the whole, and keeps its class', () => {
  const read = withPlainTexts(new Answer());
  expect([read instanceof Answer, read.parts]).toEqual([true, [{ text: 'b' }]]);
  const inner = { answer: new Answer() };
  expect(withPlainTexts(inner)).toBe(inner);
});

test('an object whose JSON is another object stays', () => {
  const message = Object.assign(new Answer(), { parts: [], toJSON: () => ({ stored: true }) });
  const request = { messages: [message] };
  expect(withPlainTexts(request)).toBe(request);
  expect(withPlainTexts(message)).toBe(message);
});

test('what throws when it is read stays', () => {
  const throwing = {
    toJSON: () => {
      throw new Error('no');
    },
  };
  expect(withPlainTexts({ a: throwing, b: Object('c') })).toEqual({ a: throwing, b: 'c' });
});
