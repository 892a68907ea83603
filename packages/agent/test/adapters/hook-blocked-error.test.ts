import { expect, test } from '@jest/globals';
import { HookBlockedError } from '../../src/adapters/hook-blocked-error.js';

test('the error has the reason as its text, and only the fields that have a value', () => {
  const error = new HookBlockedError('No.', { toolName: 'write_file', retryAfterMs: undefined });
  expect([error.name, error.message, error.reason, String(error)]).toEqual(['HookBlockedError', 'No.', 'No.', 'No.']);
  expect({ ...error }).toEqual({ reason: 'No.', toolName: 'write_file' });
  expect({ ...new HookBlockedError('Later.', { retryAfterMs: 5 }) }).toEqual({ reason: 'Later.', retryAfterMs: 5 });
});
