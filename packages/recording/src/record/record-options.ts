import type { Channel } from '@tenterhook/protocol';
import { channelPayloadSchemas } from '@tenterhook/protocol/internal';
import { describeValue, requireOptions, suggestName } from '@tenterhook/runtime/text';
import type { RecordingLimits } from '../format/limits.js';
import type { RecordingStream } from '../format/recording-stream.js';
import type { Roots, Secrets } from '../mask/placeholders.js';

/** What is recorded, and where. */
export interface RecordOptions extends RecordingLimits {
  /** The file to create, usually `<name>.bus.jsonl`. @default the recording stays in memory, with at most `maxQueuedBytes` */
  readonly file?: string | undefined;
  /** A stream that keeps the recording in place of a file, such as `openRecordStream()` of a transport on NATS. @default none */
  readonly stream?: RecordingStream | undefined;
  /** Continues the recording in the file, if it exists. @default false: an existing file is an error */
  readonly append?: boolean | undefined;
  /** Directories that get placeholders. @default the home directory and the directory for temporary files */
  readonly roots?: Roots | undefined;
  /** Secrets that get placeholders, so that they can be filled in on replay. At least 8 characters each. @default none */
  readonly secrets?: Secrets | undefined;
  /** Whether secrets of known shapes are replaced by `***`. @default true */
  readonly mask?: boolean | undefined;
  /**
   * `minimal`: the form without times, numbers and progress, for files that are committed. It is made of the whole recording, so the
   * recording stays in memory until it is closed. @default 'full'
   */
  readonly form?: 'full' | 'minimal' | undefined;
  /** The channels to record. @default all */
  readonly channels?: readonly Channel[] | undefined;
  /**
   * Written as the note `about`, for example `{ events: ['BeforeTool'] }`: the events that have hooks. If it is longer than half of
   * `maxLineBytes`, its largest fields are left out, and `cut` names them. @default none
   */
  readonly about?: Readonly<Record<string, unknown>> | undefined;
  /** Whether a thread masks and writes. False lets the thread of the caller wait for each line. @default true */
  readonly thread?: boolean | undefined;
  /** Receives the reason if the recording ends early. @default the reason is written to stderr, in one line */
  readonly onFailure?: ((message: string) => void) | undefined;
}

const optionNames = Object.keys({
  file: true,
  stream: true,
  append: true,
  roots: true,
  secrets: true,
  mask: true,
  form: true,
  channels: true,
  about: true,
  thread: true,
  onFailure: true,
  maxLineBytes: true,
  maxFileBytes: true,
  maxFiles: true,
  maxQueuedBytes: true,
} satisfies Record<keyof RecordOptions, true>);

const channelNames = Object.keys(channelPayloadSchemas);

/**
 * Throws a TypeError for an unknown option, and for one of the wrong type. If they were ignored, a misspelt `secrets` and `mask: null` would
 * write secrets to the file, and a misspelt channel would record nothing.
 */
export function requireRecordOptions(options: RecordOptions): void {
  requireOptions('recordBus', options, optionNames);
  const { file, stream, form = 'full', append = false, mask = true, thread = true, channels, onFailure } = options;
  if (file !== undefined && (typeof file !== 'string' || file === '')) refuse('file must be a path', file);
  if (form !== 'full' && form !== 'minimal') refuse('form must be "full" or "minimal"', form);
  for (const [name, value] of Object.entries({ append, mask, thread })) {
    if (typeof value !== 'boolean') refuse(`${name} must be true or false`, value);
  }
  if (onFailure !== undefined && typeof onFailure !== 'function') refuse('onFailure must be a function', onFailure);
  if (channels !== undefined) requireChannels(channels);
  if (form === 'minimal' && append) throw new TypeError('recordBus: the minimal form cannot be appended to a file. Use writeMinimal().');
  if (stream !== undefined && (file !== undefined || append || form === 'minimal')) {
    throw new TypeError('recordBus: a recording in a stream has no file, is not appended to one, and has the full form.');
  }
}

function requireChannels(channels: unknown): void {
  if (!Array.isArray(channels) || channels.length === 0) refuse('channels must be a list of at least one channel', channels);
  const unknown: unknown = channels.find((channel) => !channelNames.includes(channel));
  if (unknown === undefined) return;
  const remedy = suggestName(unknown, channelNames, `The channels are ${channelNames.join(', ')}.`);
  throw new TypeError(`recordBus: there is no channel ${describeValue(unknown)}. ${remedy}`);
}

function refuse(rule: string, value: unknown): never {
  throw new TypeError(`recordBus: ${rule}, and is ${describeValue(value)}.`);
}
