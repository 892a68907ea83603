import { refusedResult, replacedResult, type ToolResult, toolResponseOf, withContext } from '../../src/tool/tool-result.js';

/** What a host shows that keeps to the interface. */
const shownBy = ({ returnDisplay, llmContent }: ToolResult) => returnDisplay ?? llmContent;

test('a refusal is told to model and user, and is an error', () => {
  expect(refusedResult('no')).toEqual({ llmContent: 'no', returnDisplay: 'no', error: { message: 'no' } });
});

describe('withContext', () => {
  test('without texts it is the very result', () => {
    const result = { llmContent: 'a' };
    expect(withContext(result, [])).toBe(result);
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
    const extended = withContext(result, ['x', 'y']);
    expect(extended.llmContent).toEqual(expected);
    expect(shownBy(extended)).toEqual(llmContent ?? '');
  });

  test('display, error and fields of the host stay', () => {
    const result = { llmContent: 'a', returnDisplay: 'shown', error: { code: 1 }, metrics: { ms: 3 } };
    expect(withContext(result, ['x'])).toEqual({ ...result, llmContent: 'a\n\nx' });
  });
});

test('hooks see what is there, and an Error as its message', () => {
  expect(toolResponseOf({ llmContent: 'a' })).toEqual({ llmContent: 'a' });
  expect(toolResponseOf({ llmContent: undefined, returnDisplay: undefined })).toEqual({});
  expect(toolResponseOf({ llmContent: null, returnDisplay: '', error: 'e' })).toEqual({ llmContent: null, returnDisplay: '', error: 'e' });
  expect(toolResponseOf({ llmContent: '', error: new TypeError('t') })).toEqual({ llmContent: '', error: { message: 't' } });
});

describe('replacedResult', () => {
  const original = { llmContent: 'secret', returnDisplay: 'secret', error: 'secret' };

  test('a text is what both see', () => {
    expect(replacedResult({ llmContent: 'secret', returnDisplay: 'secret' }, 'x')).toEqual({ llmContent: 'x', returnDisplay: 'x' });
  });

  test('of a whole response nothing else is taken from the original', () => {
    expect(replacedResult(original, { llmContent: 'x' })).toEqual({ llmContent: 'x' });
    expect(replacedResult(original, { llmContent: 'x', returnDisplay: 'y', error: 'z' })).toEqual({
      llmContent: 'x',
      returnDisplay: 'y',
      error: 'z',
    });
    expect(JSON.stringify(replacedResult(original, {}))).not.toContain('secret');
  });
});
