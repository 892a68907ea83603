import { connect } from '@nats-io/transport-node';
import { MessageBus } from '@tenterhook/bus';
import { HookEngine, type RemoteHandlersOptions, remoteHandlers } from '@tenterhook/handlers';
import type { Hooks } from 'tenterhook';
import { testWithNats } from '../../support/nats-server.js';
import { plainTranslator } from '../../support/plain-translator.js';
import { until } from '../../support/until.js';
import { withPolicyScene } from './policy-scene.js';
import { remoteRig } from './rig.js';

const required = ['policy'];
const remedy = 'The agent requires the engine "policy". Start or repair it, or remove "policy" from "required" of remoteHandlers.';

async function fire(hooks: Hooks, tool: string) {
  const { verdict, outcomes } = await hooks.getEventHandler().fireBeforeToolEvent(tool, { command: 'ls' });
  return { verdict, ran: outcomes.filter(({ status }) => status !== 'skipped').map(({ name, status }) => `${name}: ${status}`) };
}

/** A deny whose reason names the engine and what to do. */
const closed = (why: string) => ({
  kind: 'deny',
  reason: expect.stringMatching(new RegExp(`"policy".*${why}.*${remedy.replaceAll(/[.()]/g, '\\$&')}`, 's')),
});

testWithNats('an engine that is there decides with the local hooks, and one that has left closes the agent until another is there', () =>
  withPolicyScene(async (scene) => {
    const { hooks, remote } = await scene.agent({ required });
    const policy = await scene.policy('7');
    expect(await remote.waitFor('policy')).toBe(true);
    expect((await fire(hooks, 'continues')).ran).toEqual(['continues: succeeded', 'allows: succeeded']);
    expect((await fire(hooks, 'blocks')).verdict).toMatchObject({ kind: 'deny', reason: 'the policy 7 says no' });
    expect((await fire(hooks, 'local-deny')).verdict).toMatchObject({ kind: 'deny', reason: 'not on this machine' });
    // No hook of the engine is for this tool, so the engine is not asked.
    expect((await fire(hooks, 'other')).verdict.kind).toBe('allow');

    await policy.leave();
    await until('the agent knows', () => remote.engines[0]?.isAbsent === true);
    const { verdict, ran } = await fire(hooks, 'other');
    expect(verdict).toMatchObject({ ...closed('it has disconnected'), by: ['handlers/handler/BeforeTool/required:policy'] });
    expect(ran).toEqual(['required:policy: failed']);
    // A result that the engine could not check is withheld.
    const { finalOutput } = await hooks.getEventHandler().fireAfterToolEvent('other', {}, { llmContent: 'secret' });
    expect(JSON.stringify(finalOutput)).not.toContain('secret');

    await scene.policy('8');
    expect(await remote.waitFor('policy')).toBe(true);
    expect((await fire(hooks, 'other')).verdict.kind).toBe('allow');
    expect((await fire(hooks, 'blocks')).verdict.reason).toBe('the policy 8 says no');
  }),
);

testWithNats('an engine that dies in the middle, hangs or answers garbage denies, with the engine and a remedy in the reason', () =>
  withPolicyScene(async (scene) => {
    const { hooks, remote } = await scene.agent({ required });
    const policy = await scene.policy();
    expect(await remote.waitFor('policy')).toBe(true);
    expect((await fire(hooks, 'garbage')).verdict).toMatchObject({
      kind: 'deny',
      reason: expect.stringMatching(/answered 7.*requires the engine "policy"/s),
    });
    expect((await fire(hooks, 'hangs')).verdict).toMatchObject({
      kind: 'deny',
      reason: expect.stringMatching(/1000 ms.*requires the engine "policy"/s),
    });
    expect((await fire(hooks, 'continues')).verdict.kind).toBe('allow');
    const wasCalled = policy.called();
    const fired = fire(hooks, 'hangs');
    await wasCalled;
    await policy.kill();
    expect((await fired).verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining(remedy) });
    expect((await fire(hooks, 'continues')).verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining(remedy) });
    expect((await fire(hooks, 'other')).verdict).toMatchObject(closed(''));
  }),
);

testWithNats('a process that is stopped closes the agent at its first call, and opens it when it goes on', () =>
  withPolicyScene(async (scene) => {
    const { hooks, remote } = await scene.agent({ required });
    const policy = await scene.policy();
    expect(await remote.waitFor('policy')).toBe(true);
    policy.signal('SIGSTOP');
    expect((await fire(hooks, 'hangs')).verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining(remedy) });
    expect((await fire(hooks, 'other')).verdict).toMatchObject(closed('no answer within 1000 ms'));
    policy.signal('SIGCONT');
    expect(await remote.waitFor('policy', { timeoutMs: 20_000 })).toBe(true);
    expect((await fire(hooks, 'other')).verdict.kind).toBe('allow');
  }),
);

