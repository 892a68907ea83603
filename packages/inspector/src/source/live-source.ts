import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ConnectionState } from '@tenterhook/bus';
import { streamOriginals } from '@tenterhook/bus/internal';
import type { RecordingNote } from '@tenterhook/recording';
import { RecordingTail } from '@tenterhook/recording/internal';
import type { AskBody, StreamLine } from '../api/messages.js';
import { createPrivateDirectory, type PrivateDirectory } from '../private-directory.js';
import { EventIndex } from '../store/event-index.js';
import { fieldsOf, numberOf } from '../store/fields.js';
import { ShownTexts } from '../store/shown-texts.js';
import { aboutOf, type SourceAbout } from './about.js';
import { type AgentAddress, type AgentLink, eventChannels, maxFiles, maxLineBytes, openLink } from './agent-link.js';
import type { RecordingSourceOptions } from './recording-source.js';
import { type ConnectionLine, type Source, type TimedMessage, timedMessage, type Unanswered } from './source.js';

/** A service that is stopped or does not answer must not delay the page for long. */
const askMs = 2_000;
/** Messages of one turn are read from the file together. */
const readMs = 10;

/** How often a new process of an agent that has ended is looked for. */
const findMs = 1_000;

/** Options of a source of a running agent. */
export interface LiveSourceOptions extends RecordingSourceOptions {
  /** Looks for a new process of the agent after it has ended, which has another socket. @default only the same socket is tried again */
  readonly findAgain?: (() => Promise<AgentAddress | undefined>) | undefined;
}

type Listener = Parameters<Source['onConnection']>[0];

/**
 * A running agent. This process is an ordinary end of the agent's bus: it subscribes and asks, and never answers. The traffic is recorded to
 * a private file, and the index is made of that file, so that a live run and its recording look the same.
 */
