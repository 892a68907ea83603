import { createHooks } from 'tenterhook';
import { until } from '../support/until.js';
import { type RemoteRig, remoteRig } from './rig.js';

let rig: RemoteRig;
afterEach(() => rig.dispose());

async function withGuard(): Promise<void> {
  rig = await remoteRig();
  rig.handle('guard', () => ({ action: 'Block' }));
  rig.engine.connect(rig.engineBus, { name: 'policy' });
  expect(await rig.remote.waitFor('policy')).toBe(true);
}

test('a system that ends does not take the handlers from another one that shares them', async () => {
  await withGuard();
  const other = await createHooks({ projectDir: '/', settings: {}, handlers: [rig.remote] });
  await other.dispose();
  expect((await rig.fire()).verdict.kind).toBe('deny');
  // It still listens, too.
  rig.engine.unregister('guard');
  await until('its farewell is heard', () => rig.remote.engines.length === 0);
});

test('explain names the engine, and says when it does not answer', async () => {
  await withGuard();
  const reason = () => rig.hooks.explain('BeforeTool', { tool_name: 'Bash', tool_input: {} }).hooks[0]?.reason;
  expect(reason()).toContain('engine "policy" in another process');
  expect(reason()).not.toContain('does not answer');
  await rig.engineBus.close();
  expect((await rig.fire()).outcomes).toMatchObject([{ status: 'failed' }]);
  expect(reason()).toContain('engine "policy" in another process, which does not answer');
});
