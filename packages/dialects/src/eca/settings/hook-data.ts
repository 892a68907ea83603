import type { HookDefinition, Invocation, PinnedParts } from '@tenterhook/protocol';
import type { EcaType } from '../input/event-table.js';
import type { EcaMatcher } from '../matching/matcher.js';

/** The content of `dialectData` of a hook. Each action of a hook in ECA's settings is one hook definition. */
export interface EcaHookData extends EcaMatcher {
  readonly type: EcaType;
  /** The key of the hook in its file, which all actions of the hook share. Hooks run in the order of their keys. */
  readonly key: string;
  readonly runOnError: boolean;
  readonly command: Extract<Invocation, { kind: 'command' }>['command'];
}

export function dataOf(hook: HookDefinition): EcaHookData {
  return hook.dialectData as EcaHookData;
}

/**
 * Returns the parts of a hook that must not change if the hook is to stay trusted. If the hook runs a script, `command` has the
 * path where the script was found, which may differ from the path in the settings.
 */
export function pinnedParts(hook: HookDefinition): PinnedParts {
  const { command, runOnError } = dataOf(hook);
  return { definition: { runs: command, runOnError } };
}
