export { defaultDialects } from './default-dialects.js';
export { llxprt } from './llxprt/index.js';
export { llxprtSettingsSchema } from './llxprt/settings-schema.js';

export type { LlxprtOptions } from './llxprt/index.js';