testWithNats('without the server the agent is closed', () =>
  withPolicyScene(async (scene) => {
    const { hooks, remote } = await scene.agent({ required });
    await scene.policy();
    expect(await remote.waitFor('policy')).toBe(true);
    await scene.server.kill();
    await until('the agent has lost the connection', () => remote.engines[0]?.isAbsent === true);
    expect((await fire(hooks, 'other')).verdict).toMatchObject(closed('the connection to it was lost'));
    await scene.server.restart();
    expect(await remote.waitFor('policy', { timeoutMs: 20_000 })).toBe(true);
    expect((await fire(hooks, 'other')).verdict.kind).toBe('allow');
  }),
);

testWithNats('an engine that was never there closes the agent: no tool runs and no model is called', () =>
  withPolicyScene(async (scene) => {
    const { hooks } = await scene.agent({ required });
    const agent = hooks.agent();
    const calls: string[] = [];
    const execute = () => ({ llmContent: String(calls.push('tool')) });
    const tool = await agent.tool({ name: 'other', input: {}, execute, maxRetries: 0 });
    expect(tool).toMatchObject({
      status: 'blocked',
      reason: expect.stringMatching(/The engine "policy" is not ready: it is not connected|it has not connected yet/),
    });
    const model = await agent.model({
      request: { model: 'm', messages: [{ role: 'user', content: 'hello' }] },
      translator: plainTranslator(),
      call: () => {
        calls.push('model');
        return { text: 'hi' };
      },
      maxRetries: 0,
    } as never);
    expect(model.status).toBe('blocked');
    expect(calls).toEqual([]);
  }),
);

test('an engine that connects while the first event waits is asked by the next attempt of the agent', async () => {
  const rig = await remoteRig({ required });
  rig.handle('guard', () => ({ action: 'Block', reason: 'asked' }));
  try {
    const tool = rig.hooks.agent().tool({ name: 'Bash', input: {}, execute: () => ({ llmContent: 'ran' }) });
    rig.engine.connect(rig.engineBus, { name: 'policy' });
    // The first attempt was planned without the hook of the engine. It must not decide.
    expect(await tool).toMatchObject({ status: 'blocked', reason: 'asked' });
  } finally {
    await rig.dispose();
  }
});

test('an engine that is refused, or has a hook that cannot be used, closes the agent with the cause', async () => {
  const rig = await remoteRig({ required, accept: ({ version }) => version !== '1' });
  try {
    rig.handle('guard', () => undefined);
    const first = rig.engine.connect(rig.engineBus, { name: 'policy', version: '1' });
    await until('it is refused', () => rig.hooks.diagnostics.length > 0);
    expect((await rig.fire()).verdict).toMatchObject(closed('it was refused, because "accept" refused it'));
    first.disconnect();
    rig.engine.connect(rig.engineBus, { name: 'policy', version: '2' });
    expect(await rig.remote.waitFor('policy')).toBe(true);
    expect((await rig.fire()).verdict.kind).toBe('none');
    const hooks = [{ id: 'guard', event_type: 'pre_tool_use', matcher: { command_pattern: '(' } }];
    rig.engineBus.publish({ type: 'HOOK_HANDLER_ANNOUNCE', payload: { engineId: 'other', name: 'policy', hooks } });
    await until('it is announced', () => rig.remote.engines[0]?.engineId === 'other');
    expect((await rig.fire()).verdict).toMatchObject(closed('one of its hooks cannot be used'));
  } finally {
    await rig.dispose();
  }
});

test('an engine that is forgotten, or whose handlers are closed, closes the agent', async () => {
  const rig = await remoteRig({ required });
  try {
    rig.handle('guard', () => undefined);
    rig.engine.connect(rig.engineBus, { name: 'policy' });
    expect(await rig.remote.waitFor('policy')).toBe(true);
    expect(rig.remote.forget('policy')).toBe(true);
    expect((await rig.fire()).verdict).toMatchObject(closed('it is not connected'));
    rig.remote.close();
    expect((await rig.fire()).verdict).toMatchObject(closed('remoteHandlers was closed'));
    expect(rig.hooks.explain('BeforeTool', { tool_name: 'Bash', tool_input: {} }).hooks).toMatchObject([
      {
        name: 'required:policy',
        wouldRun: true,
        reason: expect.stringContaining('because the required engine "policy" is not ready: remoteHandlers was closed'),
      },
    ]);
  } finally {
    await rig.dispose();
  }
});

