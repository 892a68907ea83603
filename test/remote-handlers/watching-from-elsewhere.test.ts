import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageBus } from '@tenterhook/bus';
import type { HookEvent } from '@tenterhook/handlers';
import { listenOnSocket } from '@tenterhook/transport-socket';
import { connectToSocket, createHooks } from 'tenterhook';
import { until } from '../support/until.js';
import { type RemoteRig, remoteRig } from './rig.js';

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

test('the events of a connected engine are those of the agent, while somebody observes them', async () => {
  rig = await remoteRig({ settings, firesOnBus: true });
  const { engine, engineBus, agentBus, hooks } = rig;
  const connection = engine.connect(engineBus, { name: 'watcher' });
  await hooks.getEventHandler().fireBeforeToolEvent('Bash', { command: 'unseen' });
  expect(agentBus.isSubscribed('HOOK_EXECUTION_REQUEST')).toBe(false);
  const events: HookEvent[] = [];
  const subscription = engine.events$.subscribe((event) => events.push(event));
  await hooks.getEventHandler().fireBeforeToolEvent('Bash', { command: 'ls' });
  // Not an event of theirs, and no event at all: neither is shown.
  await hooks.getEventHandler().fireBeforeAgentEvent('hello');
  engineBus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: 7 as never });
  await until('the observer is told', () => events.length > 0);
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
  const seen = new Promise((resolve) => watching.subscribe('HOOK_EXECUTION_REQUEST', ({ payload }) => resolve(payload.input['tool_name'])));
  await until('the hub knows of the watcher', () => bus.isSubscribed('HOOK_EXECUTION_REQUEST'));
  await hooks.getEventHandler().fireBeforeToolEvent('Bash', {});
  expect(await seen).toBe('Bash');
  await hooks.dispose();
  await Promise.all([bus.close(), watching.close()]);
  await outer.close();
  await hub.close();
  rmSync(folder, { recursive: true });
});
