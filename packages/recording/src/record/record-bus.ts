import type { MessageBus } from '@tenterhook/bus';
import { streamOriginals } from '@tenterhook/bus/internal';
import type { BusMessage, Channel } from '@tenterhook/protocol';
import { channelPayloadSchemas } from '@tenterhook/protocol/internal';
import { describeThrown } from '@tenterhook/runtime/text';
import { countLost } from '../format/count-lost.js';
import { createHeader } from '../format/header.js';
import { type ResolvedLimits, resolveLimits } from '../format/limits.js';
import type { Recording, RecordingHeader } from '../format/recording.js';
import type { RecordingStream } from '../format/recording-stream.js';
import { type RemovedLine, tornNote } from '../format/torn-note.js';
import type { MaskPlan } from '../mask/masker.js';
import { createPlaceholderTable, placeholderNames } from '../mask/placeholders.js';
import { formatMinimal } from '../normalise/minimal-form.js';
import { parseRecording, parseText, readRecording } from '../read/read-recording.js';
import { readRecordingStream } from '../read/read-recording-stream.js';
import type { NoteEntry } from '../write/encode-entry.js';
import { createFile, openToAppend, requireNoFile, writeNew } from '../write/open-file.js';
import { MemoryWriter } from './memory-writer.js';
import type { Dropped, Priority } from './message-queue.js';
import { type RecordOptions, requireRecordOptions } from './record-options.js';
import { InPlaceWriter, type RecorderWriter } from './recorder-writer.js';
import { StreamWriter } from './stream-writer.js';
import { startThreadWriter } from './thread-writer.js';

/** A recording that is being made. */
export interface BusRecorder {
  /** Ends the recording. Resolves when it is on the disk. Idempotent, and called when the bus closes. */
  close(): Promise<void>;
  /**
   * Ends the recording before the call returns, which can take some seconds. For the last moment of a process that a signal ends. Does not
   * write the minimal form.
   */
  closeSync(): void;
  /** Resolves to what has been recorded so far, as `readRecording` returns it. */
  recording(): Promise<Recording>;
  /** The number of messages that were received so far, with those that were dropped. */
  readonly messages: number;
  /** Why the recording ended early. */
  readonly failure: string | undefined;
  /** Calls `close()` at the end of a scope: `await using recorder = recordBus(bus)`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const allChannels = Object.keys(channelPayloadSchemas) as Channel[];
const executions: readonly string[] = ['HOOK_EXECUTION_REQUEST', 'HOOK_EXECUTION_RESPONSE'];

/**
 * Records the messages of a bus, in the order in which its subscribers receive them. Throws a RecordingError if the file cannot be
 * created, and a TypeError for invalid options. While it records, every event with hooks is published, also if none of them runs.
 */
export function recordBus(bus: MessageBus, options: RecordOptions = {}): BusRecorder {
  if (typeof bus?.subscribe !== 'function') throw new TypeError('recordBus: the first argument must be a MessageBus.');
  requireRecordOptions(options);
  const {
    file,
    stream,
    append = false,
    roots,
    secrets,
    mask = true,
    form = 'full',
    channels = allChannels,
    thread = true,
    about,
  } = options;
  const limits = resolveLimits(options);
  const table = createPlaceholderTable(roots, secrets);
  const plan: MaskPlan = { table, mask };
  const header = createHeader({ form: 'full', masked: mask, placeholders: placeholderNames(table) });
  // Before the file is created, because it throws if the object is not JSON.
  const note = about === undefined ? undefined : fitLine(about, limits.maxLineBytes);
  const recorder = new Recorder({
    file,
    stream,
    form,
    append,
    thread,
    header,
    plan,
    limits,
    onFailure: options.onFailure ?? writeToStderr,
  });
  if (note !== undefined) recorder.note('about', note);
  recorder.follow(bus, channels);
  return recorder;
}

/** Leaves out the largest fields of an object that is too long for a line. `cut` names them. Placeholders may make the line longer. */
function fitLine(about: Readonly<Record<string, unknown>>, maxLineBytes: number): Readonly<Record<string, unknown>> {
  const sizes = Object.entries(about).map(([field, value]) => ({ field, bytes: Buffer.byteLength(JSON.stringify(value) ?? '') }));
  let excess = sizes.reduce((sum, { bytes }) => sum + bytes, 0) - maxLineBytes / 2;
  const cut: string[] = [];
  for (const { field, bytes } of sizes.sort((one, other) => other.bytes - one.bytes)) {
    if (excess <= 0) break;
    cut.push(field);
    excess -= bytes;
  }
  return cut.length === 0 ? about : { ...Object.fromEntries(Object.entries(about).filter(([field]) => !cut.includes(field))), cut };
}

function writeToStderr(message: string): void {
  process.stderr.write(`tenterhook: ${message.replaceAll('\n', ' ')}\n`);
}

interface RecorderPlan {
  readonly file: string | undefined;
  readonly stream: RecordingStream | undefined;
  readonly form: 'full' | 'minimal';
  readonly append: boolean;
  readonly thread: boolean;
  readonly header: RecordingHeader;
  readonly plan: MaskPlan;
  readonly limits: ResolvedLimits;
  readonly onFailure: (message: string) => void;
}

class Recorder implements BusRecorder {
  readonly #plan: RecorderPlan;
  readonly #writer: RecorderWriter;
  readonly #memory: MemoryWriter | undefined;
  readonly #began = performance.now();
  readonly #stops: (() => void)[] = [];
  readonly #firstN: number;
  readonly #firstT: number;
  #n: number;
  #failure: string | undefined;
  #closing: Promise<void> | undefined;

