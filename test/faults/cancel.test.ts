import { outcomeAt } from '../support/fire-hooks.js';
import { cancelBeforeSecond, limits } from './cancelled-event.js';
import { fault } from './fault.js';
import { isRunning } from './process-state.js';
import { growTree } from './process-tree.js';
import { withRemoteHooks } from './remote-hooks.js';

fault('C1', () =>
  withRemoteHooks(
    (command) => [command()],
    async ({ fire, rig }) => {
      const control = new AbortController();
      const fired = fire({ signal: control.signal });
      const tree = await growTree(await rig.nextRun());
      control.abort();
      const result = await fired;
      expect(result).toMatchObject({ success: false, verdict: { kind: 'none' } });
      expect(result.errors.map(({ code }) => code)).toEqual(['cancelled', 'cancelled']);
      expect(outcomeAt(result, 0)).toMatchObject({ status: 'cancelled', warnings: [{ code: 'cancelled' }] });
      await tree.ended;
    },
    { limits },
  ),
);

fault('C5', () => cancelBeforeSecond({ limits: { concurrency: 1 } }));

fault('C7', () =>
  withRemoteHooks(
    (command) => [command()],
    async ({ fire, hooks, rig }) => {
      const fired = fire();
      const tree = await growTree(await rig.nextRun());
      await hooks.dispose();
      expect(tree.pids.filter(isRunning)).toEqual([]);
      const result = await fired;
      expect(result.errors.map(({ code }) => code)).toEqual(['disposed', 'cancelled']);
      expect(outcomeAt(result, 0).status).toBe('cancelled');
    },
    { limits: { killGraceMs: 600_000 } },
  ),
);
