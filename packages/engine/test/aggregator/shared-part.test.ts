import { isOwnText, sharedPart } from '../../src/aggregator/shared-part.js';

describe('texts', () => {
  const cases: readonly [string, string, string][] = [
    ['use [X] and pw', 'use [X] and [Y]', 'use [X] and [removed]'],
    ['a pw-1 b pw-2 c', 'a [Y] b [Z] c', 'a [removed] b [removed] c'],
    ['one\ntwo pw\nthree', 'one\n[two words less]\nthree', 'one\n[removed]\nthree'],
    ['one\ntwo\nthree', 'one\nthree', 'one\n[removed]three'],
    ['all of it', 'something else', '[removed]'],
    ['all of it', '', ''],
    ['use [X]', 'use [X]\nHint: run the tests', 'use [X]'],
    ['use [X]', 'please, please use [X]', 'use [X]'],
    ['pw pw', 'pw', 'pw[removed]'],
    ['pwpw', 'pw', '[removed]'],
  ];

  test.each(cases)('%j and %j share %j', (first, second, common) => {
    expect(sharedPart(first, second)).toBe(common);
  });

  test('what was taken out may begin and end like what is in its place: no part of a word stays', () => {
    expect(sharedPart('key=R2xD;', 'key=REDACTED;')).toBe('key=[removed];');
    expect(sharedPart('é🙂é', 'é🙃é')).toBe('[removed]');
  });

  test('a long text is read once', () => {
    const text = 'a'.repeat(1_000_000);
    expect(sharedPart(`${text}secret${text}`, `${text}${text}`)).toBe('[removed]');
  });
});

describe('results and model data', () => {
  test('fields that one of them lacks are left out', () => {
    const kept = { llmContent: 'use [X]', returnDisplay: 'use [X]', exit_code: 1 };
    expect(sharedPart(kept, { llmContent: 'use [X]', error: 'sk-one', exit_code: 2 })).toEqual({ llmContent: 'use [X]', exit_code: 1 });
    expect(sharedPart(kept, 'sk-one')).toBe('[removed]');
    expect(sharedPart({ llmContent: [{ text: 'a' }] }, { llmContent: 'sk-one' })).toEqual({ llmContent: [] });
    expect(sharedPart({ error: { message: 'use [X]' } }, { error: 'sk-one' })).toEqual({ error: '[removed]' });
  });

  test('messages are compared with their counterparts, whatever was added', () => {
    const message = (content: string, role = 'user') => ({ role, content });
    const kept = [message('be kind', 'system'), message('use [X]'), message('and pw')];
    expect(sharedPart(kept, [message('sk-one'), ...kept])).toEqual(kept);
    expect(sharedPart(kept, [kept[0], kept[1], message('and [Y]', 'model')])).toEqual([kept[0], kept[1], message('and [removed]')]);
    expect(sharedPart(kept, [kept[2]])).toEqual([kept[2]]);
    expect(sharedPart([kept[0], kept[0]], [kept[0]])).toEqual([kept[0]]);
  });
});

test('a text of its own has nothing of the data', () => {
  const data = { llmContent: 'use [X] and pw', returnDisplay: 'use [X] and pw' };
  expect(isOwnText({ llmContent: 'removed: customer data' }, data)).toBe(true);
  expect(isOwnText({ llmContent: '', candidates: [] }, { llmContent: 'a', candidates: [1] })).toBe(true);
  expect(isOwnText({ llmContent: 'use [X] and [Y]' }, data)).toBe(false);
  expect(isOwnText('found: pw', data)).toBe(false);
  expect(isOwnText({ messages: [{ role: 'user', content: 'no' }] }, { messages: [{ role: 'user', content: 'pw' }] })).toBe(true);
});
