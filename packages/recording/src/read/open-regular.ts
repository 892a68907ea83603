import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { codeOf, describeThrown } from '@tenterhook/runtime/text';
import { RecordingError } from '../format/recording-error.js';

/** Opens a file to read it. Rejects with a RecordingError if it is not a regular file. */
export async function openRegular(file: string): Promise<FileHandle> {
  let handle: FileHandle | undefined;
  try {
    // Without O_NONBLOCK, opening a FIFO would wait for a writer.
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    if ((await handle.stat()).isFile()) return handle;
  } catch (error) {
    const missing = codeOf(error) === 'ENOENT' ? 'there is no such file' : describeThrown(error);
    throw new RecordingError('unreadable', `${file}: the recording cannot be read: ${missing}. Check the path.`, { cause: error });
  }
  await handle.close();
  throw new RecordingError('unreadable', `${file}: the recording cannot be read: it is not a regular file. Pass the path of a recording.`);
}
