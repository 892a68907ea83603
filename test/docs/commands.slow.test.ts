import { jest } from '@jest/globals';
import { commandBlocks, runCommands } from './run-block.js';

// A page runs the suite for dialects, which fires some hundred real hooks.
jest.setTimeout(120_000);

/** Pages whose own tests run their commands: `readme.test.ts`, and the test of an example that needs a NATS server. */
const tested = ['README.md', 'examples/two-machines/README.md'];

test.each(commandBlocks.filter(({ page }) => !tested.includes(page)))('$place runs, and prints what is shown', runCommands);
