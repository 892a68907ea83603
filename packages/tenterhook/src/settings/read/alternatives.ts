/** Names of which one holds: `a`, `a or b`, `a, b or c`. */
export function alternatives(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}
