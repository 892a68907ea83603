import { escapeUnseen } from '../../src/text/escape-unseen.js';

test.each([
  ['letters of all scripts', 'Gruß 東京 😀', 'Gruß 東京 😀'],
  ['control characters', 'a\u001b[2J\u009b\u007f\n', 'a\\u001b[2J\\u009b\\u007f\\u000a'],
  ['what reverses or hides text', '\u202e\u2066\u200b\ufeff', '\\u202e\\u2066\\u200b\\ufeff'],
  ['foreign line ends', '\u2028\u2029', '\\u2028\\u2029'],
  ['invisible tags', '\u{e0041}', '\\udb40\\udc41'],
  ['what has no shape', '\u3164\u115f\u1160\uffa0\u034f\u180b', '\\u3164\\u115f\\u1160\\uffa0\\u034f\\u180b'],
  ['the form of an emoji, once and after it', '⚠\ufe0f 1\ufe0f\u20e3 ☎\ufe0e', '⚠\ufe0f 1\ufe0f\u20e3 ☎\ufe0e'],
  ['selectors elsewhere', 'a\ufe0f⚠\ufe0f\ufe0f\ufe01', 'a\\ufe0f⚠\ufe0f\\ufe0f\\ufe01'],
  ['half a pair', 'a\ud83d', 'a\\ud83d'],
])('%s', (_, text, escaped) => {
  expect(escapeUnseen(text)).toBe(escaped);
});

test('or as the caller writes them', () => {
  expect(escapeUnseen('a\u0007\u{e0041}', (character) => `<${character.codePointAt(0)}>`)).toBe('a<7><917569>');
});
