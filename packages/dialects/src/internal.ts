/**
 * Names for the other packages of this repository. They change without notice. The package `migrate` uses these parts of each
 * format to read and write hooks. `./parts` has the parts that all formats share.
 */

export {
  type AntigravityEvent,
  antigravityEventNames,
  factsOf as antigravityEventFacts,
} from './antigravity/input/event-table.js';
export { dataOf as antigravityHookData } from './antigravity/settings/hook-data.js';
export { defaultTimeoutS as antigravityDefaultTimeoutS } from './antigravity/settings/read-hook.js';
export { antigravityTools, mcpTool as antigravityMcpTool } from './antigravity/tools/tool-table.js';
export { type ClaudeEvent, claudeEvents, factsOf as claudeEventFacts } from './claude-code/input/event-table.js';
export { defaultTimeoutS as claudeDefaultTimeoutS } from './claude-code/settings/handler-types.js';
export { dataOf as claudeHookData } from './claude-code/settings/hook-data.js';
export { claudeTools } from './claude-code/tools/tool-table.js';
export { type CodexEvent, codexEventNames, factsOf as codexEventFacts } from './codex/input/event-table.js';
export { matches as matchesName, type NameMatcher } from './shared/name-matcher.js';
export { dataOf as codexHookData } from './codex/settings/hook-data.js';
export { defaultTimeoutS as codexDefaultTimeoutS } from './codex/settings/read-hook.js';
export { codexTools } from './codex/tools/tool-table.js';
export {
  type CopilotEvent,
  copilotEventNames,
  factsOf as copilotEventFacts,
  isPascal as isPascalCopilotKey,
  pascalKeyOf as pascalCopilotKey,
} from './copilot/input/event-table.js';
export { dataOf as copilotHookData } from './copilot/settings/hook-data.js';
export { defaultTimeoutS as copilotDefaultTimeoutS } from './copilot/settings/read-hook.js';
export { copilotTools, copilotToolsAsClaude } from './copilot/tools/tool-table.js';
export { type CursorEvent, cursorEventNames, factsOf as cursorEventFacts } from './cursor/input/event-table.js';
export { dataOf as cursorHookData } from './cursor/settings/hook-data.js';
export { defaultTimeoutS as cursorDefaultTimeoutS } from './cursor/settings/read-hook.js';
export { cursorTools } from './cursor/tools/tool-table.js';
export { type EcaType, ecaTypes, entryOf as ecaTypeEntry, typeOfEvent as ecaTypeOfEvent } from './eca/input/event-table.js';
export { dataOf as ecaHookData, type EcaHookData } from './eca/settings/hook-data.js';
export { defaultTimeoutMs as ecaDefaultTimeoutMs } from './eca/settings/schema.js';
export { ecaTools } from './eca/tools.js';
export { geminiEvent, isGeminiEvent } from './gemini-cli/input/event-table.js';
export { dataOf as geminiHookData } from './gemini-cli/settings/hook-data.js';
export { type Matcher as GeminiMatcher, matches as geminiMatches } from './gemini-cli/matching.js';
export { defaultTimeoutMs as geminiDefaultTimeoutMs } from './gemini-cli/settings/schema.js';
export type { Matcher as LlxprtMatcher } from './llxprt/matching.js';
export { productEvents as llxprtEvents } from './llxprt/input.js';
export { defaultTimeoutMs as llxprtDefaultTimeoutMs } from './llxprt/settings/schema.js';
export type { RelativeProduct } from './relatives/product.js';
export { relativeProducts } from './relatives/products/index.js';
export { dataOf as relativeHookData } from './relatives/settings/hook-data.js';
export { commandDataOf as commandHookData } from './shared/settings/command-hooks.js';
export { quoteForShell } from './shared/output/failures/command-failure.js';
export { shebangOf } from './shared/shebang.js';
export { unquotedUses } from './shared/lint/unquoted-variables.js';

export type { Runs as ClaudeRuns } from './claude-code/settings/hook-data.js';
export type { EcaDialect } from './eca/index.js';
