import type { Fifos } from './io/named-pipes.js';
import type { LeftoverOutputs } from './leftover-outputs.js';
import type { SpawnerLimits } from './limits.js';
import type { LoopTurn } from './loop-turn.js';
import type { PrivateDirectory } from './io/private-directory.js';
import type { StdinFiles } from './io/stdin.js';
import type { TrackedJobs } from './kill/tracked-jobs.js';

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
