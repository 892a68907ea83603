export { brokenOutputCodes } from './outcome/check-output.js';
export { requireHttpOptions } from './runner/executors/http/http-executor.js';
export { containDialect } from './registry/contain-dialect.js';
export { getMaxSettingsBytes } from './registry/document-limits.js';
export { limitDiagnostics } from './registry/limit-diagnostics.js';
export { combineSettings } from './registry/levels/combine-settings.js';

/** Loads the rules for addresses of http hooks. Called only if there are such hooks. */
export const loadAddressRules = () => import('./runner/executors/http/address-policy.js');
