/** For the packages of this repository only. Users must not rely on these names: they change without notice. */

export { createFailedResult, readOutcomes } from './results/aggregated-result.js';
export { restoreResult } from './results/hook-output-classes.js';
export { brandErrors } from './tenterhook-error.js';
