import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageBus, type Transport } from '@tenterhook/bus';
import { type HandlerEvent, type HandlerWarning, type RemoteHandlers, remoteHandlers } from '@tenterhook/handlers';
import { listenOnSocket } from '@tenterhook/transport-socket';
import { connectToSocket, createHooks, type Hooks } from 'tenterhook';
import { until } from '../../support/until.js';
import { type RemoteRig, remoteRig } from './rig.js';

describe('handler processes', () => {
  let folder: string;
  let transport: Transport;
  let bus: MessageBus;
  let remote: RemoteHandlers;
  let hooks: Hooks;
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'handler-process-'));
    transport = await listenOnSocket({ path: join(folder, 'hub') });
    bus = new MessageBus({ transport });
    remote = remoteHandlers(bus, { accept: ({ name }) => name === 'policy' });
    hooks = await createHooks({ projectDir: folder, settings: {}, handlers: [remote] });
  });

  afterEach(async () => {
    await Promise.all(children.splice(0).map(end));
    await hooks.dispose();
    await bus.close();
    await transport.close();
    rmSync(folder, { recursive: true });
  });

  async function startHandlers(): Promise<ChildProcess> {
    const child = fork(join(import.meta.dirname, 'handler-process.mjs'), [join(folder, 'hub')], { execArgv: [] });
    children.push(child);
    expect(await remote.waitFor('policy', { timeoutMs: 20_000 })).toBe(true);
    return child;
  }

  async function end(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  function called(child: ChildProcess): Promise<unknown> {
    return new Promise((resolve) => child.on('message', (message: { kind?: string }) => message.kind === 'called' && resolve(message)));
  }

  const fire = (tool: string, input = {}) => hooks.getEventHandler().fireBeforeToolEvent(tool, input);

  test('handlers of another process block and rewrite', async () => {
    const child = await startHandlers();
    expect((await fire('blocks')).verdict).toMatchObject({ kind: 'deny', reason: `no, says ${child.pid}` });
    const { finalOutput, changes } = await fire('pid-in-args', { command: 'ls' });
    expect(finalOutput?.hookSpecificOutput).toEqual({ tool_input: { command: 'ls', pid: child.pid } });
    expect(changes).toMatchObject([{ path: 'tool_input.pid', after: child.pid }]);
  });

  test('a process that is killed during an event costs its deadline, and the next events nothing', async () => {
    const child = await startHandlers();
    const wasCalled = called(child);
    const fired = fire('hangs');
    await wasCalled;
    await end(child);
    // The handler has 500 ms and the test 30 s, so this resolves only because of the deadline.
    expect((await fired).outcomes.filter(({ status }) => status !== 'skipped')).toMatchObject([
      { name: 'hangs', status: 'timed-out', warnings: [{ code: 'timeout', message: expect.stringContaining('500 ms') }] },
    ]);
    expect(remote.engines).toMatchObject([{ name: 'policy', isAbsent: true }]);

    // No further message is sent, so there is nothing to wait for.
    const calls: unknown[] = [];
    bus.subscribe('HOOK_HANDLER_CALL', (message) => calls.push(message));
    const next = await fire('blocks');
    expect(next.outcomes.filter(({ status }) => status !== 'skipped')).toMatchObject([
      { name: 'blocks', status: 'failed', warnings: [{ code: 'handler_absent' }] },
    ]);
    expect((await fire('closed')).verdict).toMatchObject({ kind: 'deny', by: ['handlers/handler/BeforeTool/closed'] });
    expect(calls).toEqual([]);
  });

  test('a process that was killed between events is noticed at once, and its successor takes its place', async () => {
    await end(await startHandlers());
    const outcomes = (await fire('blocks')).outcomes.filter(({ status }) => status !== 'skipped');
    expect(outcomes).toMatchObject([{ status: 'failed', warnings: [{ code: 'handler_absent' }] }]);
    const successor = await startHandlers();
    expect((await fire('blocks')).verdict).toMatchObject({ kind: 'deny', reason: `no, says ${successor.pid}` });
    expect(remote.engines).toHaveLength(1);
  });

  test('a process that was killed since is not waited for in vain: it is not there', async () => {
    await end(await startHandlers());
    // The engine has not been called since, so it does not yet count as absent.
    expect(remote.engines).toMatchObject([{ name: 'policy', isAbsent: false }]);
    expect(await remote.waitFor('policy', { timeoutMs: 50 })).toBe(false);
  });

  test('a process that is stopped counts as absent until it goes on', async () => {
    const child = await startHandlers();
    child.kill('SIGSTOP');
    expect((await fire('hangs')).outcomes.filter(({ status }) => status !== 'skipped')).toMatchObject([{ status: 'timed-out' }]);
    expect((await fire('blocks')).outcomes.filter(({ status }) => status !== 'skipped')).toMatchObject([{ status: 'failed' }]);
    child.kill('SIGCONT');
    expect(await remote.waitFor('policy', { timeoutMs: 20_000 })).toBe(true);
    expect((await fire('blocks')).verdict).toMatchObject({ kind: 'deny' });
  });

  test('the agent that comes back finds the handlers of a process that waited for it', async () => {
    const child = await startHandlers();
    await hooks.dispose();
    await bus.close();
    await transport.close();
    transport = await listenOnSocket({ path: join(folder, 'hub') });
    bus = new MessageBus({ transport });
    remote = remoteHandlers(bus, { accept: () => true });
    hooks = await createHooks({ projectDir: folder, settings: {}, handlers: [remote] });
    expect(await remote.waitFor('policy', { timeoutMs: 20_000 })).toBe(true);
    expect((await fire('blocks')).verdict.reason).toBe(`no, says ${child.pid}`);
  });
});

