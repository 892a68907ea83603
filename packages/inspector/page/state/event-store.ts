import type { EventRow } from '../../src/api/messages.js';
import { compileFilter, type RowTest } from '../filter/compile-filter.js';
import { type Filter, parseFilter } from '../filter/parse-filter.js';

/** The number of rows that are kept. The oldest go. */
const mostRows = 100_000;
/** Rows are removed in portions, because each removal moves all rows. */
const portion = 1_000;

/**
 * The rows of the list, in the order of their numbers, and those of them that the filter shows. Rows are added in place: copying the list
 * for each new row takes longer than drawing it.
 */
export class EventStore {
  readonly rows: EventRow[] = [];
  /** The same array as `rows` without a filter. */
  shown: EventRow[] = this.rows;
  /** The number of rows that were removed from the front. */
  removed = 0;
  #filter: Filter = { terms: [], problems: [] };
  #test: RowTest = () => true;

  get filter(): Filter {
    return this.#filter;
  }

  /** Adds rows, and replaces those that have changed. Rows that were removed before are not added again. */
  put(rows: readonly EventRow[]): void {
    for (const row of rows) this.#put(row);
    if (this.rows.length > mostRows + portion) this.#remove(this.rows.length - mostRows);
  }

  setFilter(text: string): void {
    this.#filter = parseFilter(text);
    this.#test = compileFilter(this.#filter);
    this.#showFiltered();
  }

  /** Removes all rows, for another source. */
  clear(): void {
    this.rows.length = 0;
    this.removed = 0;
    this.#showFiltered();
  }

  find(n: number): EventRow | undefined {
    const index = indexOf(this.rows, n);
    return this.rows[index]?.n === n ? this.rows[index] : undefined;
  }

  /** Returns the place of an event among the rows that are shown, or -1. */
  shownIndex(n: number): number {
    const index = indexOf(this.shown, n);
    return this.shown[index]?.n === n ? index : -1;
  }

  /** Returns how many rows with a larger number are shown. */
  shownAfter(n: number): number {
    return this.shown.length - indexOf(this.shown, n + 1);
  }

  #showFiltered(): void {
    this.shown = this.#filter.terms.length === 0 ? this.rows : this.rows.filter(this.#test);
  }

  #put(row: EventRow): void {
    const isNewest = (this.rows.at(-1)?.n ?? -1) < row.n;
    const first = this.rows[0];
    if (!isNewest && first !== undefined && row.n < first.n && this.removed > 0) return;
    replaceOrInsert(this.rows, row, isNewest);
    if (this.shown === this.rows) return;
    if (this.#test(row)) {
      replaceOrInsert(this.shown, row, (this.shown.at(-1)?.n ?? -1) < row.n);
    } else if (!isNewest) {
      const index = indexOf(this.shown, row.n);
      if (this.shown[index]?.n === row.n) this.shown.splice(index, 1);
    }
  }

  #remove(count: number): void {
    this.rows.splice(0, count);
    this.removed += count;
    const first = this.rows[0]?.n ?? 0;
    if (this.shown !== this.rows) this.shown.splice(0, indexOf(this.shown, first));
  }
}

function replaceOrInsert(rows: EventRow[], row: EventRow, isNewest: boolean): void {
  if (isNewest) {
    rows.push(row);
    return;
  }
  const index = indexOf(rows, row.n);
  rows.splice(index, rows[index]?.n === row.n ? 1 : 0, row);
}

/** Returns the first index whose row has this number or a larger one. */
function indexOf(rows: readonly EventRow[], n: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] as EventRow).n < n) low = middle + 1;
    else high = middle;
  }
  return low;
}
