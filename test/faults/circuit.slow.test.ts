import { outcomeAt } from '../support/fire-hooks.js';
import { whenTriedAgain } from './failing-hook.js';
import { fault } from './fault.js';
import { circuitStory } from './hook-story.js';

fault('K4', async () => {
  await whenTriedAgain(async ({ rig, fire, progress }) => {
    const tried = fire();
    await (await rig.nextRun()).exit(1);
    expect(outcomeAt(await tried, 0).status).toBe('failed');
    expect(circuitStory(progress)).toEqual(['open', 'half-open', 'open']);
  });
});
