/**
 * Says which element shows which row. A row keeps its element while it can be seen, and a row that comes into view gets the element of one
 * that has left it: making new elements takes a third of the time of a frame.
 */
export class RowElements {
  #elements = new Map<number, number>();
  #count = 0;

  /** Returns the key of the element of each row, given the numbers of all rows in their order. */
  assign(rows: readonly number[]): number[] {
    const before = this.#elements;
    const stay = new Set(rows);
    const free: number[] = [];
    for (const [row, element] of before) if (!stay.has(row)) free.push(element);
    const next = new Map<number, number>();
    let used = 0;
    for (const row of rows) next.set(row, before.get(row) ?? free[used++] ?? this.#count++);
    this.#elements = next;
    return [...next.values()];
  }
}
