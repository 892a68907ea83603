import { isPlainObject } from '@tenterhook/runtime/json';
import { describeValue } from '@tenterhook/runtime/text';

/** Throws a TypeError for a value that is not a recording, for example a path, a recorder, or a promise that was not awaited. */
export function requireRecording(caller: string, value: unknown): void {
  if (isPlainObject(value) && isPlainObject(value['header']) && Array.isArray(value['exchanges'])) return;
  const what = value instanceof Promise ? 'a promise: await it' : describeValue(value);
  throw new TypeError(`${caller}: the recording must be what readRecording(file) or recorder.recording() resolves to, and is ${what}.`);
}
