import { JobOutput } from './job-output.js';
import type { JobResources } from './job-resources.js';
import type { ProcessJob } from './process-job.js';
import type { StdinFile } from './stdin-files.js';

/** The standard streams of one job. */
export interface JobFiles {
  readonly stdin: StdinFile;
  readonly output: JobOutput;
}

/** All or nothing. Throws the errno of the file system, or NoPrivateDirectory. */
export function openJobFiles(id: number, job: ProcessJob, { directory, stdinFiles, limits }: JobResources): JobFiles {
  const path = directory.open();
  const stdin = stdinFiles.open(path, job.stdin);
  try {
    const output = new JobOutput(path, id, {
      stdoutBytes: job.stdoutBytes ?? limits.stdoutBytes,
      stderrBytes: job.stderrBytes ?? limits.stderrBytes,
    });
    return { stdin, output };
  } catch (error) {
    stdin.close();
    stdin.release();
    throw error;
  }
}
