import { spawnSync } from 'node:child_process';
import { MessageBus } from '@tenterhook/bus';
import { type ConnectToNatsOptions, connectToNats } from '@tenterhook/transport-nats';
import { NatsServer, testWithNats } from '../support/nats-server.js';

export const channel = 'HOOK_EXECUTION_REQUEST';
export const asked = { eventName: 'BeforeTool', input: { tool_name: 'deploy', tool_input: { text: 'x'.repeat(1000) } } };
export const answer = { success: false as const, error: { code: 'unsupported_event' as const, message: 'the answer' } };

// Not every container permits mounts, even for root.
const canMount = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

/** An agent and a worker on a server with a disk of 16 MiB. */
export async function withSmallDisk(
  run: (server: NatsServer, connect: (options?: ConnectToNatsOptions) => Promise<MessageBus>) => Promise<void>,
) {
  const server = await NatsServer.startWithDisk(16);
  const opened: { close(): Promise<void> }[] = [];
  try {
    await run(server, async (options = {}) => {
      const transport = await connectToNats({ servers: server.url, ...options });
      const bus = new MessageBus({ transport });
      opened.push(bus, transport);
      return bus;
    });
  } finally {
    for (const each of opened) await each.close();
    await server.stop();
  }
}

export function testWithDisk(title: string, run: () => Promise<void>): void {
  if (canMount) testWithNats(title, run);
  else test.skip(`${title} [not run: no file system can be mounted]`, run);
}
