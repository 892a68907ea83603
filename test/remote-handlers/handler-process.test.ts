import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageBus, type Transport } from '@tenterhook/bus';
import { type RemoteHandlers, remoteHandlers } from '@tenterhook/handlers';
import { listenOnSocket } from '@tenterhook/transport-socket';
import { createHooks, type Hooks } from 'tenterhook';

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
  // The handler has 2000 ms, the test 30 s: that this resolves at all is the deadline.
  expect((await fired).outcomes.filter(({ status }) => status !== 'skipped')).toMatchObject([
    { name: 'hangs', status: 'timed-out', warnings: [{ code: 'timeout', message: expect.stringContaining('2000 ms') }] },
  ]);
  expect(remote.engines).toMatchObject([{ name: 'policy', isAbsent: true }]);

  // Nothing is sent any more, so there is nothing that could be waited for.
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
  // Nobody has called it, so nobody knows yet that it is gone.
  expect(remote.engines).toMatchObject([{ name: 'policy', isAbsent: false }]);
  expect(await remote.waitFor('policy', { timeoutMs: 50 })).toBe(false);
});

test('a process that is stopped counts as absent until it goes on', async () => {
  const child = await startHandlers();
  child.kill('SIGSTOP');
  expect((await fire('blocks')).outcomes.filter(({ status }) => status !== 'skipped')).toMatchObject([{ status: 'timed-out' }]);
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
