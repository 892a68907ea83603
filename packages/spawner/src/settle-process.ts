import type { ProcessEnd, StartedProcess } from './direct-spawn.js';
import { whenGroupIsGone } from './drain-output.js';
import type { JobOutput } from './job-output.js';
import type { JobResources } from './job-resources.js';
import { countGroup, isGroupAlive } from './process-group.js';
import type { ProcessExit, ProcessJob } from './process-job.js';
import type { StopReason, StopRequest } from './stop-request.js';
import { waitForQuiet } from './wait-for-quiet.js';

/** After SIGTERM, when the spawner is disposed: the agent is leaving and the user waits. */
export const disposeGraceMs = 500;

export interface RunningProcess {
  readonly job: ProcessJob;
  readonly started: StartedProcess;
  readonly startedAt: number;
  readonly output: JobOutput;
  readonly stop: StopRequest;
  readonly resources: JobResources;
}

/** The process ended before anybody stopped it. From here on no deadline and no order changes the status; an order only ends the waiting. */
export async function settleEnded(running: RunningProcess, { exitCode, signal }: ProcessEnd): Promise<ProcessExit> {
  const { started, output, stop, resources } = running;
  const group = started.pid;
  // A shell's exit code above 128 stays a code: it may mean that a child was killed, and it may be what the hook wanted to say.
  const killedBy = signal ?? undefined;
  const isSomebodyLeft = isGroupAlive(group);
  if (killedBy !== undefined && isSomebodyLeft) {
    return { status: 'signalled', signal: killedBy, ...killAndCapture(running, killGraceOf(running)) };
  }

  // What is left after a normal exit is on its own from this moment, also when our process exits before the job has settled (decision 29).
  resources.groups.release(group);
  if (killedBy !== undefined) return { status: 'signalled', signal: killedBy, ...capture(running, 0) };
  if (!isSomebodyLeft) return { status: 'exited', exitCode: exitCode ?? 0, ...capture(running, 0) };
  await waitForQuiet(group, output, stop);
  const left = isGroupAlive(group) ? ((await countGroup(group)) ?? 1) : 0;
  return { status: 'exited', exitCode: exitCode ?? 0, ...capture(running, left) };
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

function capture({ started, startedAt, output }: RunningProcess, leftProcesses: number) {
  const durationMs = performance.now() - startedAt;
  const hasEnded = leftProcesses > 0 ? whenGroupIsGone(started.pid) : undefined;
  try {
    return { durationMs, pid: started.pid, ...output.capture(), leftProcesses };
  } finally {
    output.close(hasEnded);
  }
}

function killAndCapture({ started, startedAt, output, resources }: RunningProcess, graceMs: number) {
  let isGone = false;
  void resources.groups.kill(started.pid, graceMs).then(() => {
    isGone = true;
  });
  // Our exit kills the group too, so it is no reason for our process to stay.
  started.abandon();
  const durationMs = performance.now() - startedAt;
  try {
    return { durationMs, pid: started.pid, ...output.capture(), leftProcesses: 0 };
  } finally {
    output.close(() => isGone);
  }
}
