import { jest } from '@jest/globals';
import { commandBlocks, runCommands } from './run-block.js';

// A page runs the suite for dialects, which fires some hundred real hooks.
jest.setTimeout(120_000);

test.each(commandBlocks.filter(({ page }) => page !== 'README.md'))('$place runs, and prints what is shown', runCommands);
