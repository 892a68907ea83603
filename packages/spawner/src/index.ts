export { atExit } from './kill/at-exit.js';
export { defaultLimits } from './limits.js';
export { createSpawner, type Spawner } from './spawner.js';

export type { CapturedOutput, FirstLine, ProcessCommand, ProcessExit, ProcessJob, JobRoute, ResidentNote } from './job.js';
export type { SpawnerKind, SpawnerLimits, SpawnerOptions } from './limits.js';
export type { ResidentExit, ResidentJob, Residents } from './resident/resident-job.js';
