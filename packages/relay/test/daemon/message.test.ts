import fc from 'fast-check';
import { clientBounds } from '../../src/client/client-bounds.js';
import { formatAnswer, formatRequest, parseAnswer, parseRequest } from '../../src/daemon/message.js';

const word = fc.stringMatching(/^[\w=.-]{1,12}$/);
const text = fc.string({ unit: 'grapheme' });
const withoutNul = text.map((value) => value.replaceAll('\0', ''));
const variables = fc.dictionary(fc.stringMatching(/^[A-Z_]{1,8}$/), withoutNul);

test('a request is read as it was written', () => {
  fc.assert(
    fc.property(
      fc.record({
        version: word,
        agent: word,
        event: word,
        words: fc.array(word),
        cwd: withoutNul.map((path) => `/${path}`),
        environment: variables,
        text,
      }),
      (request) => {
        const environment = { ...request.environment };
        expect(parseRequest(formatRequest(request))).toEqual({ ...request, environment });
      },
    ),
  );
});

test('anything else is refused', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(parseRequest(Buffer.from(bytes))).toBeUndefined();
    }),
  );
});

test.each([
  ['another word', 'TH2 1 a b\n\0{}'],
  ['no event', 'TH1 1 a\n\0{}'],
  ['no end of the line', `TH1 1 a b ${'x'.repeat(20_000)}\n\0{}`],
  ['no end of the environment', 'TH1 1 a b\nA=1\0{}'],
  ['too much environment', `TH1 1 a b\nA=${'x'.repeat(clientBounds.maxEnvironmentBytes)}\0B=1\0\0{}`],
])('a request with %s is refused', (_what, request) => {
  expect(parseRequest(Buffer.from(request))).toBeUndefined();
});

test('an answer is read as it was written, and a torn one is refused', () => {
  fc.assert(
    fc.property(fc.record({ exit: fc.nat(255), stdout: text, stderr: text }), fc.nat(40), (answer, cut) => {
      const bytes = formatAnswer(answer);
      expect(parseAnswer(bytes)).toEqual(answer);
      if (cut > 0) expect(parseAnswer(bytes.subarray(0, bytes.length - cut))).toBeUndefined();
    }),
  );
});
