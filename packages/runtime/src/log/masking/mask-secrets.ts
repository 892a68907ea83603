import { isPlainObject } from '../../json/plain-json.js';
import { maskText } from './mask-text.js';
import { mask } from './masked-value.js';
import { isSecret, isSecretName } from './secret-name.js';

/** The maximum number of characters shown of one text, and of all texts in one value together. */
const maxText = 4_000;
const maxDepth = 12;

/** Copies a value for display, with everything masked that looks like a secret. Shortens long texts and large values. Never throws. */
export function maskSecrets(value: unknown): unknown {
  try {
    return masked(value, { left: maxText }, 0);
  } catch {
    // The thrown value is not shown, because converting it to text may throw again.
    return 'cannot be shown';
  }
}

/** `left` is the number of characters that may still be shown. A text takes its length, and every other value takes one. */
function masked(value: unknown, budget: { left: number }, depth: number): unknown {
  budget.left -= 1;
  if (budget.left < 0) return '…';
  if (typeof value === 'string') {
    const whole = maskText(value.slice(0, maxText));
    const text = whole.slice(0, budget.left);
    budget.left -= text.length;
    return value.length > maxText || text.length < whole.length ? `${text}…` : text;
  }
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return '…';
  if (Array.isArray(value)) {
    return Array.from(limited(value.keys(), budget), (index) => maskedItem(value, index) ?? masked(value[index], budget, depth + 1));
  }
  if (!isPlainObject(value)) return Object.prototype.toString.call(value);
  const isOfSecret = namesSecret(value);
  return Object.fromEntries(
    Array.from(limited(Object.keys(value).values(), budget), (key) => {
      const shownKey = maskText(key.slice(0, 100));
      budget.left -= shownKey.length;
      const isMasked = isSecret(key, value[key]) || (isOfSecret && /^value$/i.test(key));
      return [shownKey, isMasked ? mask : masked(value[key], budget, depth + 1)];
    }),
  );
}

/**
 * Tests whether an object has the name of a secret in one field and its value in another: `{ name: 'DB_PASSWORD', value: … }`.
 * Environments are often listed in this way.
 */
function namesSecret(value: Readonly<Record<string, unknown>>): boolean {
  return ['name', 'Name', 'key', 'Key'].some((key) => {
    const name = Object.hasOwn(value, key) ? value[key] : undefined;
    return typeof name === 'string' && isSecretName(name);
  });
}

/**
 * Masks an item of a list if the item before it is the name of a secret. The two are an option and its argument, or `[name, value]`.
 * Returns undefined for other items.
 */
function maskedItem(items: readonly unknown[], index: number): string | undefined {
  const [before, item]: readonly unknown[] = [items[index - 1], items[index]];
  if (typeof before !== 'string' || typeof item !== 'string') return undefined;
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
