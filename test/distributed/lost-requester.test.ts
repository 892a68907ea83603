import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageBus } from '@tenterhook/bus';
import { connectToSocket, listenOnSocket } from '@tenterhook/transport-socket';
import { createHooks } from 'tenterhook';
import { settingsOf } from '../support/fire-hooks.js';

/** An agent of its own process, which sends one event and waits for the answer. */
const agent = `
  import { MessageBus } from '@tenterhook/bus';
  import { connectToSocket } from '@tenterhook/transport-socket';
  const bus = new MessageBus({ transport: await connectToSocket({ path: process.argv[1] }) });
  await bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: { tool_name: 'a', tool_input: {} } });
`;

test.each(['the process of the hub', 'another process on the socket'])(
  'an agent that is killed: its hooks are cancelled, if the service is in %s',
  async (place) => {
    const folder = mkdtempSync(join(tmpdir(), 'th-lost-'));
    const path = join(folder, 'bus');
    const pipe = join(folder, 'pipe');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    const hub = await listenOnSocket({ path });
    const transport = place.includes('hub') ? hub : await connectToSocket({ path });
    const bus = new MessageBus({ transport });
    const answered = new Promise((resolve) => bus.subscribe('HOOK_EXECUTION_RESPONSE', ({ payload }) => resolve(payload)));
    // The pipe is open for as long as the hook or one of its children lives.
    const hooks = await createHooks({ settings: settingsOf('BeforeTool', [`exec 9>${pipe}; echo started >&9; sleep 600 & wait`]), bus });
    await bus.flush();
    const child = spawn(process.execPath, ['--input-type=module', '-e', agent, path], { stdio: 'inherit' });
    try {
      const output = createReadStream(pipe);
      const ended = once(output, 'end');
      await once(output, 'data');
      child.kill('SIGKILL');
      await ended;
      expect(await answered).toMatchObject({
        success: false,
        error: { code: 'cancelled', message: expect.stringContaining('the connection of the requester has ended') },
      });
    } finally {
      child.kill('SIGKILL');
      await hooks.dispose();
      await bus.close();
      await transport.close();
      await hub.close();
      rmSync(folder, { recursive: true });
    }
  },
);
