import { expectNoError } from './reader-that-has-gone.js';

test.each(['list --json', 'validate --json'] as const)('%s: a reader that has gone is not an error', expectNoError);
