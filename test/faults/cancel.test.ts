import type { HookExecutionResponse } from '@tenterhook/protocol';
import { outcomeAt, says, settingsOf, warningCodes, withHooks } from '../support/fire-hooks.js';
import { fault } from './fault.js';
import { holdLifeline, openLifeline } from './lifeline.js';
import { isRunning } from './process-state.js';
import { growTree } from './process-tree.js';
import { type RemoteScene, toolRequest, withRemoteHooks } from './remote-hooks.js';

/** SIGTERM does not end these trees, and SIGKILL shall not be long in coming. */
const limits = { killGraceMs: 300 };
const done = says({ systemMessage: 'done' });

/** The response that anybody on the bus sees. */
function nextResponse({ hooks }: RemoteScene): Promise<HookExecutionResponse> {
  return new Promise((resolve) => {
    const unsubscribe = hooks.bus.subscribe('HOOK_EXECUTION_RESPONSE', ({ payload }) => {
      unsubscribe();
      resolve(payload);
    });
  });
}

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
    // Enough for both to start, and for the guard to answer.
    const result = await handler.fire(toolRequest.eventName, toolRequest.input, { timeoutMs: 3000 });
    expect(result).toMatchObject({ success: false, verdict: { kind: 'deny', reason: 'no' } });
    expect(result.errors.map(({ code }) => code)).toEqual(['timeout', 'cancelled']);
    expect(result.outcomes.map(({ status }) => status)).toEqual(['blocked', 'cancelled']);
    await lifeline.released;
  });
});

/** The second of two hooks never has a turn, because the event is cancelled while the first runs. */
function cancelBeforeSecond(options: { readonly sequential?: boolean; readonly limits?: { readonly concurrency: number } }): Promise<void> {
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

fault('C5', () => cancelBeforeSecond({ limits: { concurrency: 1 } }));

fault('C6', () => cancelBeforeSecond({ sequential: true }));

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
