import { type Attempt, type ProcessEnd, type SpawnRequest, spawnProcess } from './spawn-process.js';

const passed = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP'] as const;
/** What a terminal sends for a key to all processes that use it. */
const sentByKeys: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];

/**
 * Runs a program of the user with our streams and our terminal, and waits for its end. Signals to our process are passed to the program
 * and do not end our process, so that the caller can finish its work after the program. There is no deadline: the program is the user's.
 */
export async function runAttached(request: Pick<SpawnRequest, 'file' | 'args' | 'cwd' | 'env'>): Promise<Attempt<ProcessEnd>> {
  let pid: number | undefined;
  const pass = (signal: NodeJS.Signals) => {
    // On a terminal the program has received the key too. A second signal would make many programs end without their cleanup.
    if (pid === undefined || (process.stdin.isTTY && sentByKeys.includes(signal))) return;
    try {
      process.kill(pid, signal);
    } catch {
      // The program has ended.
    }
  };
  for (const signal of passed) process.on(signal, pass);
  try {
    const started = await spawnProcess({ ...request, stdio: ['inherit', 'inherit', 'inherit'], attached: true }, (started) => {
      pid = started;
    });
    return 'error' in started ? started : await started.spawned.ended;
  } finally {
    for (const signal of passed) process.off(signal, pass);
  }
}
