import type { SpawnerLimits } from './limits.js';
import type { Spawner } from './process-job.js';

export function createSpawner(_limits: Partial<SpawnerLimits> = {}): Spawner {
  throw new Error('not yet');
}
