import { jest } from '@jest/globals';
import { programs, runProgram } from './run-block.js';

// The suite for dialects, which a page runs, fires some hundred real hooks.
jest.setTimeout(120_000);

test.each(programs.filter(({ page }) => page !== 'README.md'))('$place runs', runProgram);
