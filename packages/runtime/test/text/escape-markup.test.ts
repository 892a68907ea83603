import { escapeMarkup } from '../../src/text/escape-unseen.js';

test.each([
  ['markup', `<a b="c" d='e'>&amp;</a>`, '&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;amp;&lt;/a&gt;'],
  ['letters of all scripts, and lines', 'Gruß\n東京 😀', 'Gruß\n東京 😀'],
  ['what XML does not allow', 'a\u0000\u001b[1m\ud800\ufffe\uffff', 'a\\u0000\\u001b[1m\\ud800\\ufffe\\uffff'],
  ['what reverses or hides text', '\u202e\u200b', '\\u202e\\u200b'],
])('%s', (_, text, escaped) => {
  expect(escapeMarkup(text)).toBe(escaped);
});
