import { warningCodes } from '../support/fire-hooks.js';
import { withRemoteHooks } from './remote-hooks.js';

/** SIGTERM does not end these trees, and SIGKILL should follow soon. */
export const limits = { killGraceMs: 300 };

/** Cancels an event while the first of two hooks runs, so that the second never runs. */
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
