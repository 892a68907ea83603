import type { HandlerWarning } from '@tenterhook/handlers';
import { until } from '../support/until.js';
import { type RemoteRig, remoteRig } from './rig.js';

let rig: RemoteRig;
afterEach(() => rig.dispose());

/** What the process of the handler is told; the agent has its outcomes. */
async function warningsOf(answer: Parameters<RemoteRig['handle']>[1], config = {}) {
  rig = await remoteRig();
  const warnings: HandlerWarning[] = [];
  rig.engine.warnings$.subscribe((warning) => warnings.push(warning));
  rig.handle('guard', answer, config);
  const { engineId } = rig.engine.connect(rig.engineBus, { name: 'policy' });
  expect(await rig.remote.waitFor('policy')).toBe(true);
  return { warnings, engineId };
}

test.each([
  [
    'throws',
    () => {
      throw new Error('boom');
    },
    'boom',
  ],
  ['rejects', () => Promise.reject(new Error('boom')), 'boom'],
  ['answers what is no answer', () => 7, '7'],
  ['answers an action that does not exist', () => ({ action: 'Blok' }), '"Blok"'],
])('the process of a handler that %s is told', async (_what, answer, word) => {
  const { warnings } = await warningsOf(answer);
  expect((await rig.fire()).outcomes).toMatchObject([{ status: 'failed', warnings: [{ code: 'hook_failed' }] }]);
  await until('the warning is shown', () => warnings.length > 0);
  expect(warnings).toEqual([{ hook_id: 'guard', code: 'hook_failed', message: expect.stringContaining(word) }]);
});

test('the process of a handler whose answer is read with a warning is told', async () => {
  const { warnings } = await warningsOf(() => ({ action: 'Block', modified: { command: 'ls' } }));
  const { outcomes, verdict } = await rig.fire();
  expect(verdict.kind).toBe('deny');
  await until('the warning is shown', () => warnings.length > 0);
  expect(warnings).toMatchObject(outcomes[0]?.warnings.map(({ code, message }) => ({ hook_id: 'guard', code, message })) ?? []);
});

test('the process of a handler that takes too long is told, also when its caller is gone', async () => {
  const { warnings, engineId } = await warningsOf(() => new Promise(() => {}));
  const event = { event_type: 'pre_tool_use', payload: { tool: 'Bash', args: {} } };
  // A call that nobody cancels: the agent has ended, or is stopped.
  const answer = await rig.agentBus.request('HOOK_HANDLER_CALL', { engineId, hookId: 'guard', event, timeoutMs: 1 });
  expect(answer).toMatchObject({ success: false, error: { code: 'timeout' } });
  await until('the warning is shown', () => warnings.length > 0);
  expect(warnings).toMatchObject([{ hook_id: 'guard', code: 'timeout' }]);
});

test('the process of a handler that takes too long is told when its caller gives up', async () => {
  const { warnings } = await warningsOf(() => new Promise(() => {}), { timeout_ms: 50 });
  expect((await rig.fire()).outcomes).toMatchObject([{ status: 'timed-out' }]);
  await until('the warning is shown', () => warnings.length > 0);
  expect(warnings).toMatchObject([{ hook_id: 'guard', code: 'timeout' }]);
});

test('the process of a handler whose event was cancelled is told of no failure', async () => {
  const control = new AbortController();
  let ended: (value: unknown) => void = () => {};
  const hasEnded = new Promise((resolve) => {
    ended = resolve;
  });
  const { warnings } = await warningsOf((_event, { signal }) => {
    signal.addEventListener('abort', ended);
    control.abort();
    return new Promise(() => {});
  });
  await rig.hooks.getEventHandler().fireBeforeToolEvent('Bash', {}, undefined, { signal: control.signal });
  await hasEnded;
  // One that is told, behind which the other would have stood.
  rig.handle('guard', () => 7);
  await rig.fire();
  await until('the answer is judged', () => warnings.length > 0);
  expect(warnings.filter(({ code }) => code !== 'hook_failed')).toEqual([]);
});
