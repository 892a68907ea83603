import { shownUrl } from '../../src/text/describe.js';

const urls: Record<string, string> = {
  'https://h.example/a/b': 'https://h.example/a/b',
  'https://h.example:8443/': 'https://h.example:8443/',
  'https://registry.example/@scope/name': 'https://registry.example/@scope/name',
  'https://h.example/a?key=secret': 'https://h.example/a?…',
  'https://h.example/a#secret': 'https://h.example/a?…',
  'https://user:secret@h.example/a': 'https://…@h.example/a',
  'https:\\\\user:secret@h.example': 'https:\\\\…@h.example',
  'https:user:secret@h.example': 'https:…@h.example',
  'htps://user:secret@h.example': 'htps://…@h.example',
  // Invalid URLs.
  'user:secret@h.example': 'user:…@h.example',
  '//user:secret@h.example': '//…@h.example',
  'https://user:secret/x@h.example': 'https://…@h.example',
  'https://user:a?secret@h.example': 'https://…@h.example',
  'https://user:a#secret@h.example?secret': 'https://…@h.example?…',
  'https://user:"secret @h.example': 'https://…@h.example',
  'https://user:secret@': 'https://…@',
  'https://h.example:secret/x': 'https://h.example:…/x',
  'https://h example:80/x': 'https://h example:80/x',
  'https://h example/?secret': 'https://h example/?…',
  'h.example/hook': 'h.example/hook',
  '': '',
};

test.each(Object.entries(urls))('%j is shown as %j', (url, shown) => {
  expect(shownUrl(url)).toBe(shown);
});

test('a text of a million characters is cut, and takes no time that grows faster than it', () => {
  for (const text of [':'.repeat(1_000_000), `x:${'/'.repeat(1_000_000)}`, `${'a:'.repeat(500_000)}@`]) {
    expect(shownUrl(text).length).toBeLessThanOrEqual(2_001);
  }
});
