import type { HookDefinition } from '@tenterhook/protocol';
import { type CommandHookData, commandDataOf } from '../../shared/settings/command-hooks.js';
import type { Matcher } from '../matching.js';
import type { RedactionLists } from '../options.js';

/** What this dialect keeps in `dialectData` of a hook. */
export interface GeminiHookData extends CommandHookData<Matcher> {
  /**
   * The redaction lists of every file that asks for a redacted environment. A variable is kept only if each of them permits it. @default no
   * file asks for it
   */
  readonly redactions?: readonly RedactionLists[];
}

export function dataOf(hook: HookDefinition): GeminiHookData {
  return commandDataOf<Matcher>(hook);
}
