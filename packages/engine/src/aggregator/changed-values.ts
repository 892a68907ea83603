import type { LLMResponse, Rewrite } from '@tenterhook/protocol';
import { isSameCandidates } from '@tenterhook/protocol/internal';
import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';

/** The state of a value when the rewrite of a hook is applied to it. */
export interface Standing {
  /** The value right before the rewrite. It includes the rewrites of all hooks that come earlier in the plan. */
  readonly before: unknown;
  /**
   * The value as the hook received it. It differs from `before` if another hook of the same stage has written in the meantime. A hook
   * that returns this value has not written. Otherwise a hook that prints its whole input would undo what another hook removed.
   */
  readonly shown: unknown;
}

/** An object with more keys is reported as a single change, because a person would not read a list of a thousand. */
const maxKeys = 1000;

/** A changed value and its path. `before` is absent if the value is new, and `after` is absent if it was removed. */
export interface ChangedValue {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/**
 * Returns the differences between two JSON values by field, e.g. `tool_input.path` and `llm_request.config.temperature`. Compares only the
 * fields of the value and of its `config`, because deeper values are easier to read as a whole.
 */
export function changedValues(path: string, before: unknown, after: unknown): ChangedValue[] {
  if (isSameJson(before, after)) return [];
  if (isTooWide(before) || isTooWide(after)) return [changed(path, before, after)];
  if (!isPlainObject(after) || !(before === undefined || isPlainObject(before))) return [changed(path, before, after)];
  const keys = new Set([...Object.keys(before ?? {}), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const [old, now] = [ownValue(before, key), ownValue(after, key)];
    if (isSameJson(old, now)) return [];
    return key === 'config' ? changedValues(`${path}.${key}`, old, now) : [changed(`${path}.${key}`, old, now)];
  });
}

function changed(path: string, before: unknown, after: unknown): ChangedValue {
  return { path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

function isTooWide(value: unknown): boolean {
  return isPlainObject(value) && Object.keys(value).length > maxKeys;
}

/**
 * Returns the value of an object's own key. Inherited values are excluded, because a hook may write keys such as `__proto__` or
 * `constructor`.
 */
export function ownValue(value: unknown, key: string): unknown {
  return isPlainObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * Returns the paths that a hook wrote, with their values. They are used to find conflicts with other hooks.
 * - A value that the hook returned unchanged is left out.
 * - If another hook has written to the same path too, the value is included even if it is unchanged, because this hook chose it as well.
 * - A value that changes as a consequence is included, such as the candidates of a response when its text changes.
 * - With the rule `tool-config` nothing is returned, because the selections of all hooks are merged and cannot conflict.
 */
export function writtenValues(rewrite: Rewrite, patch: unknown, { before, shown }: Standing, after: unknown): ReadonlyMap<string, unknown> {
  const { rule, path } = rewrite;
  if (rule === 'tool-config' || isSameJson(patch, shown)) return new Map();
  if (isTooWide(patch)) return new Map([[path, after]]);
  // With the rules `merge` and `llm-request`, only the returned fields change. With the other rules, a write may also change fields that
  // the hook did not return.
  const alongWith = rule === 'merge' || rule === 'llm-request' ? [] : changedValues(path, before, after);
  const said = isPlainObject(patch) ? saidFields(rewrite, patch, shown) : [];
  return new Map([
    ...alongWith.map((change): [string, unknown] => [change.path, change.after]),
    ...said.map((keys): [string, unknown] => [[path, ...keys].join('.'), keys.reduce<unknown>(ownValue, after)]),
  ]);
}

/** Returns the changed fields of a returned object, `config` key by key. */
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
