import type { LeftoverFiles } from './leftover-files.js';
import type { SpawnerLimits } from './limits.js';
import type { PrivateDirectory } from './private-directory.js';
import type { StdinFiles } from './stdin-files.js';
import type { TrackedJobs } from './tracked-jobs.js';

/** What all jobs of a spawner share. */
export interface JobResources {
  readonly limits: SpawnerLimits;
  readonly directory: PrivateDirectory;
  readonly stdinFiles: StdinFiles;
  readonly jobs: TrackedJobs;
  readonly leftoverFiles: LeftoverFiles;
}
