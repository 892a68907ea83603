import type { HookClientOptions } from '@tenterhook/agent';
import type { Dialect, HookDefinition, HookEventName, HookExecutor, HookOutput, HookSource } from '@tenterhook/protocol';
import { type AgentScene, withClient } from './agent.js';

/** Creates a client of a hook system whose hooks are functions, for fields that only an adapter of a dialect may set (design §5). */
export function withFunctions<Result>(
  hooks: HookFunctions,
  use: (scene: AgentScene) => Promise<Result>,
  clientOptions: HookClientOptions = {},
): Promise<Result> {
  return withClient({ settings: {}, advanced: functionHooks(hooks) }, use, clientOptions);
}

type HookFunctions = Partial<Record<HookEventName, readonly HookFunction[]>>;
type HookFunction = (input: Record<string, unknown>, signal: AbortSignal) => HookOutput | Promise<HookOutput>;

/** Returns a source with its dialect, and the executor. Each function is a hook `<event>/<index>`; those of one event run side by side. */
function functionHooks(functions: HookFunctions): { sources: [HookSource]; executors: [HookExecutor] } {
  const byId = new Map<string, HookFunction>();
  const definitions = Object.entries(functions).flatMap(([eventName, list]) =>
    list.map((call, index) => {
      const id = `${eventName}/${index}`;
      byId.set(id, call);
      return definitionOf(id, eventName as HookEventName);
    }),
  );
  const source: HookSource = {
    dialect: inTest,
    hooksFor: (eventName) => definitions.filter((hook) => hook.eventName === eventName),
    changes$: { subscribe: () => ({ unsubscribe() {} }) },
  };
  const executor: HookExecutor = {
    kind: 'call',
    async run(invocation, hook, _event, { onStart, signal }) {
      onStart();
      const argument = invocation.kind === 'call' ? invocation.argument : undefined;
      const answer = await byId.get(hook.id)?.(argument as Record<string, unknown>, signal);
      return { kind: 'answered', answer, durationMs: 0 };
    },
  };
  return { sources: [source], executors: [executor] };
}

const inTest: Dialect = {
  name: 'in-test',
  locations: () => [],
  parse: () => ({ hooks: [], diagnostics: [] }),
  layOut: (hooks) => [{ hooks }],
  select: () => ({ run: true, reason: 'it always runs' }),
  invocation: ({ input }, hook) => ({ kind: 'call', handlerId: hook.id, argument: input }),
  decode: (exit) => (exit.kind === 'answered' ? { output: exit.answer as HookOutput, warnings: [] } : { warnings: [] }),
};

function definitionOf(id: string, eventName: HookEventName): HookDefinition {
  return {
    id,
    dialect: inTest.name,
    source: 'handler',
    eventName,
    dialectEvent: eventName,
    timeoutMs: 60_000,
    onError: 'continue',
    action: { kind: 'call', handlerId: id },
    dialectData: undefined,
  };
}

export const deny = (reason?: string): HookOutput => ({ decision: 'deny', ...(reason === undefined ? {} : { reason }) });
export const specific = (hookSpecificOutput: Record<string, unknown>): HookOutput => ({ hookSpecificOutput });
