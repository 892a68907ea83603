import type { HookDefinition, Invocation } from '@tenterhook/protocol';
import type { EcaType } from '../input/event-table.js';

/** What this dialect keeps in `dialectData` of a hook, which is one action of what ECA calls a hook. */
export interface EcaHookData {
  readonly type: EcaType;
  /** The key of the hook in its file: what decides the order, and is shared by its actions. */
  readonly key: string;
  /** Compiled; undefined matches every tool. */
  readonly matches?: (tool: string) => boolean;
  readonly runOnError: boolean;
  readonly command: Extract<Invocation, { kind: 'command' }>['command'];
}

export function dataOf(hook: HookDefinition): EcaHookData {
  return hook.dialectData as EcaHookData;
}
