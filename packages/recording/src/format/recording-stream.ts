/** Lines of a recording that a recorder stores together. */
export interface RecordingChunk {
  /** Id of the recorder, which is random. Several recorders may write to one stream. */
  readonly recorder: string;
  /** The number of the chunk at its recorder, from 1. */
  readonly number: number;
  /** Milliseconds since the start of the recorder, when it stored the chunk. */
  readonly t: number;
  /** Lines of a file, separated by line breaks. The first line of the first chunk is the header. */
  readonly lines: string;
}

/** A chunk as a stream has stored it. */
export interface StoredChunk extends RecordingChunk {
  /** When the stream stored it: milliseconds since 1970, by the clock of the stream. */
  readonly storedAt: number;
}

/**
 * A store outside of the process that keeps the lines of recordings, such as a stream of NATS. `openRecordStream()` of a transport on NATS
 * returns one.
 */
export interface RecordingStream {
  /** The maximum number of bytes of the lines of a chunk. */
  readonly maxChunkBytes: number;
  /**
   * Stores a chunk. Rejects with the code `disconnected` or `overloaded` if it may not be stored now. The same chunk is then passed again, and
   * must be stored only once. Any other error ends the recording.
   */
  append(chunk: RecordingChunk): Promise<void>;
  /** Returns the stored chunks, the oldest first. */
  read(): AsyncIterable<StoredChunk>;
}
