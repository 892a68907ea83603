/** Names for the other packages of this repository. Users must not rely on them, because they change without notice. */

export { describeType, type InputField, inputFieldsOf } from './events/event-input-fields.js';
export { splitFireOptions } from './events/fire-options.js';
export { createFailedResult } from './results/aggregated-result.js';
export { restoreResult } from './results/hook-output-classes.js';
export { readOutcomes, readResponse, recordOwnResult } from './results/read-response.js';
export { brandErrors } from './tenterhook-error.js';
