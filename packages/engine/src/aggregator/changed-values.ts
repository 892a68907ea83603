import type { LLMResponse, Rewrite } from '@tenterhook/protocol';
import { isSameCandidates } from '@tenterhook/protocol/internal';
import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';

/** The state of a value when the rewrite of a hook is applied to it. */
export interface Standing {
  /** The value as the hooks before it in plan order left it. */
  readonly before: unknown;
  /**
   * The value as the hook received it. It differs from `before` if another hook of the same stage has written in the meantime. Returning
   * this value is not a write, because a hook that prints its whole input must not undo a redaction of another hook.
   */
  readonly shown: unknown;
}

/** An object with more keys is reported as one change. A list of a thousand changes would be of no use. */
const maxKeys = 1000;

/** A changed value and its path. If there was no value, `before` or `after` is absent, not `undefined`, which JSON would drop anyway. */
export interface ChangedValue {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/**
 * Returns the differences between two JSON values, field by field: `tool_input.path`, `llm_request.config.temperature`. It goes one level
 * deep, and two levels within `config`. Below that, a reader understands the two values better than a list of paths.
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

/** Returns the own value of a key. Inherited values are excluded, because a hook may write keys such as `__proto__` or `constructor`. */
export function ownValue(value: unknown, key: string): unknown {
  return isPlainObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * Returns the paths that a hook wrote, each with its value, so that conflicts with other hooks can be found. A value that the hook returned
 * unchanged is left out. A value that another hook has already written is included if this hook wrote the same, because this hook chose it
 * too. Also included is a value that changes as a consequence, such as the candidates of a response when its text changes. With the rule
 * `tool-config` the map is empty, because the values of all hooks are merged and cannot conflict.
 */
export function writtenValues(rewrite: Rewrite, patch: unknown, { before, shown }: Standing, after: unknown): ReadonlyMap<string, unknown> {
  const { rule, path } = rewrite;
  if (rule === 'tool-config' || isSameJson(patch, shown)) return new Map();
  if (isTooWide(patch)) return new Map([[path, after]]);
  // With the rules `merge` and `llm-request`, only the returned fields change. With the others, a write may change further values.
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
