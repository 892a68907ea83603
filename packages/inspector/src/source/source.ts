import type { RecordedMessage } from '@tenterhook/recording';
import type { RecordingTail } from '@tenterhook/recording/internal';
import type { AskBody, StreamLine } from '../api/messages.js';
import type { EventIndex } from '../store/event-index.js';
import type { ShownTexts } from '../store/shown-texts.js';
import type { SourceAbout } from './about.js';

/** The state of the connection to an agent, or that there is none. */
export type ConnectionLine = Extract<StreamLine, { readonly kind: 'connection' }>;

/** A service was not asked, or has not answered. */
export interface Unanswered {
  /** A sentence for people. */
  readonly unanswered: string;
}

/** A message of the recording, as its file has it. */
export interface TimedMessage {
  readonly message: RecordedMessage;
  readonly at: number;
  /** The length of its line. */
  readonly bytes: number;
}

/** What the inspector shows: recordings, or a running agent whose traffic is recorded while it is shown. */
export interface Source {
  readonly index: EventIndex;
  readonly texts: ShownTexts;
  /** The state of the connection now. */
  readonly connection: ConnectionLine;
  /** Messages that the recorder has dropped, because it was too slow. */
  readonly dropped: number;
  /** The files of the recordings that are shown. Empty for a running agent. */
  readonly recordings: readonly string[];
  /** The number of the row of a request of a recording. The first request has the ordinal 1. */
  rowOfRequest(recording: number, ordinal: number): number | undefined;
  about(): Promise<SourceAbout>;
  /** Calls the listener when the connection changes, and with the rows between which events are missing. */
  onConnection(listener: (line: ConnectionLine | Extract<StreamLine, { readonly kind: 'gap' }>) => void): () => void;
  /** Reads a message of the recording again. `at` is its time in milliseconds since 1970. Undefined if its file is gone. */
  messageAt(place: number): Promise<TimedMessage | undefined>;
  /** Asks the service which hooks would run, or what they would read. Runs nothing. */
  ask(query: 'explain' | 'preview', body: AskBody): Promise<unknown | Unanswered>;
  /** Ends the connection, and removes what was recorded only for the inspector. Idempotent. */
  close(): Promise<void>;
}

export function isUnanswered(answer: unknown): answer is Unanswered {
  return typeof answer === 'object' && answer !== null && 'unanswered' in answer;
}

type Line = NonNullable<Awaited<ReturnType<RecordingTail['readAt']>>>;

/** The message of a line. `startedAt` is when its recording began, in milliseconds since 1970. Undefined if the line is not a message. */
export function timedMessage({ parsed, bytes }: Line, startedAt: number): TimedMessage | undefined {
  if (!('message' in parsed)) return undefined;
  const { message } = parsed;
  return { message, at: startedAt + (message.t ?? 0), bytes };
}

/** Messages of one event beyond this number of bytes are not read, except for the first and the last one. */
const mostBytes = 32 * 1024 * 1024;

/** Reads the messages of an event, and the bytes of their lines. Undefined if the event is forgotten. */
export async function messagesOf(
  source: Source,
  n: number,
): Promise<{ readonly messages: readonly RecordedMessage[]; readonly bytes: number } | undefined> {
  const places = source.index.placesOf(n);
  if (places === undefined) return undefined;
  const messages: RecordedMessage[] = [];
  let bytes = 0;
  for (const [index, place] of places.entries()) {
    if (bytes > mostBytes && index < places.length - 1) continue;
    const found = await source.messageAt(place);
    if (found === undefined) continue;
    bytes += found.bytes;
    messages.push(found.message);
  }
  return { messages, bytes };
}
