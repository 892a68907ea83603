import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isTransient } from '../retry-transient.js';

/**
 * The environment variable by which the processes of a job are found after they have left its group (`setsid`, a daemon that detaches itself).
 * Only Linux shows the environment of others' processes, so only there it is set.
 */
const markerName = 'TENTERHOOK_JOB';

/** Not a plain number: another service on this machine has jobs of the same numbers. */
const prefix = randomBytes(9).toString('base64url');
let jobs = 0;

/** An id no other job of this machine has. */
export function createJobId(): string {
  jobs += 1;
  return `${prefix}-${jobs}`;
}

/**
 * The environment of a job, marked. A job of a job has both their ids: an agent that runs below a hook has hooks of its own, and they end
 * with that hook.
 */
export function markEnvironment(env: Readonly<Record<string, string>>, jobId: string): Readonly<Record<string, string>> {
  if (process.platform !== 'linux') return env;
  const outer = env[markerName];
  return { ...env, [markerName]: outer ? `${outer}/${jobId}` : jobId };
}

/**
 * The jobs that a process belongs to, outermost first; none where its environment may not be read, or was thrown away (`env -i`). Throws the
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
  const at = environment.startsWith(`${markerName}=`) ? 0 : environment.indexOf(`\0${markerName}=`) + 1;
  if (at === 0 && !environment.startsWith(`${markerName}=`)) return [];
  const end = environment.indexOf('\0', at);
  return environment.slice(at + markerName.length + 1, end < 0 ? undefined : end).split('/');
}
