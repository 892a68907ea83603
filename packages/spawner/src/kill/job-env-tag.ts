import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isTransient } from '../run/spawn-process.js';

/**
 * The environment variable by which processes of a job are found that have left its group (`setsid`, a daemon that detaches itself). Only Linux
 * shows the environment of other processes, so it is set on Linux alone.
 */
const variable = 'TENTERHOOK_JOB';

/** Not a plain number: another service on this machine has jobs with the same numbers. */
const prefix = randomBytes(9).toString('base64url');
let jobs = 0;

/** An id no other job of this machine has. */
export function createJobId(): string {
  jobs += 1;
  return `${prefix}-${jobs}`;
}

/**
 * The environment of a job, with its tag. A job of a job has both their ids: an agent that runs under a hook has hooks of its own, and they end
 * with that hook.
 */
export function tagEnvironment(env: Readonly<Record<string, string>>, jobId: string): Readonly<Record<string, string>> {
  if (process.platform !== 'linux') return env;
  const outer = env[variable];
  return { ...env, [variable]: outer ? `${outer}/${jobId}` : jobId };
}

/**
 * The jobs that a process belongs to, outermost first; none if its environment cannot be read, or was discarded (`env -i`). Throws the
 * errno of what the machine is short of.
 */
export function readJobIds(pid: number): readonly string[] {
  let environment: string;
  try {
    environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch (error) {
    if (isTransient(error)) throw error;
    return [];
  }
  const at = environment.startsWith(`${variable}=`) ? 0 : environment.indexOf(`\0${variable}=`) + 1;
  if (at === 0 && !environment.startsWith(`${variable}=`)) return [];
  const end = environment.indexOf('\0', at);
  return environment.slice(at + variable.length + 1, end < 0 ? undefined : end).split('/');
}
