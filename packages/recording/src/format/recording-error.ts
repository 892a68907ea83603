import { TenterhookError, type TenterhookErrorOptions } from '@tenterhook/protocol';

/**
 * The code of an error:
 * - `unreadable`: the file does not exist, is not a regular file, or the system denies access.
 * - `not_a_recording`: the first line of the file is not the header of a recording.
 * - `newer_recording`: a later version of Tenterhook has written the file.
 * - `too_large`: the recording has more bytes than `maxBytes`.
 * - `file_exists`: there already is a file, or a symbolic link, at the place of a new recording.
 * - `other_recording`: messages cannot be appended to the file, because it was recorded with other options.
 * - `unwritable`: the file cannot be created or opened.
 * - `write_failed`: a line could not be written, for example because the disk is full. The recording has ended.
 * - `missing_secret`: the recording has a placeholder of a secret, and its value was not passed.
 * - `missing_root`: the recording has a placeholder of a directory, and its path was not passed.
 * - `damaged`: a line of the file cannot be read, so the recording cannot answer. Or its header is in a conflict of a merge.
 * - `cut_request`: a text of the request was shortened when it was recorded, so the request cannot be sent again.
 * - `not_recorded`: a request has no match in the recording.
 * - `unused_recording`: requests of the recording were not made.
 */
export type RecordingErrorCode =
  | 'unreadable'
  | 'not_a_recording'
  | 'newer_recording'
  | 'too_large'
  | 'file_exists'
  | 'other_recording'
  | 'unwritable'
  | 'write_failed'
  | 'missing_secret'
  | 'missing_root'
  | 'damaged'
  | 'cut_request'
  | 'not_recorded'
  | 'unused_recording';

/** A recording that cannot be read, written or replayed. Wrong arguments cause a TypeError instead. */
export class RecordingError extends TenterhookError {
  declare readonly code: RecordingErrorCode;

  static {
    RecordingError.prototype.name = 'RecordingError';
  }

  constructor(code: RecordingErrorCode, message: string, options?: TenterhookErrorOptions) {
    super(code, message, options);
  }
}
