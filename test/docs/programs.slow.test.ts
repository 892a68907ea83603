import { jest } from '@jest/globals';
import { programs, runProgram } from './run-block.js';

// A page runs the suite for dialects, which fires some hundred real hooks.
jest.setTimeout(120_000);

test.each(programs.filter(({ page }) => page !== 'README.md'))('$place runs', runProgram);
