export { claudeCode } from './claude-code/index.js';
export { claudeCodeSettingsSchema } from './claude-code/settings/schema.js';
export { defaultDialects } from './default-dialects.js';
export { eca } from './eca/index.js';
export { ecaSettingsSchema } from './eca/settings/schema.js';
export { geminiCli } from './gemini-cli/index.js';
export { geminiCliSettingsSchema } from './gemini-cli/settings/schema.js';
export { llxprt } from './llxprt/index.js';
export { llxprtSettingsSchema } from './llxprt/settings/schema.js';

export type { ClaudeCodeOptions, ClaudePlugin } from './claude-code/index.js';
export type { EcaDialect, EcaOptions } from './eca/index.js';
export type { GeminiCliOptions, RedactionLists } from './gemini-cli/index.js';
export type { LlxprtOptions } from './llxprt/index.js';
export type { HostTool, HostTools } from './shared/tools/host-tool.js';
