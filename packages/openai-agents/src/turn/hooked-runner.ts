import { keepStops } from '../agent/keep-stops.js';
import { Runner } from '../agents-sdk.js';
import { hookModel } from '../model/hook-model.js';
import { hookedModelProvider } from '../model/hooked-model-provider.js';
import type { Hooked } from '../options.js';

/** The lifecycle events of a runner. */
const events = ['agent_start', 'agent_end', 'agent_handoff', 'agent_tool_start', 'agent_tool_end'] as const;

/**
 * Returns a runner with the settings of another one, whose models ask the hooks: those that agents name, and the model of its settings. A
 * runner cannot be changed, so its events are passed on to the other.
 */
export function hookRunner({ source, options, caller }: Hooked, base: Runner | undefined): Runner {
  const { config } = base ?? new Runner();
  const { model, modelProvider, handoffInputFilter } = config;
  const runner = new Runner({
    ...config,
    modelProvider: hookedModelProvider(source, modelProvider, options),
    ...(typeof model === 'object' ? { model: hookModel({ source, options, caller }, model) } : {}),
    ...(typeof handoffInputFilter === 'function' ? { handoffInputFilter: keepStops({ source, options, caller }, handoffInputFilter) } : {}),
  });
  if (base !== undefined) for (const event of events) runner.on(event, (...args: unknown[]) => void base.emit(event, ...(args as never)));
  return runner;
}