describe('watching from elsewhere', () => {
  const settings = { hooks: { BeforeTool: [{ matcher: '^write_file$', hooks: [{ command: 'true' }] }] } };
  let rig: RemoteRig | undefined;
  afterEach(() => rig?.dispose());

  test('who watches the requests on another bus sees the events that no hook runs for', async () => {
    rig = await remoteRig({ settings, firesOnBus: true });
    const seen: unknown[] = [];
    await rig.fire();
    const stop = rig.engineBus.subscribe('HOOK_EXECUTION_REQUEST', ({ payload }) => seen.push(payload.input['tool_name']));
    await rig.fire();
    expect(seen).toEqual(['Bash']);
    stop();
    await rig.fire();
    expect(seen).toEqual(['Bash']);
  });

  test('the events of a connected engine are those of the agent, while they are observed', async () => {
    rig = await remoteRig({ settings, firesOnBus: true });
    const { engine, engineBus, agentBus, hooks } = rig;
    const connection = engine.connect(engineBus, { name: 'watcher' });
    await hooks.getEventHandler().fireBeforeToolEvent('Bash', { command: 'unseen' });
    expect(agentBus.isSubscribed('HOOK_EXECUTION_REQUEST')).toBe(false);
    const events: HandlerEvent[] = [];
    const subscription = engine.events$.subscribe((event) => events.push(event));
    await hooks.getEventHandler().fireBeforeToolEvent('Bash', { command: 'ls' });
    // An event that handlers do not have, and an invalid event: handlers receive neither.
    await hooks.getEventHandler().fireBeforeAgentEvent('hello');
    engineBus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: 7 as never });
    await until('the observer is notified', () => events.length > 0);
    expect(events).toEqual([{ event_type: 'pre_tool_use', payload: expect.objectContaining({ tool: 'Bash', args: { command: 'ls' } }) }]);
    subscription.unsubscribe();
    expect(agentBus.isSubscribed('HOOK_EXECUTION_REQUEST')).toBe(false);
    connection.disconnect();
  });

  test('a watcher in another process of the hub keeps the agent from answering unseen', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'watching-'));
    const hub = await listenOnSocket({ path: join(folder, 'hub') });
    const bus = new MessageBus({ transport: hub });
    const hooks = await createHooks({ projectDir: folder, settings, bus });
    const outer = await connectToSocket({ path: join(folder, 'hub') });
    const watching = new MessageBus({ transport: outer });
    const seen = new Promise((resolve) =>
      watching.subscribe('HOOK_EXECUTION_REQUEST', ({ payload }) => resolve(payload.input['tool_name'])),
    );
    await until('the hub knows of the watcher', () => bus.isSubscribed('HOOK_EXECUTION_REQUEST'));
    await hooks.getEventHandler().fireBeforeToolEvent('Bash', {});
    expect(await seen).toBe('Bash');
    await hooks.dispose();
    await Promise.all([bus.close(), watching.close()]);
    await outer.close();
    await hub.close();
    rmSync(folder, { recursive: true });
  });
});

describe('warnings at the handler', () => {
  let rig: RemoteRig;
  afterEach(() => rig.dispose());

  /** Returns the warnings in the process of the handler. The agent has its own, in the outcomes. */
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
    ['answers what is not an answer', () => 7, '7'],
    ['answers an action that does not exist', () => ({ action: 'Blok' }), '"Blok"'],
  ])('the process of a handler that %s is notified', async (_what, answer, word) => {
    const { warnings } = await warningsOf(answer);
    expect((await rig.fire()).outcomes).toMatchObject([{ status: 'failed', warnings: [{ code: 'hook_failed' }] }]);
    await until('the warning is shown', () => warnings.length > 0);
    expect(warnings).toEqual([{ hook_id: 'guard', code: 'hook_failed', message: expect.stringContaining(word) }]);
  });

  test('the process of a handler whose answer is read with a warning is notified', async () => {
    const { warnings } = await warningsOf(() => ({ action: 'Block', modified: { command: 'ls' } }));
    const { outcomes, verdict } = await rig.fire();
    expect(verdict.kind).toBe('deny');
    await until('the warning is shown', () => warnings.length > 0);
    expect(warnings).toMatchObject(outcomes[0]?.warnings.map(({ code, message }) => ({ hook_id: 'guard', code, message })) ?? []);
  });

  test('the process of a handler that takes too long is notified, also when its caller is gone', async () => {
    const { warnings, engineId } = await warningsOf(() => new Promise(() => {}));
    const event = { event_type: 'pre_tool_use', payload: { tool: 'Bash', args: {} } };
    // Nothing cancels this call, as if the agent had ended or were stopped.
    const answer = await rig.agentBus.request('HOOK_HANDLER_CALL', { engineId, hookId: 'guard', event, timeoutMs: 1 });
    expect(answer).toMatchObject({ success: false, error: { code: 'timeout' } });
    await until('the warning is shown', () => warnings.length > 0);
    expect(warnings).toMatchObject([{ hook_id: 'guard', code: 'timeout' }]);
  });

  test('the process of a handler that takes too long is notified when its caller gives up', async () => {
    const { warnings } = await warningsOf(() => new Promise(() => {}), { timeout_ms: 50 });
    expect((await rig.fire()).outcomes).toMatchObject([{ status: 'timed-out' }]);
    await until('the warning is shown', () => warnings.length > 0);
    expect(warnings).toMatchObject([{ hook_id: 'guard', code: 'timeout' }]);
  });

  test('the process of a handler whose event was cancelled receives no failure', async () => {
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
    // This answer is reported. The other would have been reported before.
    rig.handle('guard', () => 7);
    await rig.fire();
    await until('the answer is judged', () => warnings.length > 0);
    expect(warnings.filter(({ code }) => code !== 'hook_failed')).toEqual([]);
  });
});
