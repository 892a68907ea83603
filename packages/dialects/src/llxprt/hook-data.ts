import type { HookDefinition } from '@tenterhook/protocol';
import { type CommandHookData, commandDataOf } from '../shared/settings/command-hooks.js';
import type { Matcher } from './matcher.js';

export function dataOf(hook: HookDefinition): CommandHookData<Matcher> {
  return commandDataOf<Matcher>(hook);
}
