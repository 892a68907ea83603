import {
  appendContext,
  createRefusedResult,
  createWithheldResult,
  reasonIn,
  replaceResult,
  showResult,
  type ToolResult,
} from '../../src/tool/tool-result.js';

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
  const shown = (result: ToolResult) => showResult(result).response;
  expect(shown({ llmContent: 'a' })).toEqual({ llmContent: 'a' });
  expect(shown({ llmContent: undefined, returnDisplay: undefined })).toEqual({});
  expect(shown({ llmContent: null, returnDisplay: '', error: 'e' })).toEqual({ llmContent: null, returnDisplay: '', error: 'e' });
  expect(shown({ llmContent: '', error: new TypeError('t') })).toEqual({ llmContent: '', error: { message: 't' } });
  expect(showResult({ llmContent: 'a' })).toEqual({ response: { llmContent: 'a' }, unshown: undefined, details: undefined });
  const { unshown, details } = showResult({ llmContent: [new Blob(['a']), new Blob(['b'])], error: { a: Promise.resolve() } });
  expect(unshown).toBe('llmContent contains a value that only code can read; error contains a value that only code can read');
  const of = (place: string, kind: string) => `${place}: A ${kind} cannot be shown to hooks.`;
  expect(details).toBe([of('llmContent[0]', 'Blob'), of('llmContent[1]', 'Blob'), of('error.a', 'Promise')].join(' '));
});

describe('replaceResult', () => {
  const original = { llmContent: 'secret', returnDisplay: 'secret', error: 'secret' };

  test('a text is what both see', () => {
    expect(replaceResult({ llmContent: 'secret', returnDisplay: 'secret' }, 'x')).toEqual({ llmContent: 'x', returnDisplay: 'x' });
  });

  test('after a text, only that there was an error is kept', () => {
    const failed = { ...original, exit_code: 1, log: 'secret' };
    const replaced = { llmContent: 'x', returnDisplay: 'x', error: { message: 'x' } };
    expect(replaceResult(failed, 'x')).toEqual(replaced);
    expect(replaceResult({ ...failed, error: null }, 'x')).toEqual({ llmContent: 'x', returnDisplay: 'x' });
    expect(createWithheldResult('t', 'why', { llmContent: 'secret' })).not.toHaveProperty('error');
    const { llmContent, error } = createWithheldResult('t', 'why', failed);
    expect([llmContent, error]).toEqual([expect.stringMatching(/^t ran.*withheld.*why$/), { message: llmContent }]);
  });

  test.each<[unknown, string]>([
    [{ llmContent: 'a', error: { message: 'm' } }, 'm'],
    [{ llmContent: 'a', error: 'm' }, 'm'],
    [{ llmContent: 'a', error: { code: 1 } }, 'a'],
    [{ llmContent: 'a' }, 'a'],
    [{ llmContent: [{ text: 'a' }] }, 't failed.'],
    [{ llmContent: '' }, 't failed.'],
  ])('the reason of a failure that was replaced by %j is its own', (result, reason) => {
    expect(reasonIn('t', result as ToolResult)).toBe(reason);
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
