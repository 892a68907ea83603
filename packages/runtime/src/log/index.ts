export { guarded } from './guarded.js';
export type { Log } from './log.js';
export { createLog } from './log.js';
export { maskSecrets } from './masking/mask-secrets.js';
