import { type Pair, pairEqual } from './equal-pairs.js';
import type { HookMessage } from './hook-message.js';

/** How a message changed. `index` is its index in the original list. */
export type AlignedMessage =
  | { readonly kind: 'kept'; readonly index: number }
  | { readonly kind: 'removed'; readonly index: number }
  | { readonly kind: 'changed'; readonly index: number; readonly message: HookMessage }
  | { readonly kind: 'inserted'; readonly message: HookMessage };

/**
 * Aligns the messages that a hook returned with those that it received (design §4.6). Equal messages are aligned first, then the others by
 * position. A message that the hook did not receive, e.g. an image or a tool's result, is `undefined` in `shown`. It stays directly after
 * the message before it. The result has the order of the returned list.
 *
 * If one of two equal messages was removed, it is unknown which one. The earlier one is kept.
 */
export function alignMessages(shown: readonly (HookMessage | undefined)[], returned: readonly HookMessage[]): AlignedMessage[] {
  const places = [...shown.keys()].filter((index) => shown[index] !== undefined);
  const visible = places.map((index) => shown[index]!);
  const aligned: AlignedMessage[] = [];
  let next = 0;
  const keepHidden = () => {
    while (next < shown.length && shown[next] === undefined) aligned.push({ kind: 'kept', index: next++ });
  };
  const dropUntil = (end: number) => {
    while (next < end) {
      aligned.push({ kind: 'removed', index: next++ });
      keepHidden();
    }
  };
  const partners = new Map(pairMessages(visible, returned).map(([old, now]) => [now, places[old]!]));
  for (const [now, message] of returned.entries()) {
    const index = partners.get(now);
    if (index === undefined) {
      aligned.push({ kind: 'inserted', message });
      continue;
    }
    keepHidden();
    dropUntil(index);
    aligned.push(isSame(shown[index], message) ? { kind: 'kept', index } : { kind: 'changed', index, message });
    next = index + 1;
    keepHidden();
  }
  keepHidden();
  dropUntil(shown.length);
  return aligned;
}

function pairMessages(visible: readonly HookMessage[], returned: readonly HookMessage[]): Pair[] {
  const numbers = new MessageNumbers();
  const equal = pairEqual(visible.map(numbers.of), returned.map(numbers.of));
  const end: Pair = [visible.length, returned.length];
  let [old, now] = [0, 0];
  return [...equal, end].flatMap((pair): Pair[] => {
    const between = pairByPlace(visible.slice(old, pair[0]), returned.slice(now, pair[1]));
    const shifted = between.map(([o, n]): Pair => [old + o, now + n]);
    [old, now] = [pair[0] + 1, pair[1] + 1];
    return pair === end ? shifted : [...shifted, pair];
  });
}

/**
 * Pairs messages that are not equal. Lists of the same length are paired by position. Otherwise the roles decide. E.g. if a hook inserts a
 * system message at the beginning and redacts the user's message, the second message of the new list is paired with the user's.
 */
function pairByPlace(old: readonly HookMessage[], now: readonly HookMessage[]): Pair[] {
  const [short, long] = old.length <= now.length ? [old, now] : [now, old];
  const places = short.length === long.length ? undefined : placesOfRoles(short, long);
  return short.map((_, index): Pair => {
    const place = places?.[index] ?? index;
    return short === old ? [index, place] : [place, index];
  });
}

/** Finds the roles of the short list in the long list, in the same order. Returns their indexes, or undefined if a role is missing. */
function placesOfRoles(short: readonly HookMessage[], long: readonly HookMessage[]): number[] | undefined {
  const places: number[] = [];
  for (const [place, { role }] of long.entries()) {
    if (places.length < short.length && short[places.length]!.role === role) places.push(place);
  }
  return places.length === short.length ? places : undefined;
}

/** Maps equal messages to equal numbers, so that the search compares numbers and not megabytes of text. */
class MessageNumbers {
  readonly #byRole = new Map<string, Map<string, number>>();
  #count = 0;

  readonly of = ({ role, content }: HookMessage): number => {
    const byContent = this.#byRole.get(role) ?? new Map<string, number>();
    this.#byRole.set(role, byContent);
    const number = byContent.get(content) ?? this.#count++;
    byContent.set(content, number);
    return number;
  };
}

function isSame(shown: HookMessage | undefined, message: HookMessage): boolean {
  return shown?.role === message.role && shown.content === message.content;
}
