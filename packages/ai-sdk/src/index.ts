export { hookedAgent } from './turn/hooked-agent.js';
export { withHooks } from './with-hooks.js';
export { HookBlockedError } from '@tenterhook/agent/internal';

export type { AdapterMessage, BlockedDetails, ClientSource, OnMessage } from '@tenterhook/agent/internal';
export type { AgentHookOptions, SteeringLike } from './turn/agent-options.js';
export type { AgentLike, HookedAgent } from './turn/hooked-agent.js';
export type { HookOptions } from './options.js';
export type { ModelLike } from './model/find-model.js';
export type { HookableSettings } from './with-hooks.js';
