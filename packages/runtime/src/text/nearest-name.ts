/**
 * Returns the known name that was probably meant: one that differs from `name` only in case, or in at most a third of its letters.
 * Returns undefined if there is no such name.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  let nearest: string | undefined;
  // The largest distance at which a known name is still similar. With this limit, the comparison with a very different name ends early.
  let limit = known.reduce((most, candidate) => Math.max(most, mostDistant(candidate)), 0);
  let distance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const found = editDistance(lower, candidate.toLowerCase(), limit);
    if (found > limit) continue;
    nearest = candidate;
    distance = found;
    // From now on only a nearer name is accepted. So of several equally near names, the first is used.
    limit = found - 1;
    if (limit < 0) break;
  }
  return nearest !== undefined && distance <= mostDistant(nearest) ? nearest : undefined;
}

function mostDistant(name: string): number {
  return Math.max(1, Math.floor(name.length / 3));
}

/**
 * Returns a sentence that suggests the known name that was probably meant. Returns `otherwise` if the value is not a string or no name is
 * similar.
 */
export function suggestName(name: unknown, known: readonly string[], otherwise: string): string {
  const nearest = typeof name === 'string' ? nearestName(name, known) : undefined;
  return nearest === undefined ? otherwise : `Did you mean "${nearest}"?`;
}

/** Returns the number of edits between two texts, or Infinity above the limit. Two swapped letters are one edit. */
function editDistance(a: string, b: string, limit: number): number {
  // Most names are very different, so two lower bounds of the distance are tried before it is computed: that of the lengths and that of the
  // letters.
  if (Math.abs(a.length - b.length) > limit || leastDistance(a, b) > limit) return Number.POSITIVE_INFINITY;
  let before: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? (before[j - 2] as number) + 1 : Number.POSITIVE_INFINITY;
      const value = Math.min(substitution, swap, (row[j] as number) + 1, (next[j - 1] as number) + 1);
      next.push(value);
      if (value < least) least = value;
    }
    if (least > limit) return Number.POSITIVE_INFINITY;
    before = row;
    row = next;
  }
  return row[b.length] as number;
}

/** The number of letters for each code unit, of which only the last six bits are used. */
const letters = new Int32Array(64);

/** Returns a lower bound of the number of edits: the letters that one text has and the other lacks. A swap adds none. */
function leastDistance(a: string, b: string): number {
  letters.fill(0);
  for (let i = 0; i < a.length; i += 1) (letters[a.charCodeAt(i) & 63] as number) += 1;
  for (let i = 0; i < b.length; i += 1) (letters[b.charCodeAt(i) & 63] as number) -= 1;
  let [more, less] = [0, 0];
  for (const count of letters) {
    if (count > 0) more += count;
    else less -= count;
  }
  return Math.max(more, less);
}
