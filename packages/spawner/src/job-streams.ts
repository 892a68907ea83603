import { JobOutput } from './io/output.js';
import type { JobResources } from './job-resources.js';
import type { ProcessJob } from './job.js';
import type { StdinFile } from './io/stdin.js';

/** The standard streams of one job. */
export interface JobStreams {
  readonly stdin: StdinFile;
  readonly output: JobOutput;
}

/** All or nothing. Rejects with the errno of what could not be done, or NoPrivateDirectory. */
export async function openJobStreams(job: ProcessJob, { directory, stdinFiles, fifos, limits }: JobResources): Promise<JobStreams> {
  const output = await JobOutput.open(directory.open(), fifos, {
    stdoutBytes: job.stdoutBytes ?? limits.stdoutBytes,
    stderrBytes: job.stderrBytes ?? limits.stderrBytes,
  });
  try {
    return { stdin: stdinFiles.open(directory.open(), job.stdin), output };
  } catch (error) {
    output.discard();
    throw error;
  }
}
