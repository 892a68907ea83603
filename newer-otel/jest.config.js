import { join } from 'node:path';
import rootConfig from '../jest.config.js';

const { testSequencer: _sequencer, ...shared } = rootConfig;
const own = '<rootDir>/newer-otel/node_modules/@opentelemetry';

/** Runs the tests of telemetry with the packages of this folder. */
export default {
  ...shared,
  rootDir: join(import.meta.dirname, '..'),
  testMatch: ['<rootDir>/test/telemetry/*.test.ts', '<rootDir>/packages/otel/test/**/*.test.ts'],
  moduleNameMapper: {
    ...shared.moduleNameMapper,
    '^@opentelemetry/sdk-trace-base$': '<rootDir>/newer-otel/sdk-trace-base.cjs',
    '^@opentelemetry/([^/]+)$': `${own}/$1`,
  },
};
