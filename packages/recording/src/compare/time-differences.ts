import { isPlainObject } from '@tenterhook/runtime/json';
import type { RecordedExchange } from '../format/recording.js';

/** A duration that is longer or shorter by more than the factor. */
export interface TimeDifference {
  readonly ordinal: number;
  readonly eventName: string | undefined;
  /** Absent for the time of the whole event. */
  readonly hookId?: string | undefined;
  readonly recordedMs: number;
  readonly nowMs: number;
}

/** Compares the durations of two exchanges. Durations of less than a millisecond are equal to all others of this kind. */
export function findTimeDifferences(recorded: RecordedExchange, now: RecordedExchange, factor: number): TimeDifference[] {
  const after = durationsOf(now);
  return [...durationsOf(recorded)].flatMap(([hookId, recordedMs]) => {
    const nowMs = after.get(hookId);
    if (nowMs === undefined) return [];
    const [shorter, longer] = [Math.max(1, Math.min(recordedMs, nowMs)), Math.max(recordedMs, nowMs)];
    if (longer <= shorter * factor) return [];
    const { ordinal, eventName } = recorded;
    return [{ ordinal, eventName, ...(hookId === undefined ? {} : { hookId }), recordedMs, nowMs }];
  });
}

function durationsOf({ response }: RecordedExchange): Map<string | undefined, number> {
  const output = isPlainObject(response?.payload) ? response.payload['output'] : undefined;
  const durations = new Map<string | undefined, number>();
  if (!isPlainObject(output)) return durations;
  if (typeof output['totalDuration'] === 'number') durations.set(undefined, output['totalDuration']);
  for (const outcome of Array.isArray(output['outcomes']) ? output['outcomes'] : []) {
    if (!isPlainObject(outcome) || outcome['recheck'] === true || outcome['status'] === 'skipped') continue;
    if (typeof outcome['hookId'] === 'string' && typeof outcome['durationMs'] === 'number') {
      durations.set(outcome['hookId'], outcome['durationMs']);
    }
  }
  return durations;
}
