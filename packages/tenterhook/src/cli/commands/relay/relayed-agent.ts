import { defaultDialects } from '@tenterhook/dialects';
import { containDialect } from '@tenterhook/engine/internal';
import type { Dialect, RelayFormat } from '@tenterhook/protocol';
import { UsageError } from '../../errors/exit-status.js';
import { findDialect } from '../../hooks/dialect-name.js';

/** A dialect whose agent can start Tenterhook as its hook. */
export type RelayedDialect = Dialect & { readonly relay: RelayFormat };

export const dialects: readonly Dialect[] = defaultDialects().map(containDialect);

/** The dialects of all agents that can start Tenterhook as their hook. */
export const relayedDialects: readonly RelayedDialect[] = dialects.filter(
  (dialect): dialect is RelayedDialect => dialect.relay !== undefined,
);

/** Finds the agent of the option `--agent`. */
export function findAgent(given: string | undefined): RelayedDialect {
  if (given === undefined) throw new UsageError(`--agent is missing. Known agents: ${relayedDialects.map(({ name }) => name).join(', ')}.`);
  return findDialect(given, relayedDialects, '--agent', 'agent');
}
