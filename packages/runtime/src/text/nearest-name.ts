/**
 * The known name that was probably meant: equal except for case, or with at most a third of its letters different. Undefined if there is
 * none.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(lower, candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= Math.max(1, Math.floor(best.candidate.length / 3)) ? best.candidate : undefined;
}

/** A sentence for messages: the known name that was probably meant, or `otherwise` if no name is near or the value is not a string. */
export function suggestName(name: unknown, known: readonly string[], otherwise: string): string {
  const nearest = typeof name === 'string' ? nearestName(name, known) : undefined;
  return nearest === undefined ? otherwise : `Did you mean "${nearest}"?`;
}

function editDistance(a: string, b: string): number {
  // Names are short. A much longer text is not a misspelling, and must not cost quadratic time.
  if (Math.abs(a.length - b.length) > 16) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
