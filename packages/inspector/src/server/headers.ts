/** What the page may do. Under `trusted-types 'none'` a text cannot become markup, also if the page has a mistake. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const switchedOff = ['camera', 'clipboard-read', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'serial', 'usb'];

/** The headers of every response, of refusals too. There is no CORS header, so no other origin can read an answer. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': switchedOff.map((name) => `${name}=()`).join(', '),
  'Cache-Control': 'no-store',
};
