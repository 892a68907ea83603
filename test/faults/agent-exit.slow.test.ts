import { expectNothingLeft, whileHookRuns } from './agent-with-hook.js';
import { fault } from './fault.js';

fault('C10', () =>
  whileHookRuns({ thereafter: `throw new Error('of the agent');` }, async (scene) => {
    scene.agent.goOn();
    expect(await scene.agent.ended).toMatchObject({ status: 1, signal: null, stderr: expect.stringContaining('Error: of the agent') });
    await expectNothingLeft(scene);
  }),
);
