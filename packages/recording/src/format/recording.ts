/** The first line of a file. Fields of later versions are kept. */
export interface RecordingHeader {
  readonly format: 'tenterhook-bus-recording';
  /** The version of the format. A reader refuses a higher one. */
  readonly version: number;
  /** `minimal`: without times, numbers, progress and durations, for files that are committed. */
  readonly form: 'full' | 'minimal';
  /** Random. All parts of a recording have the same. Absent in the minimal form. */
  readonly id?: string | undefined;
  /** The number of the file, from 1. Absent in the minimal form. */
  readonly part?: number | undefined;
  /** Start of the recording: ISO 8601, UTC. Absent in the minimal form. */
  readonly startedAt?: string | undefined;
  /** Who wrote the file. Absent in the minimal form. */
  readonly writer?: { readonly name: string; readonly version: string; readonly node: string; readonly platform: string } | undefined;
  /** Whether secrets of known shapes were replaced by `***`. */
  readonly masked: boolean;
  /** The placeholders that the file may contain: `project`, `home`, `tmp`, `secret:NAME`. */
  readonly placeholders: readonly string[];
}

/** A message of the bus. Fields of later versions are kept. */
export interface RecordedMessage {
  /** The line in its file, from 1. A recording in memory has the line that a file would have. */
  readonly line: number;
  /** The number of the message over all parts, from 1. A gap means that messages are missing. Absent in the minimal form. */
  readonly n?: number | undefined;
  /** Milliseconds since `startedAt`, by a clock that never goes back. Absent in the minimal form. */
  readonly t?: number | undefined;
  /** The channel. A string, because a later version may have other channels. */
  readonly type: string;
  /** The payload as it is in the file, with placeholders and masks. */
  readonly payload: unknown;
  /** Paths in the payload whose texts were shortened. */
  readonly cut?: readonly string[] | undefined;
  /** In the minimal form, of a cancel: the hook after whose start it was sent. Absent if it followed the request. */
  readonly after?: string | undefined;
}

/** A line about the recording. Its other fields depend on `note`, and notes of later versions are kept. */
export interface RecordingNote {
  readonly line: number;
  /** `about`, `dropped`, `torn`, `part`, `connection`, `unwritable` or `end`. */
  readonly note: string;
  readonly t?: number | undefined;
  readonly [field: string]: unknown;
}

/** Something in a file that could not be read. The rest was read. */
export interface RecordingProblem {
  /**
   * - `torn`: a line has no end, because the writer was interrupted while it wrote. If the recording was continued, the line was removed.
   * - `interrupted`: there is no `end`, so the recording was not closed.
   * - `invalid_line`: a line is not a message and not a note.
   * - `long_line`: a line is longer than `maxLineBytes`.
   * - `missing_messages`: numbers of messages are missing between two others.
   * - `missing_part`: a file of the recording is missing.
   */
  readonly code: 'torn' | 'interrupted' | 'invalid_line' | 'long_line' | 'missing_messages' | 'missing_part';
  /** Says what is wrong, and where. */
  readonly message: string;
  readonly line?: number | undefined;
}

/** A request with all messages that belong to it. */
export interface RecordedExchange {
  /** The position among the requests of the recording, from 1. A message without a request has none, so it is 0. */
  readonly ordinal: number;
  readonly correlationId: string | undefined;
  /** Undefined if there is no request, or if it is malformed. */
  readonly eventName: string | undefined;
  /** `orphan`: the request is not in the recording. */
  readonly state: 'answered' | 'unanswered' | 'orphan';
  readonly request?: RecordedMessage | undefined;
  readonly response?: RecordedMessage | undefined;
  readonly progress: readonly RecordedMessage[];
  readonly cancels: readonly RecordedMessage[];
  /** Ends of asynchronous hooks, after the response. */
  readonly late: readonly RecordedMessage[];
}

/** A recording that was read, or that a recorder has in memory. */
export interface Recording {
  readonly header: RecordingHeader;
  /** The files that were read, in order. Empty for a recording in memory. */
  readonly files: readonly string[];
  readonly messages: readonly RecordedMessage[];
  readonly notes: readonly RecordingNote[];
  /** One for each request, in the order of the requests. Messages whose request is missing follow. */
  readonly exchanges: readonly RecordedExchange[];
  readonly problems: readonly RecordingProblem[];
}
