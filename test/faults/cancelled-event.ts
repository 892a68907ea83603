import { warningCodes } from '../support/fire-hooks.js';
import { withRemoteHooks } from './remote-hooks.js';

/** SIGTERM does not end these trees, and SIGKILL shall not be long in coming. */
export const limits = { killGraceMs: 300 };

/** The second of two hooks never has a turn, because the event is cancelled while the first runs. */
export function cancelBeforeSecond(options: {
  readonly sequential?: boolean;
  readonly limits?: { readonly concurrency: number };
}): Promise<void> {
  return withRemoteHooks(
    (command) => [
      { name: 'first', command: command() },
      { name: 'second', command: 'touch second-ran' },
    ],
    async ({ fire, progress, read, rig }) => {
      const control = new AbortController();
      const fired = fire({ signal: control.signal });
      const first = await rig.nextRun();
      control.abort();
      const result = await fired;
      await first.ended;
      expect(result.outcomes).toMatchObject([{ status: 'cancelled' }, { status: 'cancelled' }]);
      expect(result.outcomes.map(warningCodes)).toEqual([['cancelled'], ['not_started']]);
      expect(progress.flatMap((message) => (message.kind === 'hook-started' ? [message.name] : []))).toEqual(['first']);
      expect(read('second-ran')).toBeUndefined();
    },
    options,
  );
}
