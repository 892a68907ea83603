export { containDialect } from './registry/contain-dialect.js';
