import { dirname, join } from 'node:path';
import type { RecordingNote, RecordingProblem } from './recording.js';

/** A line without an end that was removed when a recording was continued. Its writer was interrupted. */
export interface RemovedLine {
  /** The name of its file, which may be gone. */
  readonly file: string;
  readonly line: number;
  readonly bytes: number;
}

/** The fields of the note about a removed line. */
export function tornNote({ file, line, bytes }: RemovedLine): Readonly<Record<string, unknown>> {
  // The field `line` of a note that was read is the line of the note itself.
  return { file, at: line, bytes };
}

/** Returns the problem in a note, or undefined for other notes. `path` is the file of the note. */
export function problemOfNote({ note, file, at, bytes }: RecordingNote, path: string): RecordingProblem | undefined {
  if (note !== 'torn' || typeof file !== 'string' || typeof at !== 'number') return undefined;
  const message = `${join(dirname(path), file)}:${at}: a line of ${String(bytes)} bytes had no end, because the writer was interrupted. It was removed when the recording was continued.`;
  return { code: 'torn', line: at, message };
}
