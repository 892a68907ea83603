import { compileUrlPattern } from '../../src/text/url-pattern.js';

const fits = (pattern: string, url: string) => compileUrlPattern(pattern)?.(new URL(url));

test.each([
  'https://hooks.example.com/',
  'https://a.b.example.com/deep/path?query#fragment',
  'https://HOOKS.EXAMPLE.COM/x',
  'https://hooks.example.com:443/x',
])('case 32: https://*.example.com/* fits %s', (url) => {
  expect(fits('https://*.example.com/*', url)).toBe(true);
});

test.each([
  'https://evil.test/x.example.com/',
  'https://evil.test/?x.example.com/',
  'https://evil.test?x=https://hooks.example.com/',
  'https://evil.test#x.example.com/',
  'https://evil.test\\x.example.com/',
  'https://evil.test\\@hooks.example.com/',
  'https://hooks.example.com@evil.test/',
  'https://user:hooks.example.com@evil.test/x.example.com/',
  'https://hooks.example.com.evil.test/',
  'https://evilexample.com/',
  'https://example.com/',
  'https://hooks.example.com:8443/',
  'http://hooks.example.com/',
  'https://evil.test/%2f.example.com/',
  'https://hooks.example.com./',
])('case 32: https://*.example.com/* does not fit %s', (url) => {
  expect(fits('https://*.example.com/*', url)).toBe(false);
});

test.each(['*.example.com', 'https://user@example.com/', 'https://exa mple.com', 'ftp://example.com', 'https://example.com/#x', ''])(
  '%s is not a pattern',
  (pattern) => {
    expect(compileUrlPattern(pattern)).toBeUndefined();
  },
);
