import { isPlainObject, pathText } from '@tenterhook/runtime/json';
import type { HookAddition } from '../formats/hook-migration.js';
import type { JsonObject } from './insert-json.js';

type Path = readonly (string | number)[];

export class SettingsToAdd {
  readonly #value: Record<string, unknown> = {};
  readonly #there: unknown;
  /** The last group added to each list, by path. The next hook may join this group. */
  readonly #last = new Map<string, { readonly addition: HookAddition; readonly list: unknown[]; readonly path: Path }>();

  /** `there` is the existing content of the file. It determines the indexes of new list items. */
  constructor(there: unknown) {
    this.#there = there;
  }

  get value(): JsonObject {
    return this.#value;
  }

  get isEmpty(): boolean {
    return Object.keys(this.#value).length === 0;
  }

  /**
   * Adds a hook, and returns its future path in the file. If the hook and the previous one can be in one group, it joins that
   * group.
   */
  add(addition: HookAddition): string {
    const { at, key, value, joins } = addition;
    const own = joins === undefined ? [] : (value[joins] as readonly unknown[]);
    const last = this.#last.get(pathText(at));
    if (last !== undefined && joins !== undefined && isSameBut(joins, last.addition, addition)) {
      last.list.push(...own);
      return pathText([...last.path, joins, last.list.length - 1]);
    }
    const path: Path = key === undefined ? [...at, this.#append(at, value, joins)] : [...at, key];
    if (key !== undefined) this.#set(at, key, value);
    return pathText(joins === undefined ? path : [...path, joins, 0]);
  }

  /** The switch becomes the first key, so that users see it before the hooks. */
  set(path: readonly string[], value: unknown): void {
    const before = { ...this.#value };
    for (const name of Object.keys(before)) delete this.#value[name];
    this.#set(path.slice(0, -1), path.at(-1) as string, value);
    Object.assign(this.#value, before);
  }

  #append(at: readonly string[], value: Readonly<Record<string, unknown>>, joins: string | undefined): number {
    const folder = this.#objectAt(at.slice(0, -1));
    const name = at.at(-1) as string;
    const list = (Object.hasOwn(folder, name) ? folder[name] : []) as unknown[];
    folder[name] = list;
    const copy = joins === undefined ? value : { ...value, [joins]: [...(value[joins] as readonly unknown[])] };
    list.push(copy);
    const there = valueAt(this.#there, at);
    const index = (Array.isArray(there) ? there.length : 0) + list.length - 1;
    if (joins !== undefined) {
      const joined = (copy as Readonly<Record<string, unknown>>)[joins] as unknown[];
      this.#last.set(pathText(at), { addition: { at, value, joins }, list: joined, path: [...at, index] });
    }
    return index;
  }

  #set(at: readonly string[], key: string, value: unknown): void {
    Object.defineProperty(this.#objectAt(at), key, { value, enumerable: true, writable: true, configurable: true });
  }

  #objectAt(path: readonly string[]): Record<string, unknown> {
    return path.reduce<Record<string, unknown>>((folder, name) => {
      if (!Object.hasOwn(folder, name)) folder[name] = {};
      return folder[name] as Record<string, unknown>;
    }, this.#value);
  }
}

export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isPlainObject(at) && Object.hasOwn(at, name) ? at[name] : undefined), value);
}

function isSameBut(joins: string, one: HookAddition, other: HookAddition): boolean {
  const rest = ({ at, key, value }: HookAddition) => JSON.stringify([at, key ?? null, { ...value, [joins]: null }]);
  return one.joins === joins && rest(one) === rest(other);
}
