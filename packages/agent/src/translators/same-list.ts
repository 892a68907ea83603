/** Whether two lists hold the very same items. */
export function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, place) => item === b[place]);
}
