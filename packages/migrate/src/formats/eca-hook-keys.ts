import type { PortableHook } from '../portable/portable-hook.js';

/** A hook that gets a key, and the type that it has in ECA. */
export interface Keyless {
  readonly hook: PortableHook;
  readonly type: string;
}

/**
 * A key for each hook: its name, else its type and a number. None is one of `taken`. Where hooks of a type were a chain, in which the keys
 * decide the order here, they have a number before them unless they are in order anyway.
 */
export function hookKeys(hooks: readonly Keyless[], taken: readonly string[]): readonly string[] {
  const natural = hooks.map(({ hook, type }, index) => {
    const before = hooks.slice(0, index).filter((other) => other.type === type && other.hook.name === undefined).length;
    return hook.name ?? `${type}-${before + 1}`;
  });
  const numbered = natural.map((key, index) => {
    const { type } = hooks[index] as Keyless;
    const chain = hooks.flatMap((other, place) => (other.type === type ? [place] : []));
    const isChain = chain.some((place) => hooks[place]?.hook.sequential === true);
    if (!isChain || isInOrder(chain.map((place) => natural[place] as string))) return key;
    return `${String(chain.indexOf(index) + 1).padStart(String(chain.length).length, '0')}-${key}`;
  });
  const used = new Set(taken);
  return numbered.map((key) => {
    const free = freeKey(key, used);
    used.add(free);
    return free;
  });
}

function freeKey(key: string, used: ReadonlySet<string>): string {
  if (!used.has(key)) return key;
  let number = 2;
  while (used.has(`${key}-${number}`)) number += 1;
  return `${key}-${number}`;
}

/** In code-unit order, as the keys are read (decision 54). */
function isInOrder(keys: readonly string[]): boolean {
  return keys.every((key, index) => index === 0 || (keys[index - 1] as string) <= key);
}
