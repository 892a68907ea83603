import { readJobIds } from './kill/job-env-tag.js';
import { type SeenProcess, takeCensus, takeCensusNow } from './kill/list-processes.js';
import { isGroupAlive } from './kill/process-group.js';

/** What the processes of one job have in common: the group it was started in, and on Linux a mark that also those bear who have left the group. */
export interface JobProcesses {
  readonly group: number;
  readonly jobId: string;
}

/** `group` is undefined once nobody was left in it: its number may then be a stranger's. */
export type SearchedJob = { readonly group: number | undefined; readonly jobId: string };

/** Longer than a walk through /proc takes; with thousands of processes the answer must not wait for a number (decision 29). */
const longestCountMs = 100;

/** Those that run now; undefined where only the group can be asked (no /proc). */
export async function findProcesses(job: SearchedJob): Promise<readonly SeenProcess[] | undefined> {
  const seen = await takeCensus();
  return seen?.filter(({ group, jobIds }) => group === job.group || jobIds.includes(job.jobId));
}

/** Asked right before a signal: a search takes its time, and the number may be another's by now. Members of the group keep it from being used again. */
export function isStillOf(job: JobProcesses, { pid, group }: SeenProcess): boolean {
  if (group === job.group) return true;
  try {
    return readJobIds(pid).includes(job.jobId);
  } catch {
    // Without a free descriptor nothing is known; the next search asks again.
    return false;
  }
}

/** All that run now of any of the jobs, at once. */
export function findProcessesNow(jobs: readonly SearchedJob[]): readonly number[] {
  const groups = new Set(jobs.map(({ group }) => group));
  const ids = new Set(jobs.map(({ jobId }) => jobId));
  const seen = takeCensusNow() ?? [];
  return seen.filter(({ group, jobIds }) => groups.has(group) || jobIds.some((id) => ids.has(id))).map(({ pid }) => pid);
}

/** How many run now; 1 for "at least one" where they cannot be counted, or not before the deadline: a number is not worth an answer. */
export async function countProcesses(job: JobProcesses, deadlineAt: number): Promise<number> {
  const longestMs = Math.max(0, Math.min(longestCountMs, deadlineAt - performance.now()));
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, longestMs, undefined);
  });
  const found = await Promise.race([findProcesses(job), tooLong]);
  clearTimeout(timer);
  return found?.length ?? (isGroupAlive(job.group) ? 1 : 0);
}
