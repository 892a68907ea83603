import type { HookExecutor } from '@tenterhook/protocol';
import { createLog } from '@tenterhook/runtime/log';

const log = createLog('runner');

/** Longer than ours takes for a process that not even SIGKILL ends. */
const longestMs = 10_000;

/** Executors are handed in by hosts; one that never ends must not keep the system from ending. Never rejects. */
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
