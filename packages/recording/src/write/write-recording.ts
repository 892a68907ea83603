import { formatMessage, formatNote } from '../format/parse-line.js';
import type { Recording } from '../format/recording.js';
import { requireRecording } from '../format/require-recording.js';
import { writeNew } from './open-file.js';

/**
 * Writes a recording to a new file, in the full form. Messages and notes have the order of their lines. Throws a RecordingError if a file or
 * a symbolic link is at its place.
 */
export function writeRecording(file: string, recording: Recording): void {
  requireRecording('writeRecording', recording);
  const { header, messages, notes, problems } = recording;
  const entries = [
    ...messages.map((message) => ({ line: message.line, text: formatMessage(message) })),
    ...notes.filter(({ note }) => note !== 'end').map((note) => ({ line: note.line, text: formatNote(note) })),
  ];
  const lines = entries.sort((one, other) => one.line - other.line).map(({ text }) => text);
  // A file has one end. The recorders of a stream have one each, and a recording without an end is still being written.
  const last = notes.findLast(({ note }) => note === 'end');
  const isComplete = last !== undefined && !problems.some(({ code }) => code === 'interrupted');
  const end = isComplete ? [formatNote({ ...last, messages: messages.length })] : [];
  writeNew(file, `${[JSON.stringify(header), ...lines, ...end].join('\n')}\n`);
}
