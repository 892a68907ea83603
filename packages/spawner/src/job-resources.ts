import type { SpawnerLimits } from './limits.js';
import type { PrivateDirectory } from './private-directory.js';
import type { StdinFiles } from './stdin-files.js';
import type { TrackedGroups } from './tracked-groups.js';

/** What all jobs of a spawner share. */
export interface JobResources {
  readonly limits: SpawnerLimits;
  readonly directory: PrivateDirectory;
  readonly stdinFiles: StdinFiles;
  readonly groups: TrackedGroups;
}
