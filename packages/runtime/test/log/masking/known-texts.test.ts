import { remembered } from '../../../src/log/masking/known-texts.js';

test('a short text is tested once, a long one each time, and an answer that must not stay is not kept', () => {
  const found: string[] = [];
  const find = remembered(
    (text: string) => {
      found.push(text);
      return text.replace('secret', '***');
    },
    (answer, text) => answer === text,
  );
  const long = 'x'.repeat(300);
  for (const text of ['hook', 'hook', 'a secret', 'a secret', long, long]) expect(find(text)).toBe(text.replace('secret', '***'));
  expect(found).toEqual(['hook', 'a secret', 'a secret', long, long]);
});

test('the number of texts that are kept is limited', () => {
  let calls = 0;
  const find = remembered(() => {
    calls += 1;
    return calls;
  });
  for (let index = 0; index < 10_000; index += 1) find(`text ${index}`);
  find('text 0');
  find('text 9999');
  expect(calls).toBe(10_001);
});
