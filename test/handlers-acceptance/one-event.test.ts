import { HookEngine } from '@tenterhook/handlers';
import { says, settingsOf, withHooks } from '../support/fire-hooks.js';
import { toolUse, ways } from './both-ways.js';

test('a3s 37: a handler that blocks decides before a hook of a settings file that allows', async () => {
  const engine = new HookEngine();
  engine.register({ id: 'guard', event_type: 'pre_tool_use' });
  engine.register_handler('guard', { handle: () => ({ action: 'Block', reason: 'no' }) });
  const settings = settingsOf('BeforeTool', [`touch ran; ${says({ decision: 'allow' })}`]);
  await withHooks({ settings, handlers: [engine] }, async ({ handler, read }) => {
    const { verdict, outcomes } = await handler.fireBeforeToolEvent('Bash', { command: 'ls' });
    expect(verdict).toEqual({ kind: 'deny', stop: false, reason: 'no', by: ['handlers/handler/BeforeTool/guard'], stoppedBy: [] });
    expect(outcomes.map(({ dialect, status, skipReason }) => [dialect, status, skipReason])).toEqual([
      ['handlers', 'blocked', undefined],
      ['llxprt', 'skipped', 'chain-ended'],
    ]);
    expect(read('ran')).toBeUndefined();
  });
});

test('a3s 38: a handler that goes on is no opinion, and never an allow', async () => {
  const engine = new HookEngine();
  engine.register({ id: 'quiet', event_type: 'pre_tool_use' });
  engine.register_handler('quiet', { handle: () => ({ action: 'Continue' }) });
  await withHooks({ settings: {}, handlers: [engine] }, async ({ handler }) => {
    const { verdict, outcomes } = await handler.fireBeforeToolEvent('Bash', { command: 'ls' });
    expect(verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
    expect(outcomes).toMatchObject([{ status: 'succeeded', warnings: [] }]);
  });
});

describe.each(ways)('%s', (_, fire) => {
  test('a3s 38: that holds for a skip, too', async () => {
    const engine = new HookEngine();
    engine.register({ id: 'quiet', event_type: 'pre_tool_use' });
    engine.register_handler('quiet', { handle: () => ({ action: 'Skip' }) });
    expect(await fire(engine, toolUse())).toEqual({ action: 'Continue', warnings: [] });
  });
});
