import { appendContext, createRefusedResult, replaceResult, type ToolResult, toToolResponse } from '../../src/tool/tool-result.js';

/** What a host shows that keeps to the interface. */
const shownBy = ({ returnDisplay, llmContent }: ToolResult) => returnDisplay ?? llmContent;

test('a refusal is reported to the model and the user, and is an error', () => {
  expect(createRefusedResult('no')).toEqual({ llmContent: 'no', returnDisplay: 'no', error: { message: 'no' } });
});

describe('appendContext', () => {
  test('without texts it is the very result', () => {
    const result = { llmContent: 'a' };
    expect(appendContext(result, [])).toBe(result);
  });

  test.each<[unknown, unknown]>([
    ['a', 'a\n\nx\ny'],
    ['', 'x\ny'],
    [undefined, 'x\ny'],
    [null, 'x\ny'],
    [[], ['x\ny']],
    [['a'], ['a', 'x\ny']],
    [[{ text: 'a' }], [{ text: 'a' }, { text: 'x\ny' }]],
    [
      ['a', { text: 'b' }],
      ['a', { text: 'b' }, { text: 'x\ny' }],
    ],
    [{ functionResponse: {} }, [{ functionResponse: {} }, { text: 'x\ny' }]],
    [
      [{ type: 'text', text: 'a' }],
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'x\ny' },
      ],
    ],
    [[null], [null, { text: 'x\ny' }]],
    [7, [7, { text: 'x\ny' }]],
  ])('behind %j', (llmContent, expected) => {
    const result = Object.freeze({ llmContent });
    const extended = appendContext(result, ['x', 'y']);
    expect(extended.llmContent).toEqual(expected);
    expect(shownBy(extended)).toEqual(llmContent ?? '');
  });

  test('display, error and fields of the host stay', () => {
    const result = { llmContent: 'a', returnDisplay: 'shown', error: { code: 1 }, metrics: { ms: 3 } };
    expect(appendContext(result, ['x'])).toEqual({ ...result, llmContent: 'a\n\nx' });
  });
});

test('hooks see what is there, and an Error as its message', () => {
  const shown = (result: ToolResult) => toToolResponse(result).response;
  expect(shown({ llmContent: 'a' })).toEqual({ llmContent: 'a' });
  expect(shown({ llmContent: undefined, returnDisplay: undefined })).toEqual({});
  expect(shown({ llmContent: null, returnDisplay: '', error: 'e' })).toEqual({ llmContent: null, returnDisplay: '', error: 'e' });
  expect(shown({ llmContent: '', error: new TypeError('t') })).toEqual({ llmContent: '', error: { message: 't' } });
  expect(toToolResponse({ llmContent: [new Blob(['a'])], error: { a: Promise.resolve() } }).problems).toEqual([
    'llmContent[0] is a Blob, which cannot be shown to hooks',
    'error.a is a Promise, which cannot be shown to hooks',
  ]);
});

describe('replaceResult', () => {
  const original = { llmContent: 'secret', returnDisplay: 'secret', error: 'secret' };

  test('a text is what both see', () => {
    expect(replaceResult({ llmContent: 'secret', returnDisplay: 'secret' }, 'x')).toEqual({ llmContent: 'x', returnDisplay: 'x' });
  });

  test('of a whole response nothing else is taken from the original', () => {
    expect(replaceResult(original, { llmContent: 'x' })).toEqual({ llmContent: 'x' });
    expect(replaceResult(original, { llmContent: 'x', returnDisplay: 'y', error: 'z' })).toEqual({
      llmContent: 'x',
      returnDisplay: 'y',
      error: 'z',
    });
    expect(JSON.stringify(replaceResult(original, {}))).not.toContain('secret');
  });
});
