import { outcomeAt, warningCodes } from '../support/fire-hooks.js';
import { until } from '../support/until.js';
import { fault } from './fault.js';
import { hookStory } from './hook-story.js';
import { withRemoteHooks } from './remote-hooks.js';

const abc = (command: (label: string) => string) => ['a', 'b', 'c'].map((name) => ({ name, command: command(name) }));

fault('P1', async () => {
  await withRemoteHooks(
    abc,
    async ({ rig, fire, progress }) => {
      const fired = fire();
      for (const name of ['a', 'b', 'c']) await (await rig.nextRun(name)).exit(0);
      expect((await fired).outcomes.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
      expect(hookStory(progress)).toEqual(['a started', 'a succeeded', 'b started', 'b succeeded', 'c started', 'c succeeded']);
    },
    { limits: { concurrency: 1 } },
  );
});

fault('P2', async () => {
  await withRemoteHooks(
    abc,
    async ({ rig, fire, progress }) => {
      const fired = fire();
      const a = await rig.nextRun('a');
      await until('a hook has finished', () => progress.some(({ kind }) => kind === 'hook-finished'));
      expect(hookStory(progress)).toContain('c cancelled');
      await a.exit(0);
      await (await rig.nextRun('b')).exit(0);
      const result = await fired;
      expect(result.outcomes.map(({ name, status }) => `${name} ${status}`)).toEqual(['a succeeded', 'b succeeded', 'c cancelled']);
      expect(warningCodes(outcomeAt(result, 2))).toEqual(['not_started', 'failed_closed']);
      expect(outcomeAt(result, 2).limited).toBe(true);
      expect(result.verdict.kind).toBe('deny');
    },
    { limits: { concurrency: 1, queued: 1 } },
  );
});
