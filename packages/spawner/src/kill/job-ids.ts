import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isTransient } from '../run/spawn-process.js';
import { jobVariable, shortenKind } from './nesting.js';

/** A random prefix: another service on this machine has jobs with the same numbers. */
const prefix = randomBytes(9).toString('base64url');
let jobs = 0;

/** Creates an id that no other job on this machine has. It ends with the kind of the job, if there is one. */
export function createJobId(kind?: string): string {
  jobs += 1;
  return kind === undefined ? `${prefix}-${jobs}` : `${prefix}-${jobs}.${shortenKind(kind)}`;
}

/** The variable by which a command knows that it runs as a resident process. An agent in such a process must not pass it to its own jobs. */
export const modeVariable = 'TENTERHOOK_MODE';

/**
 * Returns the environment of a job with its id. If our process itself runs in a job, the ids of the jobs that it runs in come first. So if
 * a hook runs an agent, the hooks of that agent are killed together with the outer hook. The outer ids come from our own environment, so
 * that `env` cannot hide how deeply a job is nested.
 */
export function tagEnvironment(env: Readonly<Record<string, string>>, jobId: string): Readonly<Record<string, string>> {
  return { ...withoutMode(env), [jobVariable]: listJobIds(env, jobId) };
}

/** Returns the environment without the variable that marks a resident hook. An agent that runs in such a hook must not pass it on. */
export function withoutMode(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (env[modeVariable] === undefined) return env;
  const { [modeVariable]: _, ...rest } = env;
  return rest;
}

/** Returns the value of the variable with the ids. */
export function listJobIds(env: Readonly<Record<string, string>>, jobId: string): string {
  const outer = process.env[jobVariable] || env[jobVariable];
  return outer ? `${outer}/${jobId}` : jobId;
}

/**
 * Returns the ids of the jobs that a process belongs to, outermost first. Empty if its environment cannot be read, or does not have the
 * variable (`env -i`). Throws the errno if the machine is short of a resource.
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
