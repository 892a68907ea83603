import { isPlainObject } from '../../json/plain-json.js';
import { maskBeginning } from './mask-beginning.js';
import { maskText } from './mask-text.js';
import { mask } from './masked-value.js';
import { isSecret, isSecretName } from './secret-name.js';

/** The maximum number of characters shown of one text, and of all texts in one value together. */
const maxText = 4_000;
const maxDepth = 12;

/**
 * How much of a value is kept. `left` is the number of characters that may still be shown. A text takes its length, and every other value
 * takes one.
 */
interface Bounds {
  left: number;
  readonly maxText: number;
  readonly maxKey: number;
  readonly maxDepth: number;
  readonly maskText: (text: string) => string;
  /** Whether a text that is the value of a secret's name is shown. */
  readonly isShown: (text: string) => boolean;
}

/** What a caller of `maskWhole` may show, because it has already replaced secrets. */
export interface MaskRules {
  /** Masks a text. @default `maskText` */
  readonly maskText?: (text: string) => string;
  /** Whether a text is shown, although its name is that of a secret. @default no text is shown */
  readonly isShown?: (text: string) => boolean;
}

const noText = () => false;

/**
 * Copies a value for display and masks everything that looks like a secret. Long texts and large values are shortened. Never
 * throws.
 */
export function maskSecrets(value: unknown): unknown {
  try {
    return masked(value, { left: maxText, maxText, maxKey: 100, maxDepth, maskText, isShown: noText }, 0);
  } catch {
    // The thrown value is not shown, because converting it to text may throw again.
    return 'cannot be shown';
  }
}

/**
 * Copies a value with everything masked that looks like a secret, by the rules of `maskSecrets`, and shortens nothing. For values that are
 * stored. Throws for a value that cannot be read, and for one that is nested too deeply for the stack.
 */
export function maskWhole(value: unknown, rules: MaskRules = {}): unknown {
  const all = Number.POSITIVE_INFINITY;
  return masked(value, { left: all, maxText: all, maxKey: all, maxDepth: all, maskText, isShown: noText, ...rules }, 0);
}

function masked(value: unknown, bounds: Bounds, depth: number): unknown {
  bounds.left -= 1;
  if (bounds.left < 0) return '…';
  if (typeof value === 'string') {
    const { shown, isCut } = maskBeginning(value, bounds.maxText, bounds.maskText);
    const text = shown.slice(0, bounds.left);
    bounds.left -= text.length;
    return isCut || text.length < shown.length ? `${text}…` : text;
  }
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= bounds.maxDepth) return '…';
  if (Array.isArray(value)) {
    return Array.from(
      limited(value.keys(), bounds),
      (index) => maskedItem(value, index, bounds.isShown) ?? masked(value[index], bounds, depth + 1),
    );
  }
  if (!isPlainObject(value)) return Object.prototype.toString.call(value);
  const isOfSecret = namesSecret(value);
  return Object.fromEntries(
    Array.from(limited(Object.keys(value).values(), bounds), (key) => {
      const shownKey = maskBeginning(key, bounds.maxKey, bounds.maskText).shown;
      bounds.left -= shownKey.length;
      const item = value[key];
      const isMasked = isSecret(key, item) || (isOfSecret && /^value$/i.test(key));
      const isShown = !isMasked || (typeof item === 'string' && bounds.isShown(item));
      return [shownKey, isShown ? masked(item, bounds, depth + 1) : mask];
    }),
  );
}

/**
 * Tests whether one field of an object is the name of a secret, as in `{ name: 'DB_PASSWORD', value: … }`. Environments are often
 * listed in this form.
 */
function namesSecret(value: Readonly<Record<string, unknown>>): boolean {
  return ['name', 'Name', 'key', 'Key'].some((key) => {
    const name = Object.hasOwn(value, key) ? value[key] : undefined;
    return typeof name === 'string' && isSecretName(name);
  });
}

/**
 * Masks an item of a list if the item before it is the name of a secret, as in `['--token', 'abc']` or `['DB_PASSWORD', 'abc']`.
 * Returns undefined for other items.
 */
function maskedItem(items: readonly unknown[], index: number, isShown: Bounds['isShown']): string | undefined {
  const [before, item]: readonly unknown[] = [items[index - 1], items[index]];
  if (typeof before !== 'string' || typeof item !== 'string' || isShown(item)) return undefined;
  if (/^--?[a-z][\w-]{0,99}$/i.test(before) && isSecret(before, item)) return item.startsWith('-') ? undefined : mask;
  if ((before === '-u' || before === '--user') && item.includes(':')) return item.replace(/:[\s\S]*/, `:${mask}`).slice(0, 100);
  return items.length === 2 && /^[\w.-]{1,100}$/.test(before) && isSecret(before, item) ? mask : undefined;
}

function* limited<Item>(items: Iterable<Item>, budget: { readonly left: number }): Generator<Item> {
  for (const item of items) {
    if (budget.left <= 0) return;
    yield item;
  }
}
