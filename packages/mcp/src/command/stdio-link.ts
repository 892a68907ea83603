import type { Readable, Writable } from 'node:stream';
import { describeThrown } from '@tenterhook/runtime/text';
import { LineReader } from '@tenterhook/spawner/internal';
import { HookedLink } from '../link/hooked-link.js';
import type { LinkOptions } from '../link/link-parts.js';
import { digitsAt, keptNumbers } from '../wire/kept-numbers.js';
import { formatLine, originalLine, parseLine, type Source } from '../wire/line.js';
import { createError, ErrorCode, type Message, type MessageId } from '../wire/message.js';
import { LongIds } from './long-ids.js';
import type { Report } from './report.js';
import { StallWatch } from './stall-watch.js';

/** The maximum number of bytes of a line. The SDKs stop at 10 MB. */
const mostLineBytes = 64 * 1024 * 1024;

/**
 * The number of bytes for either side that may wait while we still read from the client. While we do not read, we do not learn that the
 * client has gone, so a server that merely stopped to read must not end the reading at once.
 */
const mostUnreadBytes = 64 * 1024 * 1024;

/**
 * Milliseconds for which we do not read from the client because the server reads nothing. Then we read again, to learn of its end, and refuse
 * what it writes.
 */
const longestStallMs = 10_000;

/** The streams of both sides. */
export interface LinkStreams {
  readonly fromClient: Readable;
  readonly toClient: Writable;
  readonly fromServer: Readable;
  readonly toServer: Writable;
}

/** Connects a link with streams that carry a message a line. */
export class StdioLink {
  readonly link: HookedLink<Source>;
  /** Resolves when the client can send or receive no more. */
  readonly clientEnded: Promise<void>;
  /** Resolves when everything that the server wrote has been read. */
  readonly serverEnded: Promise<void>;
  /** Resolves when the server can receive no more. It may still write, and run. */
  readonly serverClosedInput: Promise<void>;
  readonly #streams: LinkStreams;
  /** The sources that are paused, by the stream that they wait for. */
  readonly #paused = new Map<Writable, Set<Readable>>();
  readonly #report: Report;
  readonly #stall: StallWatch;
  readonly #longIds = new LongIds();

  constructor(streams: LinkStreams, options: LinkOptions, report: Report, stallMs = longestStallMs) {
    const { fromClient, toClient, fromServer, toServer } = streams;
    this.#streams = streams;
    this.#report = report;
    this.#stall = new StallWatch(toServer, stallMs, () => this.#endStall());
    this.link = new HookedLink<Source>(options, {
      toServer: (message, source, isShown) => this.#writeToServer(message, source, isShown),
      toClient: (message, source, isShown) => this.#writeToClient(message, source as Source | undefined, isShown),
    });
    this.clientEnded = new Promise((resolve) => {
      const end = () => resolve();
      toClient.on('error', end);
      fromClient.on('error', end).on('end', end).on('close', end);
      new LineReader(fromClient, mostLineBytes, (line) => {
        if (!line.truncated) return this.#takeFromClient(line.text);
        this.#writeToClient(createError(null, ErrorCode.invalidRequest, `The line is longer than ${mostLineBytes} bytes.`));
        report.note(`The client wrote a line of more than ${mostLineBytes} bytes. The connection ends.`);
        end();
      });
    });
    this.serverClosedInput = new Promise((resolve) => toServer.on('error', () => resolve()));
    this.serverEnded = new Promise((resolve) => {
      const reader = new LineReader(fromServer, mostLineBytes, (line) => {
        if (!line.truncated) return this.#takeFromServer(line.text);
        report.note(`The server wrote a line of more than ${mostLineBytes} bytes. The connection ends.`);
        fromServer.destroy();
      });
      void reader.ended.then(resolve);
    });
  }

