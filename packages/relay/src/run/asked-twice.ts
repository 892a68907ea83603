import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dialect, RelayFormat } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { type Node, parseTree } from '@tenterhook/runtime/jsonc';
import { findOwnEntries } from '../install/own-entries.js';

/** An agent that can start Tenterhook, and the settings file of its user. */
export interface OtherAgent {
  readonly relay: RelayFormat;
  readonly userFile: string | undefined;
}

/**
 * Tests whether another agent wrote this input, and asks about it with an entry of its own. Some agents also run the hooks in another
 * agent's settings, and one event must not be judged twice. In doubt the result is false: to judge twice is safer than not at all. So the
 * file of a project does not count, and neither does a file that the agent may not read.
 */
export function isAskedTwice(
  { dialect, event, payload }: { readonly dialect: string; readonly event: string; readonly payload: Readonly<Record<string, unknown>> },
  others: readonly OtherAgent[],
): boolean {
  return others.some(({ relay: { visits, unread }, userFile }) => {
    const own = visits?.wrote(payload) === true ? visits.eventOf(dialect, event) : undefined;
    return own !== undefined && userFile !== undefined && hasEntry(userFile, own, unread);
  });
}

function hasEntry(file: string, event: string, unread: RelayFormat['unread']): boolean {
  try {
    const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
    if (!isPlainObject(JSON.parse(text)) || unread?.(text) !== undefined) return false;
    return findOwnEntries(parseTree(text)).some((entry) => keysAbove(entry).includes(event));
  } catch {
    return false;
  }
}

function keysAbove(node: Node): string[] {
  const keys: string[] = [];
  for (let at = node.parent; at !== undefined; at = at.parent) if (at.type === 'property') keys.push(String(at.children?.[0]?.value));
  return keys;
}

/** Returns the agents that can start Tenterhook, without the one that asks. */
export function otherAgents(
  dialects: readonly Dialect[],
  asking: string,
  context: Parameters<Dialect['locations']>[0],
): readonly OtherAgent[] {
  return dialects.flatMap(({ name, relay, locations }) => {
    if (relay?.visits === undefined || name === asking) return [];
    const { file, folder } = locations(context).find(({ source }) => source === 'user') ?? {};
    return [{ relay, userFile: relay.ownFile === undefined || folder === undefined ? file : join(folder, relay.ownFile) }];
  });
}
