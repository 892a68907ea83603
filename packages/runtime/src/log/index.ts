export type { Log } from './log.js';
export { createLog, guarded } from './log.js';
export { maskSecrets } from './masking/mask-secrets.js';
export { maskText } from './masking/mask-text.js';
