export { defaultDialects } from './default-dialects.js';
export { eca } from './eca/index.js';
export { ecaSettingsSchema } from './eca/settings-schema.js';
export { llxprt } from './llxprt/index.js';
export { llxprtSettingsSchema } from './llxprt/settings-schema.js';

export type { EcaOptions } from './eca/index.js';
export type { LlxprtOptions } from './llxprt/index.js';
