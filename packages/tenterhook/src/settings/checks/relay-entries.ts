import { describeHook, type HookDefinition, type ParsedSettings } from '@tenterhook/protocol';
import { startsRelay } from '@tenterhook/protocol/internal';

/** Marks the entries with which an agent asks Tenterhook, so that Tenterhook never runs them. They are listed. */
export function withoutRelay(parsed: ParsedSettings): ParsedSettings {
  return parsed.hooks.some(isEntry) ? { ...parsed, hooks: parsed.hooks.map((hook) => (isEntry(hook) ? skipped(hook) : hook)) } : parsed;
}

function isEntry({ action, skip }: HookDefinition): boolean {
  return skip === undefined && startsRelay(action);
}

function skipped(hook: HookDefinition): HookDefinition {
  return { ...hook, skip: { skipReason: 'relay', reason: `${describeHook(hook)} is the entry with which an agent asks Tenterhook.` } };
}
