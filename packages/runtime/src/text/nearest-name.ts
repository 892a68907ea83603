/**
 * Returns the known name that was probably meant, or undefined. This is a name that differs from `name` only in case, or in at most
 * a third of its letters.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  let nearest: string | undefined;
  // The largest distance at which any known name would still be similar. It lets the comparison with a very different name end
  // early.
  let limit = known.reduce((most, candidate) => Math.max(most, mostDistant(candidate)), 0);
  let distance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const found = editDistance(lower, candidate.toLowerCase(), limit);
    if (found > limit) continue;
    nearest = candidate;
    distance = found;
    // From now on only a nearer name is accepted. So the first of several equally near names is used.
    limit = found - 1;
    if (limit < 0) break;
  }
  return nearest !== undefined && distance <= mostDistant(nearest) ? nearest : undefined;
}

function mostDistant(name: string): number {
  return Math.max(1, Math.floor(name.length / 3));
}

/**
 * Returns a question with the known name that was probably meant: `Did you mean "deny"?`. Returns `otherwise` if no known name is
 * similar, or if the value is not a string.
 */
export function suggestName(name: unknown, known: readonly string[], otherwise: string): string {
  const nearest = typeof name === 'string' ? nearestName(name, known) : undefined;
  return nearest === undefined ? otherwise : `Did you mean "${nearest}"?`;
}

/**
 * Returns the number of edits between two texts, or Infinity if it exceeds the limit. Swapping two neighbouring letters is one
 * edit.
 */
function editDistance(a: string, b: string, limit: number): number {
  // Most names are very different. So the difference in length and the different letters are compared first: the distance cannot be
  // smaller than either.
  if (Math.abs(a.length - b.length) > limit || leastDistance(a, b) > limit) return Number.POSITIVE_INFINITY;
  if (b.length >= rows[0].length) rows = rowsOf(2 * b.length);
  let [before, row, next] = rows;
  for (let j = 0; j <= b.length; j += 1) row[j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    const letter = a.charCodeAt(i - 1);
    next[0] = i;
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = letter === b.charCodeAt(j - 1);
      let value = Math.min((row[j - 1] as number) + (isSame ? 0 : 1), (row[j] as number) + 1, (next[j - 1] as number) + 1);
      const isSwap = i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (isSwap) value = Math.min(value, (before[j - 2] as number) + 1);
      next[j] = value;
      if (value < least) least = value;
    }
    if (least > limit) return Number.POSITIVE_INFINITY;
    [before, row, next] = [row, next, before];
  }
  return row[b.length] as number;
}

type Rows = [Int32Array, Int32Array, Int32Array];
const rowsOf = (width: number): Rows => [new Int32Array(width), new Int32Array(width), new Int32Array(width)];

/** The last three rows of a comparison. They are kept, because allocating them takes longer than most comparisons. */
let rows = rowsOf(64);

/** How often each letter occurs. A letter is counted at the last six bits of its code unit. */
const letters = new Int32Array(64);

/** Counts the letters that only one of the texts has. The number of edits cannot be smaller. */
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
