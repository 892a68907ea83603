import type { HookDefinition, SkippedHook } from '@tenterhook/protocol';

/**
 * Hooks with the same key run once; the first in order stays (decision 22). It runs with the longest timeout of the copies,
 * and with `onError: 'block'` if any copy says so: repeating a guard must not weaken it.
 */
export function keepOneOfEach(candidates: readonly HookDefinition[]): { kept: HookDefinition[]; dropped: SkippedHook[] } {
  const first = new Map<string, HookDefinition>();
  const dropped: SkippedHook[] = [];
  for (const hook of candidates) {
    const key = hook.dedupeKey ?? `id:${hook.id}`;
    const kept = first.get(key);
    if (kept === undefined) {
      first.set(key, hook);
      continue;
    }
    first.set(key, {
      ...kept,
      timeoutMs: Math.max(kept.timeoutMs, hook.timeoutMs),
      onError: kept.onError === 'block' || hook.onError === 'block' ? 'block' : 'continue',
    });
    dropped.push({
      hook,
      skipReason: 'duplicate',
      duplicateOf: kept.id,
      reason: `The same command is configured as ${kept.id}${kept.file === undefined ? '' : ` in ${kept.file}`} and runs once, there.`,
    });
  }
  return { kept: [...first.values()], dropped };
}
