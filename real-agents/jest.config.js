import { join } from 'node:path';
import rootConfig from '../jest.config.js';

const { testSequencer: _sequencer, maxWorkers: _workers, ...shared } = rootConfig;

/** As in the suite, one file after another: each starts an agent of hundreds of megabytes. */
export default {
  ...shared,
  rootDir: join(import.meta.dirname, '..'),
  testMatch: ['<rootDir>/real-agents/cases/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/real-agents/setup/require-isolation.js',
  maxWorkers: 1,
  reporters: ['default', '<rootDir>/real-agents/setup/reporter.js'],
  verbose: true,
  testTimeout: 120_000,
};
