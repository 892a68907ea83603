/** Copies plain JSON with every text and every key replaced. */
export function mapTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, replace));
  // `fromEntries` also copies a key `__proto__` as an ordinary key.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [replace(key), mapTexts(item, replace)]));
}
