import type { Fifos } from './fifos.js';
import type { LeftoverOutputs } from './leftover-outputs.js';
import type { SpawnerLimits } from './limits.js';
import type { LoopTurn } from './loop-turn.js';
import type { PrivateDirectory } from './private-directory.js';
import type { StdinFiles } from './stdin-files.js';
import type { TrackedJobs } from './tracked-jobs.js';

/** What all jobs of a spawner share. */
export interface JobResources {
  readonly limits: SpawnerLimits;
  readonly directory: PrivateDirectory;
  readonly stdinFiles: StdinFiles;
  readonly jobs: TrackedJobs;
  readonly fifos: Fifos;
  readonly loopTurn: LoopTurn;
  readonly leftoverOutputs: LeftoverOutputs;
}
