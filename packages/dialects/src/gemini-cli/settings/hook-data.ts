import type { HookDefinition, PinnedParts } from '@tenterhook/protocol';
import { type CommandHookData, commandDataOf, pinnedCommandParts } from '../../shared/settings/command-hooks.js';
import type { Matcher } from '../matching.js';
import type { RedactionLists } from '../options.js';

/** The content of `dialectData` of a hook. */
export interface GeminiHookData extends CommandHookData<Matcher> {
  /**
   * The redaction lists of every file that switches on the redaction of the environment. A variable is kept only if all lists
   * permit it.
   * @default no file switches it on
   */
  readonly redactions?: readonly RedactionLists[];
}

export function dataOf(hook: HookDefinition): GeminiHookData {
  return commandDataOf<Matcher>(hook);
}

/**
 * Returns the parts of a hook that must not change if the hook is to stay trusted. They include the redaction lists, which decide
 * what variables the hook receives.
 */
export function pinnedParts(hook: HookDefinition): PinnedParts {
  const { definition } = pinnedCommandParts(hook);
  const { redactions } = dataOf(hook);
  return { definition: { ...definition, ...(redactions === undefined ? {} : { redactions }) } };
}
