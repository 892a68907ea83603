import { MemoryTransport, MessageBus } from '@tenterhook/bus';
import { HookEngine, type RemoteHandlersOptions, remoteHandlers } from '@tenterhook/handlers';
import { type CreateHooksOptions, createHooks } from 'tenterhook';

/** An agent and an engine in one process, each with its own bus, with a transport between them, as if they were two processes. */
export async function remoteRig({
  accept = () => true,
  required,
  onError,
  settings = {},
  firesOnBus = false,
  options = {},
}: Partial<RemoteHandlersOptions> & {
  onError?: 'block';
  settings?: object;
  firesOnBus?: boolean;
  options?: Pick<CreateHooksOptions, 'circuitBreaker'>;
} = {}) {
  const transport = new MemoryTransport();
  const [agentBus, engineBus] = [new MessageBus({ transport }), new MessageBus({ transport })];
  const engine = new HookEngine();
  const remote = remoteHandlers(agentBus, { accept, required });
  const hooks = await createHooks({ projectDir: '/', settings, handlers: [remote], ...options, ...(firesOnBus ? { bus: agentBus } : {}) });
  const handle = (
    id: string,
    answer: (event: { payload: Record<string, unknown> }, context: { signal: AbortSignal }) => unknown,
    config = {},
  ) => {
    engine.register({ id, event_type: 'pre_tool_use', config: { ...config, ...(onError === undefined ? {} : { onError }) } });
    engine.register_handler(id, { handle: answer as never });
  };
  const fire = (input: Record<string, unknown> = { command: 'ls' }) => hooks.getEventHandler().fireBeforeToolEvent('Bash', input);
  const dispose = async () => {
    await hooks.dispose();
    await Promise.all([agentBus.close(), engineBus.close()]);
    await transport.close();
  };
  return { transport, agentBus, engineBus, engine, remote, hooks, handle, fire, dispose };
}

export type RemoteRig = Awaited<ReturnType<typeof remoteRig>>;
