export { defaultLimits } from './limits.js';
export { createSpawner } from './spawner.js';

export type { CapturedOutput, FirstLine, ProcessCommand, ProcessExit, ProcessJob, Spawner } from './job.js';
export type { SpawnerLimits, SpawnerOptions } from './limits.js';
