import { MessageBus, type RequestHandler } from '@tenterhook/bus';
import { listenOnSocket } from '@tenterhook/transport-socket';
import { pathOf } from './browser.js';

type Answer = Parameters<RequestHandler<'HOOK_EXECUTION_REQUEST'>>[1];
type Fields = Readonly<Record<string, unknown>>;

/** The hub of an agent's bus with a service whose hooks end when and as the test wants. */
export interface LiveAgent {
  readonly bus: MessageBus;
  readonly path: string;
  fire(input?: Fields): Promise<unknown>;
  stop(): Promise<void>;
}

/** A hook in the hands of the test. */
export interface HeldHook {
  readonly correlationId: string;
  /** Reports the end of the hook, and answers the event. */
  end(fields?: Fields): void;
  /** Answers the event while the hook runs on. */
  detach(): void;
  endLate(): void;
  changeCircuit(state: string): void;
}

let agents = 0;

/** Starts an agent. `onHook` receives each hook when it has started; without it, hooks end at once. */
export async function startAgent(onHook?: (hook: HeldHook) => void, path = pathOf(`${++agents}.sock`)): Promise<LiveAgent> {
  const hub = await listenOnSocket({ path });
  const bus = new MessageBus({ transport: hub });
  bus.respond(
    'HOOK_EXECUTION_REQUEST',
    ({ correlationId, eventName }, { progress }: Answer) =>
      new Promise((resolve) => {
        const began = performance.now();
        const step = (fields: Fields) => progress({ eventName, elapsedMs: performance.now() - began, ...fields } as never);
        const hook = { hookId: 'llxprt/project/BeforeTool/guard', name: 'guard', dialect: 'llxprt', source: 'project' };
        const outcome = (fields: Fields) => ({
          ...hook,
          eventName,
          level: 'project',
          status: 'succeeded',
          durationMs: performance.now() - began,
          warnings: [],
          ...fields,
        });
        const answer = (own: Fields) =>
          resolve({
            success: true,
            output: {
              success: true,
              verdict: { kind: own['status'] === 'blocked' ? 'deny' : 'none', stop: false, by: [], stoppedBy: [] },
              changes: [],
              allOutputs: [],
              outcomes: [own],
              errors: [],
              totalDuration: performance.now() - began,
            },
          } as never);
        step({
          kind: 'planned',
          stages: [[hook]],
          skipped: 0,
          base: { session_id: 's-1', cwd: '/srv/app', timestamp: new Date().toISOString() },
        });
        step({ kind: 'hook-started', hookId: hook.hookId, name: hook.name, timeoutMs: 60_000 });
        const held: HeldHook = {
          correlationId: String(correlationId),
          end: (fields = {}) => {
            const own = outcome(fields);
            step({ kind: 'hook-finished', hookId: hook.hookId, outcome: own });
            answer(own);
          },
          detach: () => answer(outcome({ status: 'detached', durationMs: 0 })),
          endLate: () => step({ kind: 'hook-finished', hookId: hook.hookId, outcome: outcome({}), late: true }),
          changeCircuit: (state) => step({ kind: 'circuit-changed', hookId: hook.hookId, state, failures: 3 }),
        };
        if (onHook === undefined) held.end();
        else onHook(held);
      }),
    { maxInFlight: 100_000 },
  );
  return {
    bus,
    path,
    fire: (input = { tool_name: 'write_file', tool_input: {} }) =>
      bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: input as never }),
    stop: async () => {
      await bus.close();
      await hub.close();
    },
  };
}
