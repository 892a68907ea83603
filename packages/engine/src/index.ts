export { aggregate, aggregateOutcomes } from './aggregator/aggregate.js';
export { applyRewrites } from './aggregator/rewrites.js';
export { endsPlan, verdictOfOutcomes } from './aggregator/verdict.js';
export { HookEventHandler } from './event-handler.js';
export { HookService } from './hook-service.js';
export { HookSystem } from './hook-system.js';
export { planEvent } from './planner/plan-event.js';

export type { PlanState } from './aggregator/rewrites.js';
export type { FireOptions } from './event-handler.js';
export type { EventRunner } from './event-runner.js';
export type { ExplainedHook, Explanation } from './explain.js';
export type { HookLimits, HookSystemOptions } from './hook-system.js';
export type { ProgressMessage } from './progress.js';
export type { TrustCheck } from './registry/hook-registry.js';
