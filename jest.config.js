/** Tests run against the sources of our own packages, so a failing line is the line one edits; the command line and the examples are driven as built. */
export default {
  testMatch: ['<rootDir>/packages/*/test/**/*.test.ts', '<rootDir>/test/**/*.test.ts', '<rootDir>/examples/*/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/packages/[^/]+/dist/', '<rootDir>/\\.turbo/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }] },
  moduleNameMapper: {
    '^@tenterhook/([^/]+)$': '<rootDir>/packages/$1/src/index.ts',
    '^@tenterhook/([^/]+)/(internal|parts)$': '<rootDir>/packages/$1/src/$2.ts',
    '^@tenterhook/runtime/([^/]+)$': '<rootDir>/packages/runtime/src/$1/index.ts',
    '^tenterhook$': '<rootDir>/packages/tenterhook/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  testEnvironment: 'node',
  // Most tests wait for processes, so one more worker than jest would take keeps a small machine busy.
  maxWorkers: '100%',
  testTimeout: 30_000,
};
