import { outcomeAt, settingsOf, warningCodes, withHooks } from '../support/fire-hooks.js';
import { fault } from './fault.js';
import { isRunning } from './process-state.js';
import { withRemoteHooks } from './remote-hooks.js';

/** An answer that blocks by what the hook prints. */
const denies = '{"decision":"deny","reason":"no"}';
const denied = { verdict: { kind: 'deny', reason: 'no' } };

fault('L1', () =>
  withRemoteHooks(
    (command) => [command()],
    async ({ fire, hooks, rig }) => {
      const fired = fire();
      const run = await rig.nextRun();
      const child = await run.fork();
      void run.stderr('no');
      void run.exit(2);
      const result = await fired;
      expect(result).toMatchObject({ ...denied, errors: [] });
      const left = { code: 'left_processes', message: expect.stringContaining('left 1 of its processes') };
      expect(outcomeAt(result, 0)).toMatchObject({ status: 'blocked', exitCode: 2, warnings: [left] });
      await hooks.dispose();
      expect(isRunning(child.pid)).toBe(true);
    },
  ),
);

fault('L2', () =>
  withRemoteHooks(
    (command) => [command()],
    async ({ fire, hooks, rig }) => {
      const fired = fire();
      const run = await rig.nextRun();
      const daemon = await run.fork({ detached: true });
      void run.stdout(denies);
      void run.exit(0);
      expect(await fired).toMatchObject({ ...denied, outcomes: [{ status: 'blocked', warnings: [{ code: 'left_processes' }] }] });
      await hooks.dispose();
      expect(isRunning(daemon.pid)).toBe(true);
    },
  ),
);

// The child notices at once that the hook has ended, waits until the agent must have noticed it, too, and then writes in small steps.
const answersLate = `mkfifo never; printf '{"decision":'
exec 8> >(cat; while kill -0 $$ 2> /dev/null; do :; done
  for piece in '"deny"' ',"reason"' ':"no"}'; do read -t 0.004 <> never; printf "$piece"; done)`;

fault('L3', async () => {
  await withHooks({ settings: settingsOf('BeforeTool', [answersLate]) }, async ({ handler }) => {
    expect(await handler.fireBeforeToolEvent('write_file', {})).toMatchObject({
      ...denied,
      outcomes: [{ status: 'blocked', stdout: denies }],
    });
  });
});

fault('L4', () =>
  withRemoteHooks(
    (command) => [command()],
    async ({ fire, rig }) => {
      const fired = fire();
      const run = await rig.nextRun();
      const child = await run.fork();
      // Finally the pipe has no reader, and the write fails.
      child.flood({ stream: 'stderr', bytes: Number.MAX_SAFE_INTEGER, chunkBytes: 256 }).catch(() => {});
      void run.stdout(denies);
      void run.exit(0);
      const result = await fired;
      const outcome = outcomeAt(result, 0);
      expect(isRunning(child.pid)).toBe(true);
      expect(result).toMatchObject(denied);
      expect(outcome).toMatchObject({ status: 'blocked', stdout: denies, truncated: true });
      expect(outcome.stderr?.length).toBeLessThanOrEqual(1000);
      expect(warningCodes(outcome)).toEqual(['output_truncated', 'left_processes']);
    },
    { limits: { stderrBytes: 1000 } },
  ),
);
