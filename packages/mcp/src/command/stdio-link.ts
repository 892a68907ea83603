import type { Readable, Writable } from 'node:stream';
import { describeThrown } from '@tenterhook/runtime/text';
import { LineReader } from '@tenterhook/spawner/internal';
import { HookedLink } from '../link/hooked-link.js';
import type { LinkOptions } from '../link/link-parts.js';
import { formatLine, parseLine } from '../wire/line.js';
import { createError, ErrorCode, type Message, type MessageId } from '../wire/message.js';
import type { Report } from './report.js';

/** The maximum number of bytes of a line. The SDKs stop at 10 MB. */
const mostLineBytes = 64 * 1024 * 1024;

/** The number of bytes for the client that may wait while we still read from it. */
const mostUnreadBytes = 64 * 1024 * 1024;

/** The streams of both sides. */
export interface LinkStreams {
  readonly fromClient: Readable;
  readonly toClient: Writable;
  readonly fromServer: Readable;
  readonly toServer: Writable;
}

/** Connects a link with streams that carry a message a line. */
export class StdioLink {
  readonly link: HookedLink;
  /** Resolves when the client can send or receive no more. */
  readonly clientEnded: Promise<void>;
  /** Resolves when everything that the server wrote has been read. */
  readonly serverEnded: Promise<void>;
  readonly #streams: LinkStreams;
  readonly #report: Report;

  constructor(streams: LinkStreams, options: LinkOptions, report: Report) {
    const { fromClient, toClient, fromServer, toServer } = streams;
    this.#streams = streams;
    this.#report = report;
    this.link = new HookedLink(options, {
      toServer: (message) => this.#writeToServer(message),
      toClient: (message) => this.#writeToClient(message),
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
    this.serverEnded = new Promise((resolve) => {
      // The end of the process is reported elsewhere.
      toServer.on('error', () => {});
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
    for (const message of parsed.messages) {
      const fail = (error: unknown) => this.#failToSend(message as Message, error);
      try {
        this.link.fromClient(message)?.catch(fail);
      } catch (error) {
        fail(error);
      }
    }
  }

  /** Answers a message that could not be written for the server, because it is nested too deeply. */
  #failToSend(message: Message, error: unknown): void {
    const { id } = message;
    this.link.cancel(id);
    const text = `The message cannot be passed on: ${describeThrown(error)}`;
    if (id !== undefined) this.#writeToClient(createError(id as MessageId, ErrorCode.invalidRequest, text));
  }

  #takeFromServer(text: string): void {
    if (text.trim() === '') return;
    const parsed = parseLine(text);
    if ('problem' in parsed) this.#report.note(`The server wrote a line that is not a message: ${text}`);
    else for (const message of parsed.messages) this.link.fromServer(message);
  }

  #writeToServer(message: Message): void {
    const { toServer, fromClient } = this.#streams;
    const line = formatLine(message);
    if (toServer.writable) write(toServer, line, [fromClient]);
  }

  #writeToClient(message: Message): void {
    const { toClient, fromServer, fromClient } = this.#streams;
    let line: string;
    try {
      line = formatLine(message);
    } catch (error) {
      this.#report.note(`A message of the server cannot be passed on: ${describeThrown(error)}`);
      const { id, method } = message;
      if (id === undefined || method !== undefined) return;
      line = formatLine(createError(id as MessageId, ErrorCode.internalError, 'The response of the server cannot be passed on.'));
    }
    if (!toClient.writable) return;
    // A client that writes requests and reads no answers must not fill our memory.
    write(toClient, line, toClient.writableLength > mostUnreadBytes ? [fromServer, fromClient] : [fromServer]);
  }
}

/** Writes, and reads no more from `sources` until the text has left our memory. */
function write(stream: Writable, text: string, sources: readonly Readable[]): void {
  if (stream.write(text)) return;
  for (const source of sources) source.pause();
  stream.once('drain', () => {
    for (const source of sources) source.resume();
  });
}
