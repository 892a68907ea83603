import type { HookExecutionResponse } from '@tenterhook/protocol';
import { says, settingsOf, withHooks } from '../support/fire-hooks.js';
import { cancelBeforeSecond, limits } from './cancelled-event.js';
import { fault } from './fault.js';
import { holdLifeline, openLifeline } from './lifeline.js';
import { growTree } from './process-tree.js';
import { type RemoteScene, toolRequest, withRemoteHooks } from './remote-hooks.js';

const done = says({ systemMessage: 'done' });

/** Resolves to the next response on the bus. */
function nextResponse({ hooks }: RemoteScene): Promise<HookExecutionResponse> {
  return new Promise((resolve) => {
    const unsubscribe = hooks.bus.subscribe('HOOK_EXECUTION_RESPONSE', ({ payload }) => {
      unsubscribe();
      resolve(payload);
    });
  });
}

fault('C2', () =>
  withRemoteHooks(
    (command) => [done, command()],
    async (scene) => {
      const { hooks, progress, rig } = scene;
      const response = hooks.bus.request('HOOK_EXECUTION_REQUEST', toolRequest);
      const tree = await growTree(await rig.nextRun());
      hooks.bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: progress[0]?.correlationId ?? '', reason: 'Esc' } });
      const outcomes = [{ status: 'succeeded', output: { systemMessage: 'done' } }, { status: 'cancelled' }];
      expect(await response).toMatchObject({ success: false, error: { code: 'cancelled', details: { outcomes } } });
      await tree.ended;
    },
    { limits, sequential: true },
  ),
);

fault('C3', () =>
  withRemoteHooks(
    (command) => [command()],
    async (scene) => {
      const response = nextResponse(scene);
      const subscription = scene.hooks.bus.requestStream('HOOK_EXECUTION_REQUEST', toolRequest).subscribe(() => {});
      const tree = await growTree(await scene.rig.nextRun());
      subscription.unsubscribe();
      expect(await response).toMatchObject({ success: false, error: { code: 'cancelled' } });
      await tree.ended;
    },
    { limits },
  ),
);

fault('C4', async () => {
  const guard = 'echo no >&2; exit 2';
  const tree = `${holdLifeline} trap '' TERM; setsid sleep 600 & sleep 600`;
  await withHooks({ settings: settingsOf('BeforeTool', [guard, tree]), limits }, async ({ handler, projectDir }) => {
    const lifeline = openLifeline(projectDir);
    // Long enough for both hooks to start, and for the guard to answer.
    const result = await handler.fire(toolRequest.eventName, toolRequest.input, { timeoutMs: 3000 });
    expect(result).toMatchObject({ success: false, verdict: { kind: 'deny', reason: 'no' } });
    expect(result.errors.map(({ code }) => code)).toEqual(['timeout', 'cancelled']);
    expect(result.outcomes.map(({ status }) => status)).toEqual(['blocked', 'cancelled']);
    await lifeline.released;
  });
});

fault('C6', () => cancelBeforeSecond({ sequential: true }));
