import { inversionsOfEca } from './eca.mjs';
import { inversionsOfEcaInputs } from './eca-inputs.mjs';
import { inversionsOfEcaOutputs } from './eca-outputs.mjs';
import { inversionsOfEffects } from './effects.mjs';
import { inversionsOfHandlerCalls } from './handler-calls.mjs';
import { inversionsOfHandlerPayloads } from './handler-payloads.mjs';
import { inversionsOfHandlers } from './handlers.mjs';
import { inversionsOfInputs } from './inputs.mjs';
import { inversionsOfMerging } from './merging.mjs';
import { inversionsOfOutputs } from './outputs.mjs';

/**
 * Changes of the sources, each of which turns round what some statements say: `{ file, search, replace, ids }`. The text that is
 * searched for stands exactly once in its file. Where it is applied, the tests that cite the ids have to fail.
 */
export const inversions = [
  ...inversionsOfInputs,
  ...inversionsOfOutputs,
  ...inversionsOfMerging,
  ...inversionsOfEffects,
  ...inversionsOfHandlers,
  ...inversionsOfHandlerCalls,
  ...inversionsOfHandlerPayloads,
  ...inversionsOfEca,
  ...inversionsOfEcaInputs,
  ...inversionsOfEcaOutputs,
];

/** A change of one file as text; throws when what it searches for does not stand there exactly once. */
export function inverted(text, { file, search, replace }) {
  const [head, tail, ...more] = text.split(search);
  if (tail === undefined || more.length > 0) {
    throw new Error(`${file}: ${tail === undefined ? 'not found' : 'found more than once'}: ${JSON.stringify(search)}`);
  }
  return `${head}${replace}${tail}`;
}
