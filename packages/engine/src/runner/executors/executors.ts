import type { HookExecutor } from '@tenterhook/protocol';
import type { SpawnerLimits } from '@tenterhook/spawner';
import { createCommandExecutor } from './command-executor.js';
import { createHostExecutor, type HostCallback, requireCallbacks } from './host-executor.js';
import { createHttpExecutor, type HttpOptions, requireHttpOptions } from './http/http-executor.js';

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
