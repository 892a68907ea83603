export { dialectConformance } from './dialects/dialect-conformance.js';
export { hookRig } from './rig/hook-rig.js';
export { HookRigError } from './rig/hook-rig-error.js';
export { transportConformance } from './transports/transport-conformance.js';

export type { DialectConformanceOptions, SampleAnswers, SampleHook } from './dialects/dialect-case.js';
export type { Program } from './rig/hook-rig.js';
export type { HookRig, HookRigOptions } from './rig/hook-rig.js';
export type { HookRigErrorCode } from './rig/hook-rig-error.js';
export type { FloodOptions, ForkOptions, HookRun, OutputStream } from './rig/hook-run.js';
export type { TransportEnds, TransportFeatures } from './transports/conformance-case.js';
export type { ConformanceTest } from './conformance-test.js';
