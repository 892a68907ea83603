export { hookAgent } from './agent/hook-agent.js';
export { hookedModelProvider } from './model/hooked-model-provider.js';
export { runWithHooks } from './turn/run-with-hooks.js';
export { HookBlockedError } from '@tenterhook/agent/internal';

export type { AdapterMessage, BlockedDetails, ClientSource } from '@tenterhook/agent/internal';
export type { HookOptions } from './options.js';
export type { RunWithHooksOptions } from './turn/run-with-hooks.js';
