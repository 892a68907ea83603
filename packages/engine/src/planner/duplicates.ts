import type { HookDefinition, SkippedHook } from '@tenterhook/protocol';

/** A hook that may run; `isSure` when it does, whatever other hooks rewrite. */
export interface Candidate {
  readonly hook: HookDefinition;
  readonly isSure: boolean;
}

/**
 * Hooks with the same key run once; the first sure one in order stays (decision 22). It runs with the longest timeout of the
 * copies, with `onError: 'block'` if any copy says so, and only once in a session if all of them do: repeating a guard must not weaken
 * it. A hook is dropped only in favour of one that is sure to run: of two that are both still in question, either may turn out not to match.
 */
export function keepOneOfEach(candidates: readonly Candidate[]): { kept: HookDefinition[]; dropped: SkippedHook[] } {
  const keepers = new Map<string, HookDefinition>();
  for (const { hook, isSure } of candidates) if (isSure && !keepers.has(keyOf(hook))) keepers.set(keyOf(hook), hook);

  const dropped: SkippedHook[] = [];
  const kept: HookDefinition[] = [];
  const strengthened = new Map(keepers);
  for (const { hook } of candidates) {
    const keeper = keepers.get(keyOf(hook));
    if (keeper === undefined || keeper === hook) kept.push(hook);
    else {
      strengthened.set(keyOf(hook), strongerOf(strengthened.get(keyOf(hook)) as HookDefinition, hook));
      dropped.push(duplicateOf(keeper, hook));
    }
  }
  return {
    kept: kept.map((hook) => (keepers.get(keyOf(hook)) === hook ? (strengthened.get(keyOf(hook)) as HookDefinition) : hook)),
    dropped,
  };
}

function keyOf(hook: HookDefinition): string {
  return hook.dedupeKey === undefined ? `id ${hook.id}` : `key ${hook.dedupeKey}`;
}

function strongerOf(kept: HookDefinition, copy: HookDefinition): HookDefinition {
  const onError = kept.onError === 'block' || copy.onError === 'block' ? 'block' : 'continue';
  const { once, ...rest } = kept;
  const runsOnce = once && copy.once ? { once } : {};
  return { ...rest, ...runsOnce, timeoutMs: Math.max(kept.timeoutMs, copy.timeoutMs), onError };
}

function duplicateOf(kept: HookDefinition, hook: HookDefinition): SkippedHook {
  const where = kept.file === undefined ? '' : ` in ${kept.file}`;
  return {
    hook,
    skipReason: 'duplicate',
    duplicateOf: kept.id,
    reason: `The same command is configured as ${kept.id}${where} and runs once, there.`,
  };
}
