import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../../src/cli/errors/exit-status.js';
import { formatCliError } from '../../../src/cli/errors/format-cli-error.js';

/** Returns the error that a command gets if its current directory was deleted. */
function errorOf(work: () => unknown): unknown {
  const before = process.cwd();
  const gone = mkdtempSync(join(tmpdir(), 'tenterhook-gone-'));
  process.chdir(gone);
  rmdirSync(gone);
  try {
    return work();
  } catch (error) {
    return error;
  } finally {
    process.chdir(before);
  }
}

test('a current directory that was deleted is wrong usage, and the message says what to do', () => {
  const reported = formatCliError(errorOf(() => process.cwd()));
  expect(reported).toMatchObject({ status: 64, error: { code: 'invalid_request' } });
  expect(reported.message).toBe('The current directory no longer exists. Change to a directory that exists.');
});

test('wrong usage is shown as it is, a bug with its stack and the way to report it', () => {
  expect(formatCliError(new UsageError('no'))).toEqual({ status: 64, error: { code: 'invalid_request', message: 'no' }, message: 'no' });
  const bug = formatCliError(new Error('mine'));
  expect(bug).toMatchObject({ status: 70, error: { code: 'internal_error', message: 'mine' } });
  expect(bug.report).toMatch(/This is a bug in tenterhook .*\nError: mine\n/);
});
