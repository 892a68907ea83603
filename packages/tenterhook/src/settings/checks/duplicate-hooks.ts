import type { Diagnostic, HookDefinition } from '@tenterhook/protocol';
import { isBelow, levelOf, placeOfHook } from '@tenterhook/protocol/internal';

const shownNotes = 10;

/**
 * Reports hooks of one format that are configured twice for the same calls. Only the first one runs, so editing the other has no effect.
 * Hooks with different matchers are not reported, because they may be for different calls. `hooks` must be in plan order.
 */
export function duplicateHooks(hooks: readonly HookDefinition[]): Diagnostic[] {
  const seen = new Map<string, HookDefinition>();
  const found: Diagnostic[] = [];
  for (const hook of hooks) {
    const { dialect, eventName, dedupeKey, matcher, condition, skip } = hook;
    if (dedupeKey === undefined || skip !== undefined) continue;
    const key = JSON.stringify([dialect, eventName, dedupeKey, matcher ?? null, condition ?? null]);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, hook);
    else found.push(report(first, hook));
  }
  const more = found.length - shownNotes;
  if (more <= 0) return found;
  return [...found.slice(0, shownNotes), { code: 'duplicate_hook', severity: 'note', message: `${more} more hooks are configured twice.` }];
}

function report(first: HookDefinition, copy: HookDefinition): Diagnostic {
  const place = [first.file ?? `the settings "${first.source}"`, first.line].filter((part) => part !== undefined).join(':');
  const isStronger = first.timeoutMs !== copy.timeoutMs || first.onError !== copy.onError;
  const isHigher = isBelow(levelOf(first), levelOf(copy));
  const merged = [
    ...(isHigher ? ['. It has the settings of this copy, whose level is higher'] : []),
    ...(isStronger ? ['. If the timeout or "onError" differs, the stricter value is used'] : []),
  ].join('');
  const rename = copy.name === undefined ? '' : ', or give this one another name if both are to run';
  return {
    code: 'duplicate_hook',
    severity: 'note',
    message: `The same hook is in ${place}. Only that copy runs${merged}.`,
    remedy: `Remove one of them${rename}.`,
    ...placeOfHook(copy),
  };
}
