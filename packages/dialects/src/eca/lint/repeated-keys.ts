import type { Diagnostic, HookDefinition } from '@tenterhook/protocol';
import { placeOfHook } from '@tenterhook/protocol/internal';
import { whereOf } from '../../shared/settings/switches.js';
import { formatValue } from '../../shared/text.js';
import { dataOf } from '../settings/hook-data.js';

/**
 * Returns a warning for each hook whose key is already in an earlier document. Both hooks run, but the author of the second hook
 * may expect that it replaces the first.
 */
export function repeatedKeys(hooks: readonly HookDefinition[]): Diagnostic[] {
  const first = new Map<string, HookDefinition>();
  const reported = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const hook of hooks) {
    const { key } = dataOf(hook);
    const keyInSource = JSON.stringify([key, hook.source]);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, hook);
    if (earlier === undefined || isOfOneDocument(earlier, hook) || reported.has(keyInSource)) continue;
    reported.add(keyInSource);
    diagnostics.push({
      code: 'repeated_key',
      severity: 'warning',
      message: `The hook key ${formatValue(key)} is in ${whereOf(earlier)} and in ${whereOf(hook)}; both hooks run.`,
      remedy: 'Rename one of them.',
      ...placeOfHook(hook),
    });
  }
  return diagnostics;
}

function isOfOneDocument(a: HookDefinition, b: HookDefinition): boolean {
  return a.source === b.source && a.file === b.file;
}
