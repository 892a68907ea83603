import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryTransport, MessageBus } from '@tenterhook/bus';
import { createSpawner } from '@tenterhook/spawner';
import { hookRig } from '@tenterhook/testing';
import { connectToSocket, createEnvFile, createHooks, HookService, HookSystem, listenOnSocket, llxprt, remoteHandlers } from 'tenterhook';

// Everything with dispose() or close() ends with the scope that declares it by `await using`. What ends synchronously also works with
// `using`.

const request = { type: 'HOOK_EXECUTION_REQUEST', payload: { eventName: 'HostStart', input: {} } } as const;
const ask = (bus: MessageBus) => bus.request(request.type, request.payload);

test('hooks: a hook that runs ends with the scope, and its event is answered', async () => {
  await using rig = await hookRig();
  let fired: Promise<unknown>;
  let ended: Promise<unknown>;
  {
    const settings = { hooks: { SessionStart: [{ hooks: [{ command: rig.command() }] }] } };
    await using hooks = await createHooks({ settings });
    fired = hooks.fire('SessionStart', { source: 'startup' });
    ended = (await rig.nextRun()).ended;
  }
  expect(await fired).toMatchObject({ success: false, errors: [{ code: 'disposed' }, {}] });
  await ended;
});

test('a system, and a service on the bus of another', async () => {
  await using bus = new MessageBus();
  let system: HookSystem;
  {
    await using scoped = new HookSystem({ projectDir: '.', dialects: [llxprt()], bus });
    system = scoped;
    {
      using _service = new HookService({ bus, system });
      expect((await ask(bus)).success).toBe(true);
    }
    expect((await ask(bus)).error?.code).toBe('no_responders');
    {
      await using _again = new HookService({ bus, system });
      expect((await ask(bus)).success).toBe(true);
    }
  }
  expect((await system.fire('HostStart', {})).errors[0]?.code).toBe('disposed');
});

test('a bus, and a transport in memory', async () => {
  let bus: MessageBus;
  let transport: MemoryTransport;
  {
    await using scoped = new MemoryTransport();
    transport = scoped;
    await using onIt = new MessageBus({ transport });
    bus = onIt;
    expect(bus.publish(request)).toBe(true);
  }
  expect(bus.publish(request)).toBe(false);
  await expect(transport.publish(request)).rejects.toMatchObject({ name: 'TenterhookError', code: 'disposed' });
});

test('both ends of a socket', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'scope-'));
  const path = join(folder, 'bus');
  {
    await using _hub = await listenOnSocket({ path });
    let client: Awaited<ReturnType<typeof connectToSocket>>;
    {
      await using scoped = await connectToSocket({ path });
      client = scoped;
    }
    await expect(client.publish(request)).rejects.toMatchObject({ name: 'SocketTransportError', code: 'disposed' });
    expect(existsSync(path)).toBe(true);
  }
  expect(existsSync(path)).toBe(false);
  await rm(folder, { recursive: true });
});

test('a spawner: a process that runs is killed', async () => {
  let exit: Promise<{ readonly kind: string }>;
  {
    await using spawner = createSpawner();
    exit = spawner.run({
      command: { kind: 'shell', text: 'sleep 60' },
      cwd: tmpdir(),
      env: { PATH: process.env['PATH'] ?? '' },
      stdin: '',
      timeoutMs: 60_000,
    });
  }
  expect(['cancelled', 'not-started', 'disposed']).toContain((await exit).kind);
});

test('a file of variables', async () => {
  let file: string;
  {
    await using envFile = await createEnvFile();
    file = envFile.file;
    expect(existsSync(file)).toBe(true);
  }
  expect(existsSync(file)).toBe(false);
});

test('handlers of other processes', async () => {
  await using bus = new MessageBus();
  {
    using _engines = remoteHandlers(bus, { accept: () => true });
    expect(bus.listenerCount('HOOK_HANDLER_ANNOUNCE')).toBe(1);
  }
  expect(bus.listenerCount('HOOK_HANDLER_ANNOUNCE')).toBe(0);
});
