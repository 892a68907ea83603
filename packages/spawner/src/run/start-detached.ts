import { type Attempt, type SpawnRequest, spawnProcess } from './spawn-process.js';

/** A process that goes on after ours. */
export interface DetachedProcess {
  readonly pid: number;
  /** Resolves when the process ends, if ours still runs then. */
  readonly ended: Promise<unknown>;
}

/** Starts a program that goes on after our process, in a session of its own. `output` is a descriptor for what it prints. */
export async function startDetached(
  request: Pick<SpawnRequest, 'file' | 'args' | 'cwd' | 'env'> & { readonly output?: number | undefined },
): Promise<Attempt<DetachedProcess>> {
  const { output = 'ignore', ...program } = request;
  const started = await spawnProcess({ ...program, stdio: ['ignore', output, output] });
  if ('error' in started) return started;
  const { pid, ended, unref } = started.spawned;
  unref();
  return { pid, ended };
}
