import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MessageBus, type Transport } from '@tenterhook/bus';
import { HookEngine } from '@tenterhook/handlers';
import type { MessageOf } from '@tenterhook/protocol';
import { listenOnSocket } from '@tenterhook/transport-socket';
import { createHooks } from 'tenterhook';
import { until } from '../../support/until.js';
import { type RemoteRig, remoteRig } from './rig.js';

describe('absent engines', () => {
  let rig: RemoteRig;
  afterEach(() => rig.dispose());

  const guard = (timeout_ms: number, onError: 'continue' | 'block' = 'continue') => ({
    type: 'HOOK_HANDLER_ANNOUNCE' as const,
    payload: { engineId: 'silent', name: 'policy', hooks: [{ id: 'guard', event_type: 'pre_tool_use', config: { timeout_ms, onError } }] },
  });

  /** An engine that is announced and takes calls, but whose process then sends nothing more. */
  async function silentEngine(message: MessageOf<'HOOK_HANDLER_ANNOUNCE'>) {
    rig = await remoteRig();
    let calls = 0;
    const leave = rig.engineBus.respond(
      'HOOK_HANDLER_CALL',
      () => {
        calls += 1;
        return new Promise(() => {});
      },
      { route: 'silent' },
    );
    rig.engineBus.publish(message);
    return { leave, announce: () => rig.engineBus.publish(message), calls: () => calls };
  }

  /** Waits until the engine is absent: an event loop that was blocked past the deadline processes it in the following turns. */
  async function untilAbsent(): Promise<void> {
    while (rig.remote.engines[0]?.isAbsent !== true) await new Promise((resolve) => setImmediate(resolve));
  }

  test('a process that hangs costs one deadline, then its handlers fail at once until it is heard of', async () => {
    const silent = await silentEngine(guard(50));
    expect((await rig.fire()).outcomes).toMatchObject([{ status: 'timed-out', warnings: [{ code: 'timeout' }] }]);
    await untilAbsent();
    expect(rig.remote.engines).toMatchObject([{ name: 'policy', isAbsent: true }]);
    const { outcomes, verdict } = await rig.fire();
    expect(outcomes).toMatchObject([{ status: 'failed', warnings: [{ code: 'handler_absent' }] }]);
    expect(verdict.kind).toBe('none');
    expect(silent.calls()).toBe(1);
    silent.announce();
    expect(rig.remote.engines).toMatchObject([{ isAbsent: false }]);
    expect((await rig.fire()).outcomes).toMatchObject([{ status: 'timed-out' }]);
    expect(silent.calls()).toBe(2);
  });

  test('an absent guard denies if its onError is block', async () => {
    await silentEngine(guard(50, 'block'));
    expect((await rig.fire()).verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('50 ms') });
    await untilAbsent();
    const { verdict, outcomes } = await rig.fire();
    expect(verdict).toMatchObject({ kind: 'deny', reason: expect.stringContaining('does not answer') });
    expect(outcomes).toMatchObject([{ status: 'failed', failedClosed: true }]);
    expect(rig.remote.forget('policy')).toBe(true);
    expect((await rig.fire()).outcomes).toEqual([]);
  });

  test('a process that has ended silently is absent at once: the call has no responder', async () => {
    const { leave } = await silentEngine(guard(30_000));
    leave();
    expect((await rig.fire()).outcomes).toMatchObject([{ status: 'failed', warnings: [{ code: 'handler_absent' }] }]);
  });

  test('an absent engine is asked for, so that it need not know that it was away', async () => {
    const { leave } = await silentEngine(guard(30_000));
    leave();
    const asked = new Promise((resolve) => {
      rig.engineBus.subscribe('HOOK_HANDLER_ANNOUNCE', ({ payload }) => payload.query === true && resolve(true));
    });
    await rig.fire();
    expect(await asked).toBe(true);
  });

  test('one handler that hangs does not make a process absent that is alive', async () => {
    rig = await remoteRig();
    rig.handle('hangs', () => new Promise(() => {}), { timeout_ms: 100 });
    rig.handle('guard', () => ({ action: 'Block' }), { priority: 200 });
    rig.engine.connect(rig.engineBus, { name: 'policy' });
    await rig.remote.waitFor('policy');
    for (let round = 0; round < 2; round += 1) {
      const { outcomes, verdict } = await rig.fire();
      expect(outcomes).toMatchObject([{ status: 'timed-out' }, { status: 'blocked' }]);
      expect(verdict.kind).toBe('deny');
    }
    expect(rig.remote.engines).toMatchObject([{ isAbsent: false }]);
  });

  test('with the bus closed the handlers are absent, and no call waits', async () => {
    rig = await remoteRig();
    rig.handle('guard', () => ({ action: 'Block' }), { onError: 'block' });
    rig.engine.connect(rig.engineBus, { name: 'policy' });
    await rig.remote.waitFor('policy');
    await rig.agentBus.close();
    expect((await rig.fire()).outcomes).toMatchObject([
      { status: 'failed', failedClosed: true, warnings: [{ code: 'handler_absent' }, {}] },
    ]);
  });
});

describe('stopped agents', () => {
  const deadlineMs = 500;

  let folder: string;
  let transport: Transport;
  let bus: MessageBus;
  let agent: ChildProcess;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stopped-agent-'));
    transport = await listenOnSocket({ path: join(folder, 'hub') });
    bus = new MessageBus({ transport });
  });

  afterEach(async () => {
    if (agent.exitCode === null && agent.signalCode === null) {
      const exited = once(agent, 'exit');
      agent.kill('SIGKILL');
      await exited;
    }
    await bus.close();
    await transport.close();
    rmSync(folder, { recursive: true });
  });

  /** The third field of /proc/<pid>/stat, after the name in parentheses. */
  function isStopped(pid: number): boolean {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.startsWith('T') === true;
  }

  const onLinux = process.platform === 'linux' ? test : test.skip;

  onLinux('an agent that was stopped past the deadline takes the answer that came meanwhile', async () => {
    const engine = new HookEngine();
    engine.register({ id: 'guard', event_type: 'pre_tool_use', config: { timeout_ms: deadlineMs } });
    const answered = new Promise<void>((resolve) => {
      engine.register_handler('guard', {
        handle: async () => {
          agent.kill('SIGSTOP');
          await until('the agent is stopped', () => isStopped(agent.pid as number));
          resolve();
          return { action: 'Block', reason: 'said in time' };
        },
      });
    });
    engine.connect(bus, { name: 'policy' });
    agent = fork(join(import.meta.dirname, 'agent-process.mjs'), [join(folder, 'hub'), folder], { execArgv: [] });
    const reported = once(agent, 'message');
    await answered;
    // A stopped process cannot report that its deadline has passed. The deadline began before the stop, so it has passed now. If the agent
    // was slow before the stop, it takes the answer before its deadline, which is not a failure of this test either.
    await pause(deadlineMs + 100);
    agent.kill('SIGCONT');
    const [said] = await reported;
    expect(said).toEqual({ verdict: 'deny', reason: 'said in time', statuses: ['blocked'] });
  });
});

describe('one source for several systems', () => {
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
    // The engine also still receives events.
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
});
