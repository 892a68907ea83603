/** What to say of hooks that are switched off as a whole; undefined when none is. */
export function switchedOffNote(off: readonly { readonly reason: string }[]): string | undefined {
  if (off.length === 0) return undefined;
  return `note: ${off.length} hook${off.length === 1 ? ' is' : 's are'} switched off. ${[...new Set(off.map((entry) => entry.reason))].join(' ')}`;
}
