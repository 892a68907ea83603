import type { HookDefinition, Invocation, PinnedParts } from '@tenterhook/protocol';
import type { EcaType } from '../input/event-table.js';

/** The data that this dialect stores in `dialectData` of a hook definition. One definition is one action of a hook in ECA's settings. */
export interface EcaHookData {
  readonly type: EcaType;
  /** The key of the hook in its file. All actions of the hook have it, and hooks run in the order of their keys. */
  readonly key: string;
  /** The compiled matcher; absent if the hook runs for every tool. */
  readonly matches?: (tool: string) => boolean;
  readonly runOnError: boolean;
  readonly command: Extract<Invocation, { kind: 'command' }>['command'];
}

export function dataOf(hook: HookDefinition): EcaHookData {
  return hook.dialectData as EcaHookData;
}

/** A file of an action is resolved when the settings are read, so the resolved path is what a person trusts. */
export function pinnedParts(hook: HookDefinition): PinnedParts {
  const { command, runOnError } = dataOf(hook);
  return { definition: { runs: command, runOnError } };
}
