import { isPlainObject } from '@tenterhook/runtime/json';
import type { RecordedExchange } from './recording.js';

/**
 * Returns the outcomes of the hooks of an event. Those of an event that failed, for example because it was cancelled, are in the details of
 * its error. Undefined if the hooks were not asked.
 */
export function recordedOutcomes({ response }: RecordedExchange): Readonly<Record<string, unknown>>[] | undefined {
  const payload = fieldsOf(response?.payload);
  const outcomes = fieldsOf(payload['output'])['outcomes'] ?? fieldsOf(fieldsOf(payload['error'])['details'])['outcomes'];
  return Array.isArray(outcomes) ? outcomes.filter(isPlainObject) : undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isPlainObject(value) ? value : {};
}
