export { HookEventHandler } from './fire/hook-event-handler.js';
export { HookSystem } from './hook-system.js';
export { HookService } from './service/hook-service.js';

export type { FireOptions } from '@tenterhook/protocol';
export type { ExplainedHook, Explanation } from './events/explain.js';
export type { InputIssue } from './events/input.js';
export type { ListedHook } from './events/list.js';
export type { HookPreview } from './events/preview.js';
export type { RequestAnswer } from './service/answers.js';
export type { AnsweringSystem, RequestControl } from './service/hook-service.js';
export type { UnknownEvent } from './service/unknown-event.js';
export type { HookLimits, HookSystemOptions, SpawnerKind } from './system-options.js';
export type { ProgressMessage } from './events/progress.js';
export type { Admission, Distrust, HookCommand, TrustCheck, TrustedRun, TrustGate } from './trust/trust-check.js';
export type { CircuitBreakerOptions } from './runner/circuit/circuit.js';
export type { HostCallback, HostRequest } from './runner/executors/host-executor.js';
export type { HttpOptions } from './runner/executors/http/http-executor.js';
