import type { HookDefinition } from '@tenterhook/protocol';
import { type CommandHookData, commandDataOf } from '../../shared/groups/command-group.js';
import type { Matcher } from '../matching.js';
import type { RedactionLists } from '../options.js';

/** What this dialect keeps in `dialectData` of a hook. */
export interface GeminiHookData extends CommandHookData<Matcher> {
  /** One of each file that asks for a redacted environment: a variable has to pass them all. @default nobody asks */
  readonly redactions?: readonly RedactionLists[];
}

export function dataOf(hook: HookDefinition): GeminiHookData {
  return commandDataOf<Matcher>(hook);
}
