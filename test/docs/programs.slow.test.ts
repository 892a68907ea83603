import { jest } from '@jest/globals';
import { testWithNats } from '../support/nats-server.js';
import { needsNats, programs, runProgram } from './run-block.js';

// A page runs the suite for dialects, which fires some hundred real hooks.
jest.setTimeout(120_000);

for (const block of programs.filter(({ page }) => page !== 'README.md')) {
  const declare = needsNats(block.text) ? testWithNats : test;
  declare(`${block.place} runs`, () => runProgram(block));
}
