import { type FinishReasons, settleFinishReason, showFinishReason } from '../../src/translators/hook-response.js';

const reasons: FinishReasons = {
  shown: new Map([
    ['done', 'STOP'],
    ['tools', 'STOP'],
    ['full', 'MAX_TOKENS'],
  ]),
  native: new Map([['MAX_TOKENS', 'full']]),
  complete: 'done',
  calls: ['tools', 'older word'],
};

test.each([
  ['one of the list', 'full', 'MAX_TOKENS'],
  ['one that is not in it', 'new reason', 'OTHER'],
  ['none', null, undefined],
])('hooks are shown %s', (_, reason, shown) => {
  expect(showFinishReason(reasons, reason)).toBe(shown);
});

test.each<[sentence: string, returned: string | undefined, original: unknown, hasCalls: boolean, expected: unknown]>([
  ['the original stays where none came back', undefined, 'full', false, 'full'],
  ['the original stays where the shown one came back, whatever is in the list', 'OTHER', 'new reason', false, 'new reason'],
  ['no reason stays none', undefined, null, false, null],
  ['a changed one is written in the words of the SDK', 'MAX_TOKENS', 'done', false, 'full'],
  ['one that the SDK has no word for is the end of an answer', 'RECITATION', 'full', false, 'done'],
  ['an answer with calls ends in calls', undefined, 'done', true, 'tools'],
  ['an older word for calls becomes the current one', undefined, 'older word', true, 'tools'],
  ['a reason that is not an end stays beside calls', undefined, 'full', true, 'full'],
  ['calls that were taken away are not promised', undefined, 'tools', false, 'done'],
  ['calls that were taken away are not promised in the older word', 'STOP', 'older word', false, 'done'],
])('%s', (_, returned, original, hasCalls, expected) => {
  expect(settleFinishReason(reasons, returned, original, hasCalls)).toBe(expected);
});
