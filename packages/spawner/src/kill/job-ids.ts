import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isTransient } from '../run/spawn-process.js';
import { jobVariable, shortenKind } from './nesting.js';

/** Not only a number: another service on this machine has jobs with the same numbers. */
const prefix = randomBytes(9).toString('base64url');
let jobs = 0;

/** An id that no other job on this machine has. It ends with the kind of the job, if the job has one. */
export function createJobId(kind?: string): string {
  jobs += 1;
  return kind === undefined ? `${prefix}-${jobs}` : `${prefix}-${jobs}.${shortenKind(kind)}`;
}

/**
 * The environment of a job with its tag. A job within a job has both ids: an agent that runs in a hook has its own hooks, and they end with
 * that hook. The ids of our own process count, also if the environment of the job has others or none: a job must not hide how deep it is.
 */
export function tagEnvironment(env: Readonly<Record<string, string>>, jobId: string): Readonly<Record<string, string>> {
  const outer = process.env[jobVariable] || env[jobVariable];
  return { ...env, [jobVariable]: outer ? `${outer}/${jobId}` : jobId };
}

/**
 * The jobs that a process belongs to, outermost first. Empty if its environment cannot be read, or was discarded (`env -i`). Throws the errno if
 * the machine is short of a resource.
 */
export function readJobIds(pid: number): readonly string[] {
  let environment: string;
  try {
    environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch (error) {
    if (isTransient(error)) throw error;
    return [];
  }
  const at = environment.startsWith(`${jobVariable}=`) ? 0 : environment.indexOf(`\0${jobVariable}=`) + 1;
  if (at === 0 && !environment.startsWith(`${jobVariable}=`)) return [];
  const end = environment.indexOf('\0', at);
  return environment.slice(at + jobVariable.length + 1, end < 0 ? undefined : end).split('/');
}