test('an agent whose bus is closed is closed', async () => {
  const rig = await remoteRig({ required });
  try {
    rig.engine.register({ id: 'guard', event_type: 'pre_tool_use', matcher: { tool: 'other' } });
    rig.engine.register_handler('guard', { handle: () => undefined });
    rig.engine.connect(rig.engineBus, { name: 'policy' });
    expect(await rig.remote.waitFor('policy')).toBe(true);
    expect((await rig.fire()).verdict.kind).toBe('none');
    await rig.agentBus.close();
    expect((await rig.fire()).verdict).toMatchObject(closed('the bus was closed'));
  } finally {
    await rig.dispose();
  }
});

test('while a hook of the engine is paused because it keeps failing, the agent is closed, and the reason names the engine', async () => {
  const circuitBreaker = { failures: 2, windowMs: 2_147_483_647, pauseMs: 2_147_483_647 };
  const rig = await remoteRig({ required, options: { circuitBreaker } });
  let [calls, executed] = [0, 0];
  const fail = () => {
    calls += 1;
    throw new Error('x'.repeat(900));
  };
  try {
    rig.handle('guard', fail);
    rig.engine.register({ id: 'redacts', event_type: 'post_tool_use' });
    rig.engine.register_handler('redacts', { handle: fail });
    rig.engine.connect(rig.engineBus, { name: 'policy', version: '7' });
    expect(await rig.remote.waitFor('policy')).toBe(true);
    for (const _ of [1, 2]) expect((await rig.fire()).verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining(remedy) });
    const { verdict, outcomes } = await rig.fire();
    expect(calls).toBe(2);
    expect(outcomes).toMatchObject([
      { name: 'guard', status: 'skipped', skipReason: 'circuit-open', failedClosed: true, engine: { name: 'policy', version: '7' } },
    ]);
    expect(verdict).toMatchObject({ kind: 'deny', reason: expect.stringMatching(/is skipped: it failed 2 times/) });
    expect(verdict.reason).toContain(remedy);

    const execute = () => {
      executed += 1;
      return { llmContent: 'ran' };
    };
    const { status, reason } = await rig.hooks.agent().tool({ name: 'Bash', input: {}, execute, maxRetries: 0 });
    expect({ status, executed }).toEqual({ status: 'blocked', executed: 0 });
    expect(reason).toContain(remedy);

    // A result that the engine could not check is withheld.
    const after = () => rig.hooks.getEventHandler().fireAfterToolEvent('Bash', {}, { llmContent: 'secret' });
    for (const _ of [1, 2]) await after();
    const withheld = await after();
    expect(withheld.outcomes).toMatchObject([{ name: 'redacts', skipReason: 'circuit-open', failedClosed: true }]);
    expect(JSON.stringify(withheld.finalOutput)).not.toContain('secret');

    rig.handle('guard', () => undefined, { timeout_ms: 5000 });
    await until('the repaired hook is announced', async () => (await rig.fire()).verdict.kind === 'none');
  } finally {
    await rig.dispose();
  }
});

test('async hooks of a required engine are not waited for, and other engines fail open', async () => {
  const rig = await remoteRig({ required });
  const other = new HookEngine();
  try {
    rig.handle('logger', () => 7, { async_execution: true });
    other.register({ id: 'optional', event_type: 'pre_tool_use' });
    other.register_handler('optional', { handle: () => 7 as never });
    rig.engine.connect(rig.engineBus, { name: 'policy' });
    other.connect(rig.engineBus, { name: 'other' });
    expect(await rig.remote.waitFor('policy')).toBe(true);
    expect(await rig.remote.waitFor('other')).toBe(true);
    const { verdict, outcomes } = await rig.fire();
    expect(verdict.kind).toBe('none');
    expect(outcomes.map(({ name, status }) => `${name}: ${status}`)).toEqual(['logger: detached', 'optional: failed']);
  } finally {
    await rig.dispose();
  }
});

test.each([['policy'], [[7]], [['']], [null]])('required: %p is refused', async (value) => {
  const bus = new MessageBus();
  try {
    const options = { accept: () => true, required: value } as unknown as RemoteHandlersOptions;
    expect(() => remoteHandlers(bus, options)).toThrow(TypeError);
  } finally {
    await bus.close();
  }
});

testWithNats('a stranger that announces that the engine has left cannot open the agent', () =>
  withPolicyScene(async (scene) => {
    const { hooks, remote } = await scene.agent({ required });
    await scene.policy();
    expect(await remote.waitFor('policy')).toBe(true);
    const raw = await connect({ servers: scene.server.url });
    try {
      const payload = { engineId: remote.engines[0]?.engineId, name: 'policy', hooks: [] };
      raw.publish('tenterhook.default.log.announce.-', JSON.stringify({ type: 'HOOK_HANDLER_ANNOUNCE', payload }));
      await raw.flush();
      // The agent asks the engine, which announces itself again. Until then the event is denied, and afterwards the hook denies it.
      expect((await fire(hooks, 'blocks')).verdict.kind).toBe('deny');
    } finally {
      await raw.close();
    }
  }),
);
