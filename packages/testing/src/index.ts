export { dialectConformance } from './dialect-conformance/dialect-conformance.js';
export { hookRig } from './hook-rig.js';
export { HookRigError } from './hook-rig-error.js';
export { transportConformance } from './transport-conformance/transport-conformance.js';

export type { DialectConformanceOptions, SampleAnswers, SampleHook } from './dialect-conformance/dialect-case.js';
export type { Program } from './hook-command.js';
export type { HookRig, HookRigOptions } from './hook-rig.js';
export type { HookRigErrorCode } from './hook-rig-error.js';
export type { FloodOptions, ForkOptions, HookRun, OutputStream } from './hook-run.js';
export type { TransportEnds, TransportFeatures } from './transport-conformance/conformance-case.js';
export type { ConformanceTest } from './conformance-test.js';
