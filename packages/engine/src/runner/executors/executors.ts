import type { HookExecutor } from '@tenterhook/protocol';
import { createLog } from '@tenterhook/runtime/log';
import type { SpawnerLimits } from '@tenterhook/spawner';
import { createCommandExecutor } from './command-executor.js';
import { createHostExecutor, type HostCallback, requireCallbacks } from './host-executor.js';
import { createHttpExecutor, type HttpOptions, requireHttpOptions } from './http/http-executor.js';

const log = createLog('runner');

export interface OwnExecutorOptions {
  readonly limits?: Partial<SpawnerLimits>;
  readonly http?: HttpOptions;
  readonly callbacks?: Readonly<Record<string, HostCallback>>;
}

/** The executors of every system: commands, requests, callbacks of the host. Throws a TypeError for an invalid option. */
export function createOwnExecutors({ limits = {}, http, callbacks }: OwnExecutorOptions): HookExecutor[] {
  return [
    createCommandExecutor(limits),
    createHttpExecutor({ ...requireHttpOptions(http), limits }),
    createHostExecutor(requireCallbacks(callbacks)),
  ];
}

/** Longer than our own executor waits for a process that survives SIGKILL. */
const longestMs = 10_000;

/** Executors come from hosts: one that never ends must not block the disposal of the system. Never rejects. */
export async function disposeInTime(executor: HookExecutor): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      log('the executor "%s" was not disposed within %d ms, and is left behind', executor.kind, longestMs);
      resolve();
    }, longestMs);
  });
  try {
    await Promise.race([executor.dispose?.(), tooLong]);
  } catch (error) {
    log('the executor "%s" could not be disposed: %O', executor.kind, error);
  } finally {
    clearTimeout(timer);
  }
}
