import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isTransient } from '../run/spawn-process.js';
import { jobVariable, shortenKind } from './nesting.js';

/** A random prefix: another service on this machine has jobs with the same numbers. */
const prefix = randomBytes(9).toString('base64url');
let jobs = 0;

/** Creates an id that no other job on this machine has. It ends with the kind of the job, if the job has one. */
export function createJobId(kind?: string): string {
  jobs += 1;
  return kind === undefined ? `${prefix}-${jobs}` : `${prefix}-${jobs}.${shortenKind(kind)}`;
}

/**
 * Returns the environment of a job with its ids. A job within another job has the ids of both, so that the hooks of an agent that runs in a
 * hook are killed together with that hook. The outer ids are taken from our own process, and not from the environment that was passed for
 * the job, so that a job cannot hide how deeply it is nested.
 */
export function tagEnvironment(env: Readonly<Record<string, string>>, jobId: string): Readonly<Record<string, string>> {
  const outer = process.env[jobVariable] || env[jobVariable];
  return { ...env, [jobVariable]: outer ? `${outer}/${jobId}` : jobId };
}

/**
 * Returns the ids of the jobs that a process belongs to, outermost first. Empty if its environment cannot be read, or if it was started
 * without one (`env -i`). Throws the errno if the machine is short of a resource.
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