  constructor(plan: RecorderPlan) {
    this.#plan = plan;
    let removed: readonly RemovedLine[] = [];
    const { file, stream, form, append, header, limits, thread } = plan;
    const noteDropped = (dropped: Dropped) => this.#noteOf('dropped', { ...dropped });
    const noteEnd = () => this.#noteOf('end', {});
    const fail = (message: string) => this.#fail(message);
    if (file !== undefined && form === 'minimal') requireNoFile(file);
    if (stream !== undefined) {
      const maxLineBytes = Math.min(limits.maxLineBytes, stream.maxChunkBytes - 1);
      const { maxQueuedBytes } = limits;
      this.#writer = new StreamWriter({
        stream,
        header,
        mask: plan.plan,
        maxLineBytes,
        maxQueuedBytes,
        noteDropped,
        time: () => this.#time(),
        fail,
      });
      this.#firstN = 0;
      this.#firstT = 0;
    } else if (file === undefined || form === 'minimal') {
      this.#memory = new MemoryWriter(limits.maxQueuedBytes, noteDropped);
      this.#writer = this.#memory;
      this.#firstN = 0;
      this.#firstT = 0;
    } else {
      const open = append ? openToAppend(file, header) : createFile(file, header);
      const writePlan = { open, mask: plan.plan, limits };
      this.#writer =
        (thread ? startThreadWriter(writePlan, { noteDropped, noteEnd, fail }) : undefined) ?? new InPlaceWriter(writePlan, fail);
      removed = open.removed;
      this.#firstN = open.n;
      // The clock of the earlier run is gone. Its end and the time since its start are known, and the later one is used.
      const since = append ? Date.now() - Date.parse(open.header.startedAt ?? '') : 0;
      this.#firstT = Math.max(open.t, Number.isFinite(since) ? since : 0);
    }
    this.#n = this.#firstN;
    for (const line of removed) this.note('torn', tornNote(line));
  }

  get messages(): number {
    return this.#n - this.#firstN;
  }

  get failure(): string | undefined {
    return this.#failure;
  }

  /** Subscribes. Ends the recording when the bus is closed. */
  follow(bus: MessageBus, channels: readonly Channel[]): void {
    for (const channel of new Set(channels)) {
      const subscription = streamOriginals(bus, channel).subscribe({
        next: (payload) => this.#receive({ type: channel, payload } as BusMessage),
        complete: () => void this.close(),
      });
      this.#stops.push(() => subscription.unsubscribe());
    }
    this.#stops.push(bus.onConnectionChange((state) => this.note('connection', { state })));
  }

  note(note: string, fields: Readonly<Record<string, unknown>>): void {
    if (this.#closing !== undefined) return;
    const entry = this.#noteOf(note, fields);
    this.#writer.add(entry, JSON.stringify(entry).length, 2);
  }

  close(): Promise<void> {
    if (this.#closing === undefined) {
      this.#stop();
      this.#closing = this.#writer.close(this.#noteOf('end', {})).then(() => this.#writeMinimal());
    }
    return this.#closing;
  }

  closeSync(): void {
    void this.close();
    this.#writer.block?.();
  }

  async recording(): Promise<Recording> {
    const { file, stream, form, header, plan, limits } = this.#plan;
    if (this.#memory !== undefined) {
      const whole = parseRecording(header, this.#memory.lines(plan, limits.maxLineBytes));
      return form === 'full' ? whole : parseText(formatMinimal(whole));
    }
    await this.#writer.flush();
    return stream === undefined ? readRecording(file as string) : readRecordingStream(stream);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The message is serialised at once, because it may be changed after this call. Masking waits, because it takes much longer. */
  #receive({ type, payload }: BusMessage): void {
    if (this.#closing !== undefined) return;
    this.#n += 1;
    const n = this.#n;
    let json: string;
    try {
      json = JSON.stringify(payload) ?? 'null';
    } catch (error) {
      this.note('unwritable', { n, channel: type, reason: describeThrown(error) });
      return;
    }
    const priority: Priority = type === 'HOOK_EXECUTION_PROGRESS' ? 0 : executions.includes(type) ? 2 : 1;
    this.#writer.add({ n, t: this.#time(), type, json }, Buffer.byteLength(json), priority);
  }

  #noteOf(note: string, fields: Readonly<Record<string, unknown>>): NoteEntry {
    return { t: this.#time(), note, ...fields };
  }

  /** Milliseconds since the start. `performance.now()` does not go back when the clock of the system is set. */
  #time(): number {
    return Math.round((this.#firstT + performance.now() - this.#began) * 1000) / 1000;
  }

  #fail(message: string): void {
    if (this.#failure !== undefined) return;
    this.#failure = message;
    this.#plan.onFailure(message);
    void this.close();
  }

  async #writeMinimal(): Promise<void> {
    const { file, form, header, plan, limits } = this.#plan;
    if (file === undefined || form === 'full' || this.#memory === undefined) return;
    const whole = parseRecording(header, this.#memory.lines(plan, limits.maxLineBytes));
    const lost = countLost(whole);
    if (lost > 0) {
      this.#fail(`${file} is not written: ${lost} requests and responses did not fit into memory. Raise maxQueuedBytes.`);
      return;
    }
    try {
      writeNew(file, formatMinimal(whole));
    } catch (error) {
      this.#fail(describeThrown(error));
    }
  }

  #stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }
}
