export { containDialect } from './registry/contain-dialect.js';
export { combineSettings } from './registry/levels/combine-settings.js';
