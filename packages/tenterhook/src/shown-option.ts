export function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** What a program handed over, short: it may be anything. */
export function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  return typeof value === 'string' || value === null || typeof value === 'number' ? JSON.stringify(value) : typeof value;
}
