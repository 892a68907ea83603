import { setTimeout as wait } from 'node:timers/promises';
import {
  type FoundProcess,
  findPrivateDirectories,
  findProcesses,
  type ResourceSnapshot,
  takeResourceSnapshot,
} from './resource-snapshot.js';
import type { Violations } from './violations.js';

/** The maximum growth of the heap, in bytes. Smaller growth is compiled code and caches of Node. */
export const heapToleranceBytes = 8 * 2 ** 20;

/** The time for the kernel to remove killed processes on a busy machine, in milliseconds. */
const longestWaitMs = 5000;
const lookEveryMs = 50;

/** What is left after the system was disposed. */
export interface Leftovers {
  readonly snapshot: ResourceSnapshot;
  readonly processes: number;
  readonly daemons: number;
}

export interface Search {
  /** A variable in the environment of every process of the soak. */
  readonly mark: string;
  readonly before: ResourceSnapshot;
  /** The result of `findPrivateDirectories` before the soak. An earlier process with the same pid left them behind, if there are any. */
  readonly earlierDirectories: readonly string[];
  readonly collectGarbage: () => void;
  readonly violations: Violations;
  /** The time in milliseconds after which anything that is still there counts as a leftover. @default 5000 */
  readonly patienceMs?: number;
}

/** Searches until nothing is left or the time is over. Then each leftover is a violation, and processes are ended. */
export async function findLeftovers(search: Search): Promise<Leftovers> {
  const { mark, collectGarbage, violations, patienceMs = longestWaitMs } = search;
  const until = performance.now() + patienceMs;
  let processes = findProcesses(mark);
  let snapshot = await takeResourceSnapshot(collectGarbage);
  let faults = faultsOf(processes, search, snapshot);
  while (faults.length > 0 && performance.now() < until) {
    await wait(lookEveryMs);
    processes = findProcesses(mark);
    snapshot = await takeResourceSnapshot(collectGarbage);
    faults = faultsOf(processes, search, snapshot);
  }
  for (const what of faults) violations.add({ what });
  await endAll(mark, violations);
  const daemons = processes.filter((found) => found.isDaemon).length;
  return { snapshot, processes: processes.length - daemons, daemons };
}

function faultsOf(processes: readonly FoundProcess[], { before, earlierDirectories }: Search, after: ResourceSnapshot): string[] {
  const faults = processes
    .filter((found) => !found.isDaemon)
    .map(({ pid, command }) => `the process ${pid} was left behind: ${command.slice(0, 120)}`);
  for (const directory of findPrivateDirectories())
    if (!earlierDirectories.includes(directory)) faults.push(`the private directory ${directory} was left behind`);
  if (after.descriptors > before.descriptors) {
    faults.push(`${after.descriptors} descriptors are open, ${before.descriptors} were before`);
  }
  for (const [type, count] of Object.entries(after.handles)) {
    const known = before.handles[type] ?? 0;
    if (count > known) faults.push(`${count} handles of the type ${type} are active, ${known} were before`);
  }
  if (after.heapBytes > before.heapBytes + heapToleranceBytes) {
    faults.push(`the heap has ${after.heapBytes} bytes, ${before.heapBytes} before; up to ${heapToleranceBytes} more are tolerated`);
  }
  return faults;
}

/** Ends all processes. Searches again after each round, because a daemon may have started another process. */
async function endAll(mark: string, violations: Violations): Promise<void> {
  const until = performance.now() + longestWaitMs;
  let processes = findProcesses(mark);
  while (processes.length > 0 && performance.now() < until) {
    for (const { pid } of processes) end(pid);
    await wait(lookEveryMs);
    processes = findProcesses(mark);
  }
  for (const { pid } of processes) violations.add({ what: `the process ${pid} could not be ended` });
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended by itself.
  }
}
