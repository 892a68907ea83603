import { createAgent, createHookClient } from '@tenterhook/agent';
import { MessageBus } from '@tenterhook/bus';
import { connectToNats } from '@tenterhook/transport-nats';
import { createHooks, type Hooks } from 'tenterhook';
import { recordingTool } from '../support/agent.js';
import { freshDirectory, says, settingsOf } from '../support/fire-hooks.js';
import { NatsServer, testWithNats } from '../support/nats-server.js';
import { until } from '../support/until.js';

const channel = 'HOOK_EXECUTION_REQUEST';
const denies = (reason: string) => `echo "${reason}" >&2; exit 2`;

/** An agent on a server, with hooks of its own machine. `worker` starts a worker with one hook. */
async function withAgent(
  localHook: string,
  run: (scene: { server: NatsServer; bus: MessageBus; local: Hooks; worker(hook: string): Promise<MessageBus> }) => Promise<void>,
): Promise<void> {
  const server = await NatsServer.start();
  const opened: { close(): Promise<unknown> }[] = [];
  const connected = async () => {
    const transport = await connectToNats({ servers: server.url });
    const bus = new MessageBus({ transport });
    opened.unshift(bus, transport);
    return bus;
  };
  const system = async (hook: string, bus?: MessageBus) => {
    const projectDir = freshDirectory();
    const hooks = await createHooks({ projectDir, settings: settingsOf('BeforeTool', [hook]), ...(bus && { bus }) });
    opened.unshift({ close: () => hooks.dispose() });
    return hooks;
  };
  try {
    const worker = async (hook: string) => {
      const bus = await connected();
      await system(hook, bus);
      await bus.flush();
      return bus;
    };
    await run({ server, bus: await connected(), local: await system(localHook), worker });
  } finally {
    for (const one of opened) await one.close();
    await server.stop();
  }
}

testWithNats('without a worker the hooks of this machine decide, and the result and the user messages report it', () =>
  withAgent(`grep -q secret && { ${denies('not here')}; }; true`, async ({ bus, local, worker }) => {
    const agent = createAgent(bus, { onUnavailable: 'local', local, timeoutMs: 30_000 });
    const tool = recordingTool();
    const message = expect.stringMatching(/^No hook service accepted the event \(no_responders\), so only the hooks of this machine ran: /);
    const denied = await agent.tool({ name: 'read', input: { path: 'secret' }, execute: tool.execute });
    expect(denied).toMatchObject({
      status: 'blocked',
      reason: 'not here',
      before: { localOnly: { code: 'no_responders' } },
      userMessages: [message],
    });
    expect(tool.calls).toEqual([]);
    const ran = await agent.tool({ name: 'read', input: { path: 'notes' }, execute: tool.execute });
    expect(ran).toMatchObject({ status: 'executed', before: { localOnly: { code: 'no_responders' } }, userMessages: [message] });

    await worker(denies('the worker says no'));
    const asked = await agent.tool({ name: 'read', input: { path: 'notes' }, execute: tool.execute });
    expect(asked).toMatchObject({ status: 'blocked', reason: 'the worker says no' });
    expect(asked.before).not.toHaveProperty('localOnly');
    expect(tool.calls).toHaveLength(1);
  }),
);

testWithNats('while the connection is lost the hooks of this machine decide, and afterwards the worker does', () =>
  withAgent('true', async ({ server, bus, local, worker }) => {
    await worker(denies('the worker says no'));
    const client = createHookClient(bus, { onUnavailable: 'local', local, timeoutMs: 30_000 });
    const fire = () => client.fire('BeforeTool', { tool_name: 'read', tool_input: {} });
    const states: string[] = [];
    bus.onConnectionChange((state) => states.push(state));
    await server.kill();
    await until('the loss is noticed', () => states.includes('lost'));
    expect(await fire()).toMatchObject({ verdict: { kind: 'none' }, outcomes: [{ status: 'succeeded' }], localOnly: { code: 'disposed' } });
    await server.restart();
    await until('the worker answers', async () => (await fire()).verdict.kind === 'deny');
  }),
);

testWithNats('an event that was in flight when the connection was lost is blocked, because the worker may have denied it', () =>
  withAgent('true', async ({ server, bus, local, worker }) => {
    const workerBus = await worker('sleep 30');
    const started = new Promise<void>((resolve) => {
      workerBus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => payload.kind === 'hook-started' && resolve());
    });
    const tool = recordingTool();
    const fired = createAgent(bus, { onUnavailable: 'local', local }).tool({ name: 'read', input: {}, execute: tool.execute });
    await started;
    await server.kill();
    expect(await fired).toMatchObject({ status: 'blocked', reason: expect.stringContaining('disposed') });
    expect(tool.calls).toEqual([]);
  }),
);

test('hooks of this machine that cannot be asked block, and an answer of an async one is delivered', async () => {
  const bus = new MessageBus();
  // In this format, a message for the conversation is context.
  const command = says({ hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'late' } });
  const settings = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command, async: true }] }] } };
  const local = await createHooks({ projectDir: freshDirectory(), settings, dialect: 'claude-code' });
  try {
    const agent = createAgent(bus, { onUnavailable: 'local', local });
    const ended = new Promise<void>((resolve) => {
      local.bus.subscribe(
        'HOOK_EXECUTION_PROGRESS',
        ({ payload }) => payload.kind === 'hook-finished' && payload.late === true && resolve(),
      );
    });
    const call = { name: 'read', input: {}, ...recordingTool() };
    expect((await agent.tool(call)).status).toBe('executed');
    await ended;
    const { result } = await agent.tool(call);
    expect(result?.llmContent).toContain('late');
    await local.dispose();
    expect(await agent.tool(call)).toMatchObject({ status: 'blocked' });
  } finally {
    await local.dispose();
    await bus.close();
  }
});

test('wrong uses of local are refused', async () => {
  const bus = new MessageBus();
  const hooks = await createHooks({ bus, projectDir: freshDirectory(), settings: {} });
  const other = await createHooks({ projectDir: freshDirectory(), settings: {} });
  try {
    const wrong = [
      { onUnavailable: 'local' },
      { local: other },
      { onUnavailable: 'local', local: {} },
      { onUnavailable: 'local', local: hooks },
    ];
    for (const options of wrong) expect(() => createHookClient(bus, options as never)).toThrow(TypeError);
    expect(createHookClient(bus, { onUnavailable: 'local', local: other }).onUnavailable).toBe('local');
    expect(bus.listenerCount(channel)).toBe(1);
  } finally {
    await hooks.dispose();
    await other.dispose();
    await bus.close();
  }
});
