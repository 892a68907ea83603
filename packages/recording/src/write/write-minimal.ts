import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { codeOf, describeThrown, requireOptions } from '@tenterhook/runtime/text';
import { type CompareOptions, compareOptionNames, compareRecordings } from '../compare/compare-recordings.js';
import type { Recording } from '../format/recording.js';
import { RecordingError } from '../format/recording-error.js';
import { requireRecording } from '../format/require-recording.js';
import { formatMinimal } from '../normalise/minimal-form.js';
import { readRecording } from '../read/read-recording.js';

/**
 * Writes the minimal form of a recording to a file, whole and in one step. A file that equals the recording keeps its bytes, also if texts
 * differ that are not compared, such as those of another version of Node. A recording with lines that cannot be read is replaced. Rejects with
 * a RecordingError if the file is not a recording.
 */
export async function writeMinimal(
  file: string,
  recording: Recording,
  options: CompareOptions = {},
): Promise<'created' | 'unchanged' | 'updated'> {
  requireOptions('writeMinimal', options, compareOptionNames);
  requireRecording('writeMinimal', recording);
  const before = await readExisting(file);
  if (typeof before === 'object' && before.header.form === 'minimal' && before.problems.length === 0) {
    const { different } = compareRecordings(before, recording, options);
    if (different.length === 0 && hasSameHeader(before, recording)) return 'unchanged';
  }
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    // Committed files are read by others, so the mode is the usual one. The umask restricts it.
    writeFileSync(temporary, formatMinimal(recording, { texts: options.texts }), { flag: 'wx' });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new RecordingError('unwritable', `${file}: the recording cannot be written: ${describeThrown(error)}. Pass another path.`, {
      cause: error,
    });
  }
  return before === undefined ? 'created' : 'updated';
}

async function readExisting(file: string): Promise<Recording | 'damaged' | undefined> {
  try {
    return await readRecording(file);
  } catch (error) {
    if (error instanceof RecordingError && codeOf(error.cause) === 'ENOENT') return undefined;
    if (error instanceof RecordingError && error.code === 'damaged') return 'damaged';
    throw error;
  }
}

function hasSameHeader({ header: one }: Recording, { header: other }: Recording): boolean {
  const optionsOf = ({ masked, placeholders }: Recording['header']) => JSON.stringify([masked, placeholders]);
  return optionsOf(one) === optionsOf(other);
}
