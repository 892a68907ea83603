import { diagnosticCodes, errorCodes, hookCodes, skipReasons } from '../src/codes.js';

test.each(Object.entries({ errorCodes, hookCodes, diagnosticCodes, skipReasons }))(
  'each of %s is documented in one sentence',
  (_, codes) => {
    for (const [code, documentation] of Object.entries(codes)) {
      expect(code).toMatch(/^[a-z0-9]+([_-][a-z0-9]+)*$/);
      expect(documentation).toMatch(/\.$/);
      expect(documentation).not.toContain('\n');
    }
  },
);

test('the error codes of a response are those that programs switch on', () => {
  expect(Object.keys(errorCodes).sort()).toEqual([
    'cancelled',
    'disposed',
    'internal_error',
    'invalid_request',
    'invalid_settings',
    'no_responders',
    'not_recorded',
    'overloaded',
    'timeout',
    'unsupported_event',
    'validation_failed',
  ]);
});