  #takeFromClient(text: string): void {
    if (text.trim() === '') return;
    const parsed = parseLine(text);
    if ('problem' in parsed) {
      this.#writeToClient(createError(null, ErrorCode.parseError, `The line is not valid JSON: ${parsed.problem}`));
      return;
    }
    const problem = this.#longIds.note(parsed.source);
    if (problem !== undefined) {
      this.#write(this.#streams.toClient, problem, []);
      return;
    }
    for (const message of parsed.messages) {
      const fail = (error: unknown) => this.#failToSend(message as Message, error);
      try {
        this.link.fromClient(message, parsed.source)?.catch(fail);
      } catch (error) {
        fail(error);
      }
    }
  }

  /** Answers a message that could not be written for the server, because it is nested too deeply. */
  #failToSend(message: Message, error: unknown): void {
    const { id } = message;
    // The server would not read the error either.
    if (this.#stall.isStalled && !Object.hasOwn(message, 'method')) return;
    const text = `The message cannot be passed on: ${describeThrown(error)}`;
    if (!Object.hasOwn(message, 'method')) {
      // The ids of the requests of the server are not those of the client.
      this.#writeToServer(createError(id as MessageId, ErrorCode.internalError, text));
      return;
    }
    this.link.cancel(id);
    if (id !== undefined) this.#writeToClient(createError(id as MessageId, ErrorCode.invalidRequest, text));
  }

  #takeFromServer(text: string): void {
    if (text.trim() === '') return;
    const parsed = parseLine(text);
    if ('problem' in parsed) this.#report.note(`The server wrote a line that is not a message: ${text}`);
    else for (const message of parsed.messages) this.link.fromServer(message, parsed.source);
  }

  #writeToServer(message: Message, source?: Source, isShown?: boolean): void {
    const { toServer, fromClient } = this.#streams;
    if (this.#stall.isStalled) throw new Error('The MCP server reads nothing.');
    const line = originalLine(message, source, isShown) ?? formatLine(message, keptNumbers(message, source));
    if (!toServer.writable) return;
    const isFull = toServer.writableLength > mostUnreadBytes;
    this.#write(toServer, line, isFull ? [fromClient] : []);
    if (isFull) this.#stall.start();
  }

  /** Reads from the client again, although the server reads nothing. */
  #endStall(): void {
    const { toServer, toClient, fromClient } = this.#streams;
    this.#report.note('The server reads nothing. Messages of the client are refused until it reads again.');
    this.#paused.get(toServer)?.delete(fromClient);
    if (this.#paused.get(toClient)?.has(fromClient) !== true) fromClient.resume();
  }

  #writeToClient(message: Message, source?: Source, isShown?: boolean): void {
    const { toClient, fromServer, fromClient } = this.#streams;
    const id = Object.hasOwn(message, 'method') ? undefined : this.#longIds.take(message['id']);
    let line: string;
    try {
      line = lineForClient(message, id, source, isShown);
    } catch (error) {
      this.#report.note(`A message of the server cannot be passed on: ${describeThrown(error)}`);
      if (message['id'] === undefined || message['method'] !== undefined) return;
      const text = 'The response of the server cannot be passed on.';
      line = lineForClient(createError(message['id'] as MessageId, ErrorCode.internalError, text), id);
    }
    if (!toClient.writable) return;
    // A client that writes requests and reads no answers must not fill our memory.
    this.#write(toClient, line, toClient.writableLength > mostUnreadBytes ? [fromServer, fromClient] : [fromServer]);
  }

  /** Writes, and reads no more from `sources` until the text has left our memory. */
  #write(stream: Writable, text: string, sources: readonly Readable[]): void {
    if (stream.write(text)) return;
    let paused = this.#paused.get(stream);
    if (paused === undefined) {
      const waiting = new Set<Readable>();
      paused = waiting;
      this.#paused.set(stream, waiting);
      stream.once('drain', () => {
        this.#paused.delete(stream);
        for (const source of waiting) source.resume();
      });
    }
    for (const source of sources) {
      source.pause();
      paused.add(source);
    }
  }
}

/** Writes a message for the client. `id` is the one of the request as the client wrote it, if JavaScript rounds it. */
function lineForClient(message: Message, id: string | undefined, source?: Source, isShown?: boolean): string {
  const isSame = id === undefined || (source !== undefined && digitsAt(source.text, ['id']) === id);
  const original = isSame ? originalLine(message, source, isShown) : undefined;
  return original ?? formatLine(message, id === undefined ? [] : [{ path: ['id'], text: id }]);
}
