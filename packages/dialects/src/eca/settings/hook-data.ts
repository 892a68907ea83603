import type { HookDefinition, Invocation, PinnedParts } from '@tenterhook/protocol';
import type { EcaType } from '../input/event-table.js';
import type { EcaMatcher } from '../matching/matcher.js';

/** This dialect's data in a hook definition (`dialectData`). One definition is one action of a hook in ECA's settings. */
export interface EcaHookData extends EcaMatcher {
  readonly type: EcaType;
  /** The key of the hook in its file. All actions of the hook have the same key. Hooks run in the order of their keys. */
  readonly key: string;
  readonly runOnError: boolean;
  readonly command: Extract<Invocation, { kind: 'command' }>['command'];
}

export function dataOf(hook: HookDefinition): EcaHookData {
  return hook.dialectData as EcaHookData;
}

/**
 * Returns the parts of a hook that must be unchanged for the hook to stay trusted. If the hook runs a script, `command` has the path where
 * the script was found. The settings may have another path.
 */
export function pinnedParts(hook: HookDefinition): PinnedParts {
  const { command, runOnError } = dataOf(hook);
  return { definition: { runs: command, runOnError } };
}
