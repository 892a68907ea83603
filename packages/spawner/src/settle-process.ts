import type { Deadline } from './deadline.js';
import type { ProcessEnd, StartedProcess } from './run/spawn-process.js';
import type { JobOutput } from './io/output.js';
import { countProcesses, type JobProcesses } from './job-processes.js';
import type { JobResources } from './job-resources.js';
import { isGroupAlive } from './kill/process-group.js';
import type { ProcessExit, ProcessJob } from './job.js';
import type { StopReason, StopRequest } from './cancellation.js';
import { waitForQuiet } from './wait-for-quiet.js';

/** After SIGTERM, when the spawner is disposed: the agent is leaving and the user waits. */
export const disposeGraceMs = 500;

/**
 * Bytes of each output that are kept of a job that was stopped: they are for people, who see where it stood. Many stop in one moment, and to
 * decode megabytes for each of them would make the last one late.
 */
const mostOfStopped = 65_536;

export interface RunningProcess {
  readonly job: ProcessJob;
  readonly started: StartedProcess;
  readonly processes: JobProcesses;
  readonly startedAt: number;
  readonly deadline: Deadline;
  readonly output: JobOutput;
  readonly stop: StopRequest;
  readonly resources: JobResources;
}

/** The process ended before anybody stopped it. From here on no deadline and no order changes the status; an order only ends the waiting. */
export async function settleEnded(running: RunningProcess, { exitCode, signal }: ProcessEnd): Promise<ProcessExit> {
  const { deadline, processes, output, stop, resources } = running;
  const deadlineAt = deadline.at;
  // A shell's exit code above 128 stays a code: it may mean that a child was killed, and it may be what the hook wanted to say.
  if (signal !== null) {
    kill(running, killGraceOf(running));
    // What it printed last, and nobody has read yet, is what tells why it crashed.
    await waitForQuiet(output, deadlineAt, stop);
    return { status: 'signalled', signal, ...capture(running, 0) };
  }

  // What is left after a normal exit is on its own from this moment, also when our process exits before the job has settled (decision 29).
  resources.jobs.release(processes);
  const exited = { status: 'exited' as const, exitCode: exitCode ?? 0 };
  await waitForQuiet(output, deadlineAt, stop);
  const isSomebodyLeft = isGroupAlive(processes.group) || !output.hasEnded;
  return { ...exited, ...capture(running, isSomebodyLeft ? await countProcesses(processes, deadlineAt) : 0) };
}

/** At the deadline, or by order: settles with what is there and kills behind (decision 28). */
export function settleStopped(running: RunningProcess, cause: StopReason | 'timed-out'): ProcessExit {
  const killGraceMs = killGraceOf(running);
  const graceMs = cause === 'disposed' ? Math.min(killGraceMs, disposeGraceMs) : killGraceMs;
  kill(running, graceMs);
  return { status: cause === 'timed-out' ? 'timed-out' : 'cancelled', ...capture(running, 0, mostOfStopped) };
}

function killGraceOf({ job, resources }: RunningProcess): number {
  return job.killGraceMs ?? resources.limits.killGraceMs;
}

function kill({ started, processes, output, resources }: RunningProcess, graceMs: number): void {
  // When none of them is left somebody else may hold the output, a daemon that could not be found: it is not read from for ever.
  void resources.jobs.kill(processes, graceMs).then(() => output.stop());
  // Our exit kills them too, so they are no reason for our process to stay.
  started.abandon();
}

function capture({ started, startedAt, output, resources }: RunningProcess, leftProcesses: number, most?: number) {
  const captured = { durationMs: performance.now() - startedAt, pid: started.pid, ...output.capture(most), leftProcesses };
  resources.leftoverOutputs.add(output);
  return captured;
}
