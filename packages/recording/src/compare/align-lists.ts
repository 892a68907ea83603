/** A pair of positions. An item without a partner has `undefined` on the other side. */
export type Pair = readonly [before: number | undefined, now: number | undefined];

/** The maximum size of the table of lengths. Lists with more differences than it can hold are joined by position. */
const mostCells = 4_000_000;

/** Joins the equal items of two lists in order, so that as many as possible have a partner. */
export function alignLists(before: readonly string[], now: readonly string[]): Pair[] {
  let begin = 0;
  while (begin < before.length && begin < now.length && before[begin] === now[begin]) begin += 1;
  let end = 0;
  while (end < before.length - begin && end < now.length - begin && before[before.length - 1 - end] === now[now.length - 1 - end]) {
    end += 1;
  }
  const pairs: Pair[] = Array.from({ length: begin }, (_, index) => [index, index]);
  const [rows, columns] = [before.length - begin - end, now.length - begin - end];
  if (rows * columns > mostCells) {
    for (let at = 0; at < Math.max(rows, columns); at += 1) {
      pairs.push([at < rows ? begin + at : undefined, at < columns ? begin + at : undefined]);
    }
  } else {
    pairs.push(...alignMiddle(before.slice(begin, begin + rows), now.slice(begin, begin + columns)).map((pair) => moved(pair, begin)));
  }
  for (let at = end; at > 0; at -= 1) pairs.push([before.length - at, now.length - at]);
  return pairs;
}

function moved([before, now]: Pair, by: number): Pair {
  return [before === undefined ? undefined : before + by, now === undefined ? undefined : now + by];
}

/** The longest common subsequence. `lengths` has its length for each pair of ends. */
function alignMiddle(before: readonly string[], now: readonly string[]): Pair[] {
  const width = now.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] as number;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = now.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        before[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: Pair[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < now.length) {
    if (row < before.length && column < now.length && before[row] === now[column]) pairs.push([row++, column++]);
    else if (column >= now.length || (row < before.length && at(row + 1, column) >= at(row, column + 1))) pairs.push([row++, undefined]);
    else pairs.push([undefined, column++]);
  }
  return pairs;
}
