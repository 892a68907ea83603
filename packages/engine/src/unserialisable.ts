/** Where a value stops being JSON: JSON.stringify says that it failed and not where (field failure 36). */
export function findUnserialisable(
  value: unknown,
  path = '',
  ancestors: readonly unknown[] = [],
): { path: string; message: string } | undefined {
  if (typeof value === 'bigint') return { path, message: `A BigInt (${value}n) cannot be written as JSON; send a number or a text.` };
  if (typeof value !== 'object' || value === null) return undefined;
  if (ancestors.includes(value)) return { path, message: 'The value contains itself and cannot be written as JSON.' };
  for (const [key, child] of Object.entries(value)) {
    const childPath = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    const found = findUnserialisable(child, childPath, [...ancestors, value]);
    if (found !== undefined) return found;
  }
  return undefined;
}
