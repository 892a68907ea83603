import { JobOutput } from './job-output.js';
import type { ProcessJob } from './process-job.js';
import type { StdinFile } from './stdin-files.js';
import type { Workshop } from './workshop.js';

/** The standard streams of one job. */
export interface JobFiles {
  readonly stdin: StdinFile;
  readonly output: JobOutput;
}

/** All or nothing. Throws the errno of the file system, or NoPrivateDirectory. */
export function openJobFiles(id: number, job: ProcessJob, { directory, stdinFiles, limits }: Workshop): JobFiles {
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
