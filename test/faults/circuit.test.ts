import { outcomeAt, settingsOf, warningCodes, withHooks } from '../support/fire-hooks.js';
import { forever, whenTriedAgain } from './failing-hook.js';
import { fault } from './fault.js';
import { circuitStory } from './hook-story.js';

const failing = 'echo ran >> log; exit 1';
const untilReload = { failures: 2, windowMs: forever, pauseMs: forever };

fault('K1', async () => {
  await withHooks({ settings: settingsOf('BeforeTool', [failing]), circuitBreaker: untilReload }, async ({ handler, progress, read }) => {
    for (const _ of [1, 2]) expect(outcomeAt(await handler.fireBeforeToolEvent('t', {}), 0).status).toBe('failed');
    const result = await handler.fireBeforeToolEvent('t', {});
    expect(result).toMatchObject({ success: true, verdict: { kind: 'none' }, errors: [] });
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'skipped', skipReason: 'circuit-open', warnings: [{ code: 'circuit_open' }] });
    expect(circuitStory(progress)).toEqual(['open']);
    expect(read('log')).toBe('ran\nran\n');
  });
});

fault('K2', async () => {
  const guard = { name: 'guard', command: failing, onError: 'block' };
  await withHooks({ settings: settingsOf('BeforeTool', [guard]), circuitBreaker: untilReload }, async ({ handler, read }) => {
    for (const _ of [1, 2]) await handler.fireBeforeToolEvent('t', {});
    const result = await handler.fireBeforeToolEvent('t', {});
    expect(result.verdict).toMatchObject({ kind: 'deny', by: ['llxprt/settings/BeforeTool/guard'] });
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'skipped', skipReason: 'circuit-open', failedClosed: true });
    expect(warningCodes(outcomeAt(result, 0))).toEqual(['circuit_open', 'failed_closed']);
    expect(read('log')).toBe('ran\nran\n');
  });
});

fault('K3', async () => {
  await whenTriedAgain(async ({ rig, fire, progress }) => {
    const tried = fire();
    const trial = await rig.nextRun();
    expect(outcomeAt(await fire(), 0)).toMatchObject({ status: 'skipped', skipReason: 'circuit-open' });
    await trial.exit(0);
    expect(outcomeAt(await tried, 0).status).toBe('succeeded');
    const both = [fire(), fire()];
    for (const run of await Promise.all([rig.nextRun(), rig.nextRun()])) await run.exit(0);
    for (const result of await Promise.all(both)) expect(outcomeAt(result, 0).status).toBe('succeeded');
    expect(circuitStory(progress)).toEqual(['open', 'half-open', 'closed']);
  });
});

fault('K5', async () => {
  await withHooks({ settings: settingsOf('BeforeTool', [failing]), circuitBreaker: untilReload }, async ({ hooks, handler }) => {
    const fire = async () => outcomeAt(await handler.fireBeforeToolEvent('t', {}), 0).status;
    expect([await fire(), await fire(), await fire()]).toEqual(['failed', 'failed', 'skipped']);
    await hooks.reload();
    expect([await fire(), await fire(), await fire()]).toEqual(['failed', 'failed', 'skipped']);
  });
});
