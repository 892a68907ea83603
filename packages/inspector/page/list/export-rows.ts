import { request } from '../server/request.js';
import { store } from '../state/page-state.js';

/** Returns numbers in rising order as ranges, both ends included. */
export function rangesOf(numbers: Iterable<number>): [from: number, to: number][] {
  const ranges: [number, number][] = [];
  for (const n of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === n - 1) last[1] = n;
    else ranges.push([n, n]);
  }
  return ranges;
}

/** Saves what the filter shows as a recording. Rejects if the server refuses. The server masks it. */
export async function exportRows(): Promise<void> {
  const response = await request('/api/export', { body: { rows: rangesOf(store.shown.map(({ n }) => n)) } });
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = 'inspected.bus.jsonl';
  link.click();
  URL.revokeObjectURL(address);
}
