import { connect } from '@nats-io/transport-node';
import type { Hooks } from 'tenterhook';
import { testWithNats } from '../../support/nats-server.js';
import { until } from '../../support/until.js';
import { withPolicyScene } from './policy-scene.js';

/** Fires BeforeTool, and returns the verdict and what each hook that was asked did. */
async function fire(hooks: Hooks, tool: string) {
  const { verdict, outcomes, changes } = await hooks.getEventHandler().fireBeforeToolEvent(tool, { command: 'ls' });
  const asked = outcomes.filter(({ skipReason }) => skipReason !== 'matcher');
  return { verdict, changes, did: asked.map(({ name, status }) => `${name}: ${status}`), warnings: asked.flatMap((one) => one.warnings) };
}

testWithNats('each agent merges the answers of the service with those of its own hooks', () =>
  withPolicyScene(async (scene) => {
    await scene.policy('7');
    for (const { hooks, remote } of [await scene.agent(), await scene.agent()]) {
      expect(await remote.waitFor('policy')).toBe(true);
      expect(await fire(hooks, 'blocks')).toMatchObject({
        verdict: { kind: 'deny', reason: 'the policy 7 says no', by: ['handlers/handler/BeforeTool/blocks'] },
        did: ['blocks: blocked', 'allows: skipped'],
      });
      expect(await fire(hooks, 'local-deny')).toMatchObject({
        verdict: { kind: 'deny', reason: 'not on this machine' },
        did: ['allows: succeeded', 'denies: blocked'],
      });
      expect(await fire(hooks, 'continues')).toMatchObject({
        verdict: { kind: 'allow' },
        did: ['continues: succeeded', 'allows: succeeded'],
      });
      expect((await fire(hooks, 'rewrites')).changes).toMatchObject([{ path: 'tool_input.quiet', after: true }]);
    }
  }),
);

testWithNats('each outcome names the engine that answered, and its version', () =>
  withPolicyScene(async (scene) => {
    const { hooks, remote } = await scene.agent();
    const engineOf = async () => {
      const { outcomes } = await hooks.getEventHandler().fireBeforeToolEvent('blocks', {});
      return outcomes.find(({ name }) => name === 'blocks')?.engine;
    };
    const first = await scene.policy('7');
    expect(await remote.waitFor('policy')).toBe(true);
    expect(await engineOf()).toEqual({ name: 'policy', version: '7' });
    expect(remote.engines).toMatchObject([{ name: 'policy', version: '7' }]);
    const { hooks: explained } = hooks.explain('BeforeTool', { tool_name: 'blocks', tool_input: {} });
    expect(explained[0]).toMatchObject({
      engine: { name: 'policy', version: '7' },
      reason: expect.stringContaining('of the engine "policy", version "7", in another process'),
    });

    // The second engine takes the place of the first one, which then leaves: an upgrade.
    await scene.policy('8');
    await until('the second engine is in use', () => remote.engines[0]?.version === '8');
    await first.leave();
    expect(await engineOf()).toEqual({ name: 'policy', version: '8' });
    const local = (await hooks.getEventHandler().fireBeforeToolEvent('blocks', {})).outcomes.find(({ name }) => name === 'allows');
    expect(local?.engine).toBeUndefined();
  }),
);

testWithNats('an engine that is drained after its successor has connected answers the calls that it has', () =>
  withPolicyScene(async (scene) => {
    const { hooks, remote } = await scene.agent({ required: ['policy'] });
    const old = await scene.policy('7');
    expect(await remote.waitFor('policy')).toBe(true);
    const wasCalled = old.called();
    const fired = fire(hooks, 'waits');
    await wasCalled;
    await scene.policy('8');
    await until('the second engine is in use', () => remote.engines[0]?.version === '8');
    const left = old.leave();
    expect((await fire(hooks, 'blocks')).verdict.reason).toBe('the policy 8 says no');
    old.go();
    expect((await fired).verdict).toMatchObject({ kind: 'deny', reason: 'the policy 7 says no' });
    expect(await left).toBe(0);
  }),
);

