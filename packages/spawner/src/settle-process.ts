import type { ProcessEnd, StartedProcess } from './direct-spawn.js';
import { drainOutput, whenJobIsGone } from './drain-output.js';
import type { JobOutput } from './job-output.js';
import { countProcesses, type JobProcesses } from './job-processes.js';
import type { JobResources } from './job-resources.js';
import { isGroupAlive } from './process-group.js';
import type { ProcessExit, ProcessJob } from './process-job.js';
import type { StopReason, StopRequest } from './stop-request.js';
import { waitForQuiet } from './wait-for-quiet.js';

/** After SIGTERM, when the spawner is disposed: the agent is leaving and the user waits. */
export const disposeGraceMs = 500;

export interface RunningProcess {
  readonly job: ProcessJob;
  readonly started: StartedProcess;
  readonly processes: JobProcesses;
  readonly startedAt: number;
  readonly output: JobOutput;
  readonly stop: StopRequest;
  readonly resources: JobResources;
}

/** The process ended before anybody stopped it. From here on no deadline and no order changes the status; an order only ends the waiting. */
export async function settleEnded(running: RunningProcess, { exitCode, signal }: ProcessEnd): Promise<ProcessExit> {
  const { processes, output, stop, resources } = running;
  // A shell's exit code above 128 stays a code: it may mean that a child was killed, and it may be what the hook wanted to say.
  if (signal !== null) return { status: 'signalled', signal, ...killAndCapture(running, killGraceOf(running)) };

  // What is left after a normal exit is on its own from this moment, also when our process exits before the job has settled (decision 29).
  resources.jobs.release(processes);
  const exited = { status: 'exited' as const, exitCode: exitCode ?? 0 };
  if (!isGroupAlive(processes.group)) return { ...exited, ...capture(running, 0) };
  await waitForQuiet(processes.group, output, stop);
  return { ...exited, ...capture(running, isGroupAlive(processes.group) ? await countProcesses(processes) : 0) };
}

/** At the deadline, or by order: settles with what is there and kills behind (decision 28). */
export function settleStopped(running: RunningProcess, cause: StopReason | 'timed-out'): ProcessExit {
  const killGraceMs = killGraceOf(running);
  const graceMs = cause === 'disposed' ? Math.min(killGraceMs, disposeGraceMs) : killGraceMs;
  return { status: cause === 'timed-out' ? 'timed-out' : 'cancelled', ...killAndCapture(running, graceMs) };
}

function killGraceOf({ job, resources }: RunningProcess): number {
  return job.killGraceMs ?? resources.limits.killGraceMs;
}

function capture(running: RunningProcess, leftProcesses: number) {
  const { processes, resources } = running;
  return captureAndClose(running, leftProcesses, (paths) => {
    if (leftProcesses > 0) drainOutput(paths, whenJobIsGone(processes));
    else resources.leftoverFiles.add(processes, paths);
  });
}

function killAndCapture(running: RunningProcess, graceMs: number) {
  const { started, processes, resources } = running;
  let isGone = false;
  void resources.jobs.kill(processes, graceMs).then(() => {
    isGone = true;
  });
  // Our exit kills them too, so they are no reason for our process to stay.
  started.abandon();
  return captureAndClose(running, 0, (paths) => drainOutput(paths, () => isGone));
}

function captureAndClose(
  { started, startedAt, output }: RunningProcess,
  leftProcesses: number,
  disposeOfFiles: (paths: readonly string[]) => void,
) {
  const durationMs = performance.now() - startedAt;
  try {
    return { durationMs, pid: started.pid, ...output.capture(), leftProcesses };
  } finally {
    output.close(disposeOfFiles);
  }
}
