export { defaultLimits } from './limits.js';
export { createSpawner } from './spawner.js';

export type { CapturedOutput, FirstLine, ProcessCommand, ProcessExit, ProcessJob, Spawner, StartRoute } from './job.js';
export type { SpawnerKind, SpawnerLimits, SpawnerOptions } from './limits.js';
