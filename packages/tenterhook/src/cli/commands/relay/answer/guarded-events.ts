import { type HookDefinition, type HookEventName, hookEventNames, type RelayPolicy, type SkipReason } from '@tenterhook/protocol';
import { findGuards } from '../guards.js';
import type { RelayedDialect } from '../relayed-agent.js';
import { openSystem } from './open-system.js';
import type { Place } from './place.js';

/** Reasons why a hook never is a guard of the agent. */
const notGuards: readonly (SkipReason | undefined)[] = ['relay', 'run-by-agent', 'invalid', 'disabled'];

/** What the guards of an agent are, without asking them, and what their list says about failures, questions and losses. */
export interface Guarded extends RelayPolicy {
  /** The guards of each event that has any. */
  readonly byEvent: ReadonlyMap<HookEventName, readonly HookDefinition[]>;
  readonly diagnostics: readonly string[];
  /** The ids of guards of the project that do not run, because they are not trusted. */
  readonly untrusted: readonly string[];
  readonly problems: readonly string[];
}

/** Reads the guards that an agent asks in a project. Runs none of them. */
export async function readGuarded(agent: RelayedDialect, place: Place): Promise<Guarded> {
  const found = await findGuards(agent.name, place);
  const system = await openSystem({ agent, place, environment: place.environment, found, settings: undefined, dialect: undefined });
  try {
    const { hooks, problems } = system;
    const guards = hookEventNames.map(
      (name) => [name, hooks.hooks[name].filter(({ skip }) => !notGuards.includes(skip?.skipReason))] as const,
    );
    return {
      byEvent: new Map(guards.filter(([, some]) => some.length > 0)),
      untrusted: guards.flatMap(([, some]) => some.filter(({ skip }) => skip?.skipReason === 'untrusted').map(({ id }) => id)),
      diagnostics: hooks.diagnostics.filter(({ code }) => code === 'repeated_command').map(({ message }) => message),
      problems,
      onFailure: found.settings.onFailure,
      ask: found.settings.ask,
      onLoss: found.settings.onLoss,
    };
  } finally {
    await system.hooks.dispose();
  }
}
