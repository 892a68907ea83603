/** The indices of two equal items, one in each list. */
export type Pair = readonly [left: number, right: number];

/** A part of the left list and the part of the right list to compare it with. Each part ends before the index `to`. */
interface Range {
  readonly left: Span;
  readonly right: Span;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The maximum number of cells of a table: a few megabytes, and a few milliseconds. */
const maxCells = 1 << 20;

/**
 * Returns pairs of equal items in the order of both lists. If two items changed places, only one of them is paired.
 *
 * A plain longest common subsequence was rejected, because it is quadratic. If a hook rewrites a history of 10,000 messages, it needs a
 * table of a hundred million cells. Three steps avoid this:
 * - Equal items at both ends are paired first. If only one item was edited, this step pairs all others.
 * - Items that occur exactly once in each list are anchors, as far as they have the same order in both lists. This takes O(n log n).
 * - Between two anchors, a longest common subsequence is computed in a table of bounded size. If the table would be too large, nothing is
 *   paired there. This happens only with more than a thousand repeated messages in each list.
 */
export function pairEqual(left: readonly number[], right: readonly number[]): Pair[] {
  const whole = { left: { from: 0, to: left.length }, right: { from: 0, to: right.length } };
  return pairRange(left, right, whole, pairAroundAnchors);
}

function pairRange(
  left: readonly number[],
  right: readonly number[],
  range: Range,
  pairMiddle: (left: readonly number[], right: readonly number[], range: Range) => Pair[],
): Pair[] {
  const head: Pair[] = [];
  const tail: Pair[] = [];
  let [l, r] = [range.left.from, range.right.from];
  let [lEnd, rEnd] = [range.left.to, range.right.to];
  while (l < lEnd && r < rEnd && left[l] === right[r]) head.push([l++, r++]);
  while (l < lEnd && r < rEnd && left[lEnd - 1] === right[rEnd - 1]) tail.push([--lEnd, --rEnd]);
  const middle = l < lEnd && r < rEnd ? pairMiddle(left, right, { left: { from: l, to: lEnd }, right: { from: r, to: rEnd } }) : [];
  return head.concat(middle, tail.reverse());
}

function pairAroundAnchors(left: readonly number[], right: readonly number[], range: Range): Pair[] {
  const anchors = longestRun(itemsSaidOnce(left, right, range));
  const end: Pair = [range.left.to, range.right.to];
  let [l, r] = [range.left.from, range.right.from];
  return [...anchors, end].flatMap((anchor): Pair[] => {
    const gap = { left: { from: l, to: anchor[0] }, right: { from: r, to: anchor[1] } };
    [l, r] = [anchor[0] + 1, anchor[1] + 1];
    const between = pairRange(left, right, gap, pairByTable);
    return anchor === end ? between : [...between, anchor];
  });
}

/** Returns pairs of items that occur exactly once in each list, in the order of the right list. */
function itemsSaidOnce(left: readonly number[], right: readonly number[], range: Range): Pair[] {
  const onLeft = placesSaidOnce(left, range.left);
  const onRight = placesSaidOnce(right, range.right);
  return [...onRight].flatMap(([item, r]): Pair[] => {
    const l = onLeft.get(item);
    return l === undefined || l < 0 || r < 0 ? [] : [[l, r]];
  });
}

/** Returns the index of each item, or -1 if it occurs more than once. */
function placesSaidOnce(items: readonly number[], { from, to }: Span): Map<number, number> {
  const places = new Map<number, number>();
  for (let place = from; place < to; place++) places.set(items[place]!, places.has(items[place]!) ? -1 : place);
  return places;
}

/** Returns the longest subsequence of the pairs that ascends in the left list. The pairs already ascend in the right list. */
function longestRun(pairs: readonly Pair[]): Pair[] {
  const runEnds: number[] = [];
  const previous: number[] = [];
  for (const [index, [l]] of pairs.entries()) {
    let [low, high] = [0, runEnds.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[runEnds[middle]!]![0] < l) low = middle + 1;
      else high = middle;
    }
    previous.push(low === 0 ? -1 : runEnds[low - 1]!);
    runEnds[low] = index;
  }
  const run: Pair[] = [];
  for (let index = runEnds.at(-1) ?? -1; index >= 0; index = previous[index]!) run.push(pairs[index]!);
  return run.reverse();
}

/**
 * Returns the longest common subsequence. A cell of the table has the length of that subsequence for the items from its row and column on.
 */
function pairByTable(left: readonly number[], right: readonly number[], range: Range): Pair[] {
  const [rows, columns] = [range.left.to - range.left.from, range.right.to - range.right.from];
  if ((rows + 1) * (columns + 1) > maxCells) return [];
  const isEqual = (row: number, column: number) => left[range.left.from + row] === right[range.right.from + column];
  const lengths = new Uint32Array((rows + 1) * (columns + 1));
  const cell = (row: number, column: number) => row * (columns + 1) + column;
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      lengths[cell(row, column)] = isEqual(row, column)
        ? lengths[cell(row + 1, column + 1)]! + 1
        : Math.max(lengths[cell(row + 1, column)]!, lengths[cell(row, column + 1)]!);
    }
  }
  const pairs: Pair[] = [];
  for (let [row, column] = [0, 0]; row < rows && column < columns; ) {
    if (isEqual(row, column)) pairs.push([range.left.from + row++, range.right.from + column++]);
    else if (lengths[cell(row + 1, column)]! >= lengths[cell(row, column + 1)]!) row++;
    else column++;
  }
  return pairs;
}
