import type { HookDefinition } from '@tenterhook/protocol';
import { type CommandHookData, commandDataOf } from '../../shared/settings/command-hooks.js';
import type { Matcher } from '../matching.js';
import type { RedactionLists } from '../options.js';

/** What this dialect keeps in `dialectData` of a hook. */
export interface GeminiHookData extends CommandHookData<Matcher> {
  /** One list per file that asks for a redacted environment: a variable has to pass them all. @default no file asks */
  readonly redactions?: readonly RedactionLists[];
}

export function dataOf(hook: HookDefinition): GeminiHookData {
  return commandDataOf<Matcher>(hook);
}