export class LiveSource implements Source {
  readonly index: EventIndex;
  readonly texts: ShownTexts;
  readonly recordings: readonly string[] = [];
  readonly #directory: PrivateDirectory;
  readonly #file: string;
  readonly #tail: RecordingTail;
  readonly #startedAt: number;
  readonly #findAgain: LiveSourceOptions['findAgain'];
  readonly #listeners = new Set<Listener>();
  readonly #notes: string[] = [];
  readonly #ending = new AbortController();
  #agent: AgentAddress;
  #link: AgentLink;
  #connection: ConnectionLine = { kind: 'connection', state: 'connected' };
  #dropped = 0;
  /** Messages that were read, or are known to be lost, and those of earlier links. */
  #accounted = 0;
  #ofEarlierLinks = 0;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;
  #finding: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  private constructor(agent: AgentAddress, { isMasked, findAgain, ...limits }: LiveSourceOptions, opened: Opened) {
    this.#agent = agent;
    this.#findAgain = findAgain;
    this.texts = new ShownTexts(isMasked);
    this.index = new EventIndex(this.texts, limits);
    this.#directory = opened.directory;
    this.#file = opened.file;
    this.#tail = opened.tail;
    this.#startedAt = Date.parse(opened.tail.header.startedAt ?? '') || Date.now();
    this.#link = opened.link;
    this.#follow();
  }

  /** Connects to an agent. Rejects with a SocketTransportError if nothing answers at its socket. */
  static async open(agent: AgentAddress, options: LiveSourceOptions): Promise<LiveSource> {
    const directory = createPrivateDirectory();
    const file = join(directory.path, 'agent.bus.jsonl');
    let failed = (_message: string) => {};
    let link: AgentLink | undefined;
    try {
      link = await openLink(agent, { file, isMasked: options.isMasked, append: false, onFailure: (message) => failed(message) });
      const tail = await RecordingTail.open(file, { maxLineBytes: 2 * maxLineBytes, maxBytes: Number.MAX_SAFE_INTEGER, maxFiles });
      const source = new LiveSource(agent, options, { link, directory, file, tail });
      failed = (message) => source.#fail(message);
      return source;
    } catch (error) {
      await link?.close();
      directory.remove();
      throw error;
    }
  }

  get connection(): ConnectionLine {
    return this.#connection;
  }

  get dropped(): number {
    return this.#dropped;
  }

  async about(): Promise<SourceAbout> {
    const { output } = await this.#query({ query: 'describe' });
    const { socket, name = socket, pid, version } = this.#agent;
    const canBeAsked = output !== undefined;
    const notes = canBeAsked ? this.#notes : [...this.#notes, 'The agent cannot be asked: it is an earlier version, or does not allow it.'];
    const source = {
      kind: 'live',
      name,
      canBeAsked,
      notes: notes.map((note) => this.texts.short(note)),
      ...(pid === undefined ? {} : { pid }),
      ...(version === undefined || version === '' ? {} : { version: this.texts.short(version) }),
    } as const;
    return aboutOf(output, source, this.texts);
  }

  rowOfRequest(): undefined {
    return undefined;
  }

  onConnection(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async messageAt(place: number): Promise<TimedMessage | undefined> {
    const found = await this.#tail.readAt(place);
    return found && timedMessage(found, this.#startedAt);
  }

  async ask(query: 'explain' | 'preview', { eventName, input }: AskBody): Promise<unknown | Unanswered> {
    const { output, error } = await this.#query({ query, eventName, input });
    const answer = fieldsOf(output)[query === 'explain' ? 'explained' : 'preview'];
    if (answer !== undefined) return answer;
    const { code = 'invalid_request', message = '' } = error ?? {};
    // An agent of an earlier version does not know the query. This one does not know the event.
    const cause = code === 'unsupported_event' ? '' : ' It may be an earlier version, or not allow it.';
    // The message is that of another process.
    return { unanswered: this.texts.short(`The agent cannot be asked (${code}).${cause} ${message}`.trim()) };
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    clearTimeout(this.#timer);
    this.#listeners.clear();
    this.#ending.abort();
    await this.#finding;
    await this.#link.close();
    await this.#reading;
    await this.#tail.close();
    this.#directory.remove();
  }

  #follow(): void {
    const { bus } = this.#link;
    for (const channel of eventChannels) streamOriginals(bus, channel).subscribe({ next: () => this.#schedule() });
    bus.onConnectionChange((state) => this.#changeConnection(state));
  }

  #query(payload: { readonly query: string; readonly eventName?: string; readonly input?: Record<string, unknown> }) {
    return this.#link.bus.request('HOOK_SERVICE_QUERY', payload, { timeoutMs: askMs });
  }

  #schedule(): void {
    if (this.#closing !== undefined) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#readOn();
    }, readMs);
  }

  /** Reads what was written. A read that is under way may have passed the end already. Never rejects. */
  #readOn(): Promise<void> {
    this.#reading = (this.#reading ?? Promise.resolve()).then(() => this.#read());
    return this.#reading;
  }

  async #read(): Promise<void> {
    if (this.#closing !== undefined) return;
    const before = this.#tail.firstPlace;
    try {
      await this.#tail.read((parsed, place) => {
        if ('message' in parsed) {
          this.#accounted += 1;
          this.index.receive(parsed.message, place, this.#startedAt + (parsed.message.t ?? 0));
        } else if ('note' in parsed) this.#note(parsed.note);
      });
    } catch (error) {
      this.#fail(`The recording of the inspector cannot be read: ${(error as Error).message}`);
    }
    if (this.#tail.firstPlace > before) this.index.forgetBefore(this.#tail.firstPlace);
    // The thread that writes says nothing when it has written, so the file is read until it has everything.
    if (this.#connection.state !== 'ended' && this.#accounted < this.#ofEarlierLinks + this.#link.messages) this.#schedule();
  }

  #note(note: RecordingNote): void {
    const lost = note.note === 'dropped' ? (numberOf(note['count']) ?? 0) : note.note === 'unwritable' ? 1 : 0;
    this.#accounted += lost;
    this.#dropped += lost;
  }

  #changeConnection(state: ConnectionState): void {
    if (state === 'restored') {
      this.#connected();
      return;
    }
    this.#say({
      kind: 'connection',
      state: 'lost',
      message: 'The connection to the agent was lost. The inspector tries to connect again.',
    });
    // A process that is closed, or finds another one already, does not begin a second search.
    if (this.#findAgain !== undefined && this.#finding === undefined && this.#closing === undefined) {
      this.#finding = this.#findNext(this.#findAgain).finally(() => {
        this.#finding = undefined;
      });
    }
  }

  #connected(): void {
    const { next } = this.index;
    this.#say({ kind: 'connection', state: 'connected' });
    this.#tell({ kind: 'gap', from: next, next, why: 'disconnected' });
  }

  /** Looks for a new process of the agent until there is one, or the old one answers again. Never rejects. */
  async #findNext(findAgain: () => Promise<AgentAddress | undefined>): Promise<void> {
    const { signal } = this.#ending;
    for (;;) {
      await pause(findMs, undefined, { signal }).catch(() => {});
      if (signal.aborted || this.#connection.state !== 'lost') return;
      const agent = await findAgain().catch(() => undefined);
      if (agent === undefined || agent.socket === this.#agent.socket || signal.aborted) continue;
      try {
        const options = {
          file: this.#file,
          isMasked: this.texts.isMasked,
          append: true,
          onFailure: (message: string) => this.#fail(message),
        };
        await this.#link.close();
        await this.#readOn();
        this.#link = await openLink(agent, options);
        this.#ofEarlierLinks = this.#accounted;
      } catch {
        // It has ended meanwhile. The next one is looked for.
        continue;
      }
      this.#agent = agent;
      this.#follow();
      this.#connected();
      this.#schedule();
      return;
    }
  }

  /** The recording has ended early, for example because the disk is full. */
  #fail(message: string): void {
    this.#notes.push(message);
    this.#say({ kind: 'connection', state: 'ended', message: this.texts.short(message) });
  }

  #say(line: ConnectionLine): void {
    this.#connection = line;
    this.#tell(line);
  }

  #tell(line: ConnectionLine | Extract<StreamLine, { readonly kind: 'gap' }>): void {
    for (const listener of this.#listeners) listener(line);
  }
}

interface Opened {
  readonly link: AgentLink;
  readonly directory: PrivateDirectory;
  readonly file: string;
  readonly tail: RecordingTail;
}
