import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageBus } from '@tenterhook/bus';
import { HookEngine, remoteHandlers } from '@tenterhook/handlers';
import { connectToNats } from '@tenterhook/transport-nats';
import { createHooks } from 'tenterhook';
import { connectMs, NatsServer, testWithNats } from '../../support/nats-server.js';
import { root } from '../../support/sources.js';

/** The configuration on the page, so that what the page says about it is true. */
const page = readFileSync(join(root, 'docs/distributed.md'), 'utf8');
const configuration = /^```text\n(authorization \{\n[\s\S]*?)^```$/m.exec(page)?.[1] as string;

testWithNats('with these permissions the engine of the service is used, and an agent cannot take its place', async () => {
  const server = await NatsServer.start(configuration);
  const opened: { close(): Promise<void> }[] = [];
  const problems: string[] = [];
  const connect = async (user: string, project?: string) => {
    const onProblem = ({ message }: Error) => void problems.push(`${user}: ${message}`);
    const login = { user, password: `${user}-password`, client: user, namespace: 'acme', ...(project && { project }) };
    const transport = await connectToNats({ servers: server.url, timeoutMs: connectMs, ...login, onProblem });
    const bus = new MessageBus({ transport });
    opened.unshift(bus, transport);
    return bus;
  };
  const engineOf = (reason: string) => {
    const engine = new HookEngine();
    engine.register({ id: 'guard', event_type: 'pre_tool_use' });
    engine.register_handler('guard', { handle: () => ({ action: 'Block', reason }) });
    return engine;
  };
  const bus = await connect('agent7', 'web');
  const remote = remoteHandlers(bus, { accept: () => true, required: ['policy'] });
  const hooks = await createHooks({ projectDir: '/', settings: {}, handlers: [remote] });
  try {
    const service = await connect('policy1');
    engineOf('the service says no').connect(service, { name: 'policy' });
    await service.flush();
    expect(await remote.waitFor('policy', { timeoutMs: 20_000 })).toBe(true);
    const fire = async () => (await hooks.getEventHandler().fireBeforeToolEvent('Bash', {})).verdict.reason;
    expect(await fire()).toBe('the service says no');
    expect(problems).toEqual([]);

    const other = await connect('agent7', 'web');
    engineOf('a stranger').connect(other, { name: 'policy' });
    // On the subject of questions, which is allowed, announcements are ignored.
    await other.flush();
    expect(await fire()).toBe('the service says no');
    expect(problems.join('\n')).toContain('publish to "tenterhook.acme.log.announce.web"');
    expect(remote.engines).toHaveLength(1);
  } finally {
    await hooks.dispose();
    remote.close();
    for (const one of opened) await one.close();
    await server.stop();
  }
});
