export { brokenOutputCodes } from './outcome/check-output.js';
export { containDialect } from './registry/contain-dialect.js';
