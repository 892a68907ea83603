import type { ConformanceTest } from '../../src/index.js';

/**
 * Returns one of two parts of the suite. `first` has each rule in the first possible direction, and `rest` has it in all other directions.
 */
export function partOf(tests: readonly ConformanceTest[], part: 'first' | 'rest'): readonly ConformanceTest[] {
  const promises = tests.map(({ title }) => title.replace(/ \(end \d to end \d\)$/, ''));
  return tests.filter((_, index) => (promises.indexOf(promises[index] as string) === index) === (part === 'first'));
}
