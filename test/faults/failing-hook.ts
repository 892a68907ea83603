import { until } from '../support/until.js';
import { circuitStory } from './hook-story.js';
import { type RemoteScene, withRemoteHooks } from './remote-hooks.js';

export const forever = 2_147_483_647;

/** A hook that has failed once, so that its circuit is open. The function is called as soon as the hook may be tried again. */
export function whenTriedAgain(use: (scene: RemoteScene) => Promise<void>): Promise<void> {
  return withRemoteHooks(
    (command) => [command()],
    async (scene) => {
      const fired = scene.fire();
      await (await scene.rig.nextRun()).exit(1);
      await fired;
      expect(circuitStory(scene.progress)).toEqual(['open']);
      await until(
        'the circuit lets the hook try again',
        () => scene.hooks.explain('BeforeTool', { tool_name: 't' }).hooks[0]?.wouldRun === true,
      );
      await use(scene);
    },
    { circuitBreaker: { failures: 1, windowMs: forever, pauseMs: 100 } },
  );
}
