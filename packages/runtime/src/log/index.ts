export type { Log } from './log.js';
export { createLog, guarded } from './log.js';
export { maskShort, withoutCutSecret } from './masking/mask-beginning.js';
export type { MaskRules } from './masking/mask-secrets.js';
export { maskSecrets, maskWhole } from './masking/mask-secrets.js';
export { maskText } from './masking/mask-text.js';
export { isSecretName } from './masking/secret-name.js';
