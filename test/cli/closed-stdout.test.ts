import { expectNoError, shell } from './reader-that-has-gone.js';

test.each(['list', 'fire --json'] as const)('%s: a reader that has gone is not an error', expectNoError);

test('--version: a full disk is a failure with a message, and a reader that has gone is not an error', () => {
  expect(shell('tenterhook --version > /dev/full', {}).stderr).toBe(
    'tenterhook: stdout cannot be written: ENOSPC: no space left on device, write\n1\n',
  );
  expect(shell('tenterhook --version | true', {}).stderr).toBe('0 0\n');
});
