export { HookEventHandler } from './event-handler.js';
export { HookService } from './hook-service.js';
export { HookSystem } from './hook-system.js';

export type { FireOptions } from './event-handler.js';
export type { ExplainedHook, Explanation } from './explain.js';
export type { AnsweringSystem, RequestAnswer, RequestControl } from './hook-service.js';
export type { HookLimits, HookSystemOptions } from './hook-system.js';
export type { ProgressMessage } from './progress.js';
export type { TrustCheck } from './registry/hook-registry.js';
export type { CircuitBreakerOptions } from './runner/circuit.js';
export type { HostCallback, HostRequest } from './runner/host-executor.js';
export type { HttpOptions } from './runner/http/http-options.js';
export type { UnknownEvent } from './unknown-event.js';