testWithNats('accept may decide by the version', () =>
  withPolicyScene(async (scene) => {
    const { hooks, remote } = await scene.agent({ accept: ({ version }) => version === '8' });
    await scene.policy('7');
    await until('the engine is refused', () => hooks.diagnostics.some(({ code }) => code === 'unaccepted_handlers'));
    await scene.policy('8');
    expect(await remote.waitFor('policy')).toBe(true);
    expect(remote.engines).toMatchObject([{ version: '8' }]);
  }),
);

testWithNats('a service that dies in the middle, is slow or answers garbage is visible, and the local hooks decide', () =>
  withPolicyScene(async (scene) => {
    const { hooks, remote } = await scene.agent();
    const policy = await scene.policy();
    expect(await remote.waitFor('policy')).toBe(true);
    expect(await fire(hooks, 'garbage')).toMatchObject({
      verdict: { kind: 'allow' },
      did: ['garbage: failed', 'allows: succeeded'],
      warnings: [{ code: 'hook_failed', message: expect.stringContaining('7') }],
    });
    expect(await fire(hooks, 'hangs')).toMatchObject({
      verdict: { kind: 'allow' },
      did: ['hangs: timed-out', 'allows: succeeded'],
      warnings: [{ code: 'timeout' }],
    });
    // Only the handler was slow.
    expect((await fire(hooks, 'blocks')).verdict.kind).toBe('deny');
    const wasCalled = policy.called();
    const fired = fire(hooks, 'hangs');
    await wasCalled;
    await policy.kill();
    expect(await fired).toMatchObject({
      verdict: { kind: 'allow' },
      did: [expect.stringMatching(/^hangs: (timed-out|failed)$/), 'allows: succeeded'],
    });
    expect(await fire(hooks, 'blocks')).toMatchObject({
      verdict: { kind: 'allow' },
      did: ['blocks: failed', 'allows: succeeded'],
      warnings: [{ code: 'handler_absent', message: expect.stringContaining('"policy"') }],
    });
  }),
);

testWithNats('a service whose answers are malformed messages fails, and the local hooks decide', () =>
  withPolicyScene(async (scene) => {
    const { hooks, remote } = await scene.agent();
    const raw = await connect({ servers: scene.server.url });
    try {
      raw.subscribe('tenterhook.default.call.*.fake', {
        queue: 'workers',
        callback: (_error, { reply }) => {
          raw.publish(`${reply}.taken`, JSON.stringify({ worker: 'w.s', token: 't' }));
          raw.publish(`${reply}.result`, '{"type":');
        },
      });
      const payload = { engineId: 'fake', name: 'policy', hooks: [{ id: 'blocks', event_type: 'pre_tool_use' }] };
      raw.publish('tenterhook.default.log.announce.-', JSON.stringify({ type: 'HOOK_HANDLER_ANNOUNCE', payload }));
      await until('the engine is in use', () => remote.engines.length > 0);
      expect(await fire(hooks, 'blocks')).toMatchObject({
        verdict: { kind: 'allow' },
        did: ['blocks: failed', 'allows: succeeded'],
        warnings: [{ code: 'hook_failed', message: expect.stringContaining('malformed') }],
      });
    } finally {
      await raw.close();
    }
  }),
);

testWithNats('without the server the handlers fail at once, and they are back when the server is', () =>
  withPolicyScene(async (scene) => {
    const { hooks, remote } = await scene.agent();
    await scene.policy();
    expect(await remote.waitFor('policy')).toBe(true);
    await scene.server.kill();
    await until('the agent has lost the connection', () => remote.engines[0]?.isAbsent === true);
    expect(await fire(hooks, 'blocks')).toMatchObject({ verdict: { kind: 'allow' }, warnings: [{ code: 'handler_absent' }] });
    await scene.server.restart();
    expect(await remote.waitFor('policy', { timeoutMs: 20_000 })).toBe(true);
    expect((await fire(hooks, 'blocks')).verdict.kind).toBe('deny');
  }),
);
