export { defaultLimits } from './job.js';
export { createSpawner } from './spawner.js';

export type { CapturedOutput, FirstLine, ProcessCommand, ProcessExit, ProcessJob, Spawner, SpawnerLimits } from './job.js';
