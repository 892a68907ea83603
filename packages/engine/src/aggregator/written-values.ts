import { isSameCandidates, type LLMResponse, type Rewrite } from '@tenterhook/protocol';
import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';
import { changedValues, isTooWide, ownValue } from './changed-values.js';
import type { Standing } from './compose-rewrite.js';

/**
 * What a hook wrote, a place at a time, for finding conflicts: also where it wrote what another hook had written already, since that, too,
 * is its word on the value, and what changed along with it, as the candidates do with the text of a response. Nothing of what it handed
 * back as it was shown; none where words are united.
 */
export function writtenValues(rewrite: Rewrite, patch: unknown, { before, shown }: Standing, after: unknown): ReadonlyMap<string, unknown> {
  const { rule, path } = rewrite;
  if (rule === 'tool-config' || isSameJson(patch, shown)) return new Map();
  if (isTooWide(patch)) return new Map([[path, after]]);
  // What stands side by side with nothing else was written as it is returned; elsewhere it may take other places along.
  const alongWith = rule === 'merge' || rule === 'llm-request' ? [] : changedValues(path, before, after);
  const said = isPlainObject(patch) ? saidFields(rewrite, patch, shown) : [];
  return new Map([
    ...alongWith.map((change): [string, unknown] => [change.path, change.after]),
    ...said.map((keys): [string, unknown] => [[path, ...keys].join('.'), keys.reduce<unknown>(ownValue, after)]),
  ]);
}

/** The fields of a returned object that are not as they were shown, `config` key by key. */
function saidFields({ rule }: Rewrite, patch: Record<string, unknown>, shown: unknown): string[][] {
  return Object.entries(patch).flatMap(([field, value]): string[][] => {
    const old = ownValue(shown, field);
    if (field === 'config' && isPlainObject(value)) {
      return Object.keys(value).flatMap((key) => (isSameJson(value[key], ownValue(old, key)) ? [] : [[field, key]]));
    }
    const isCandidates = rule === 'llm-response' && field === 'candidates';
    const isShown = isCandidates
      ? isSameCandidates(value as LLMResponse['candidates'], old as LLMResponse['candidates'])
      : isSameJson(value, old);
    return isShown ? [] : [[field]];
  });
}
