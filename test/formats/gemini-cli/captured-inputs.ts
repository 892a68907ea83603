import { type CapturedInput, captured } from '../../support/captured-inputs.js';
import { canonicalBase, canonicalRows } from '../llxprt/captured-inputs.js';

/** One input of every event. `cwd`: the project in which the event is fired. */
export function capturedInputs(cwd: string): CapturedInput[] {
  return captured(canonicalRows.slice(0, 11), (event) => canonicalBase(event, cwd));
}
