import { existsSync, mkdirSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import {
  type BusRecorder,
  type CompareOptions,
  compareRecordings,
  formatDiff,
  type Recording,
  RecordingError,
  readRecording,
  writeMinimal,
} from '@tenterhook/recording';
import { countLost } from '@tenterhook/recording/internal';
import { describeOption, requireOptions } from '@tenterhook/runtime/text';
import type { MatcherResult, MatcherThis } from './matcher-context.js';
import { fileOfRecording } from './recording-file.js';
import { updateModeOf, writeCommand } from './update-mode.js';

/** What is compared. */
export type MatchRecordingOptions = Pick<CompareOptions, 'texts' | 'ignore' | 'normalise'>;

const optionNames = Object.keys({ texts: true, ignore: true, normalise: true } satisfies Record<keyof MatchRecordingOptions, true>);

/**
 * Passes if a recorder or a recording equals the one in a file. Writes the file in the mode `all`, and in the mode `new` if it is missing.
 * Rejects with a TypeError for any other received value and for `.not`, and with a RecordingError if the file is not a recording.
 */
export async function toMatchBusRecording(
  this: MatcherThis,
  received: unknown,
  file?: string,
  options: MatchRecordingOptions = {},
): Promise<MatcherResult> {
  const context = this ?? {};
  // With `.not`, a file would be written that the test must not equal.
  if (context.isNot === true) throw new TypeError('toMatchBusRecording cannot be used with .not. Use compareRecordings().');
  requireOptions('toMatchBusRecording', options, optionNames);
  // The name is taken before the first wait, because a test that forgets to await is not the running one afterwards.
  const path = fileOfRecording(file, context);
  const mode = updateModeOf(context);
  const command = writeCommand(context);
  const recording = await readReceivedRecording(received);
  const shown = relative(process.cwd(), path);
  const isMissing = !existsSync(path);
  if (isMissing && mode === 'none') {
    const message = `${shown}: this recording is missing, and is not written in this mode. Write it on your machine and commit it: ${command}`;
    return { pass: false, message: () => message };
  }
  const recorded = isMissing ? undefined : await readRecorded(path);
  if (recorded === undefined || mode === 'all') {
    mkdirSync(dirname(path), { recursive: true });
    await writeMinimal(path, recording, options);
    // Runners show the message of an assertion only if it fails.
    if (typeof recorded === 'string')
      process.stderr.write(`tenterhook: ${shown}: ${recorded.replaceAll('\n', ' ')} The file was written again.\n`);
    return { pass: true, message: () => `${shown}: the recording was written.` };
  }
  // What can be read may be equal, for example with both sides of a merge in the file.
  if (typeof recorded === 'string') {
    return { pass: false, message: () => `${recorded}\nRestore the file, or write the recording again: ${command}` };
  }
  const diff = compareRecordings(recorded, recording, options);
  return {
    pass: diff.different.length === 0,
    message: () => `${formatDiff(diff, shown)}\nIf this is intended, write the recording again: ${command}`,
  };
}

/** Reads a file, or returns what is wrong with it. Rejects with a RecordingError if it is not a recording. */
async function readRecorded(path: string): Promise<Recording | string> {
  try {
    const recording = await readRecording(path);
    return recording.problems.length === 0 ? recording : recording.problems.map(({ message }) => message).join('\n');
  } catch (error) {
    if (error instanceof RecordingError && error.code === 'damaged') return error.message;
    throw error;
  }
}

async function readReceivedRecording(received: unknown): Promise<Recording> {
  const value: unknown = await received;
  if (isRecorder(value)) {
    if (value.failure !== undefined) throw new TypeError(`toMatchBusRecording: the recording ended early. ${value.failure}`);
    return requireComplete(await value.recording());
  }
  if (isRecording(value)) return requireComplete(value);
  throw new TypeError(
    `toMatchBusRecording: expect() must receive what recordBus(bus) returned, or a recording, and received ${describeOption(value)}.`,
  );
}

/** A file that was written of the rest would be taken for the whole run. */
function requireComplete(recording: Recording): Recording {
  const lost = countLost(recording);
  if (lost === 0) return recording;
  throw new TypeError(
    `toMatchBusRecording: ${lost} requests and responses of the run are not in the recording: they were dropped, or are not JSON. If they were dropped, raise maxQueuedBytes of recordBus().`,
  );
}

function isRecorder(value: unknown): value is BusRecorder {
  return typeof value === 'object' && value !== null && 'recording' in value && typeof value.recording === 'function';
}

function isRecording(value: unknown): value is Recording {
  return typeof value === 'object' && value !== null && 'exchanges' in value && Array.isArray(value.exchanges) && 'header' in value;
}
