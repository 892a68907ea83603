import type { Fields } from './fields.js';

/** Which candidate of a response it says it is; its place, where it does not. */
export function candidateIndexOf({ index }: Fields, place: number): number {
  return typeof index === 'number' ? index : place;
}

/** The candidate of this index, wherever it stands. */
export function findCandidate(candidates: readonly Fields[], index: number): Fields | undefined {
  return candidates.find((candidate, place) => candidateIndexOf(candidate, place) === index);
}
