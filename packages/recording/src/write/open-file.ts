import { closeSync, constants, fchmodSync, fstatSync, ftruncateSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf, describeThrown } from '@tenterhook/runtime/text';
import { isHeaderBegin, parseHeader } from '../format/header.js';
import type { RecordingHeader } from '../format/recording.js';
import { RecordingError } from '../format/recording-error.js';
import type { RemovedLine } from '../format/torn-note.js';
import { partNames } from '../read/parts.js';
import { countLines, latest, numbersOf, readAt, readEnd } from './file-end.js';

/** An open file of a recording, as plain data: the descriptor is valid in every thread of the process. */
export interface OpenFile {
  /** The path of the first part. */
  readonly file: string;
  readonly descriptor: number;
  /** The existing parts, the open one last. */
  readonly parts: readonly string[];
  /** The bytes that the open part has. */
  readonly bytes: number;
  readonly header: RecordingHeader;
  /** The last number and the last time in the file. */
  readonly n: number;
  readonly t: number;
  /** Lines without an end that were removed. */
  readonly removed: readonly RemovedLine[];
}

const mode = 0o600;

/** Creates the file of a new recording. Throws a RecordingError if a file or a symbolic link is at its place. */
export function createFile(file: string, header: RecordingHeader): OpenFile {
  requireNoFile(file);
  const { descriptor, bytes } = createPart(file, header);
  return { file, descriptor, parts: [file], bytes, header, n: 0, t: 0, removed: [] };
}

/** Throws a RecordingError if the file, or another part of it, exists. */
export function requireNoFile(file: string): void {
  const [existing] = existingParts(file);
  if (existing !== undefined) throw fileExists(existing);
}

/** Writes a whole file that must not exist. */
export function writeNew(file: string, text: string): void {
  closeSync(createWith(file, text).descriptor);
}

/** Creates a part with its header. */
export function createPart(path: string, header: RecordingHeader): CreatedFile {
  return createWith(path, headerLine(header));
}

interface CreatedFile {
  readonly descriptor: number;
  readonly bytes: number;
}

/**
 * Creates a file. `x` also refuses a symbolic link, wherever it leads. `a` is for a process that outlives the command which recorded it: its
 * lines then follow those of others, and do not overwrite them.
 */
function createWith(path: string, text: string): CreatedFile {
  let descriptor: number;
  try {
    // It is also read, if a line could be written only in part.
    descriptor = openSync(path, 'ax+', mode);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw fileExists(path);
    throw unwritable(path, error);
  }
  try {
    return { descriptor, bytes: writeWhole(descriptor, text) };
  } catch (error) {
    closeSync(descriptor);
    // A part of a file, on a full disk, would be read as a whole one, or be in the way of the next recording.
    rmSync(path, { force: true });
    throw unwritable(path, error);
  }
}

/** Writes a text at the end of an open file, and returns its number of bytes. */
function writeWhole(descriptor: number, text: string): number {
  writeFileSync(descriptor, text);
  return Buffer.byteLength(text);
}

function headerLine(header: RecordingHeader): string {
  return `${JSON.stringify(header)}\n`;
}

/**
 * Opens the last part of a recording to append to it, and removes a last line without an end, also if this line is the header of the part.
 * Creates the file if there is none. Throws a RecordingError if the file was recorded with other options, because a reader could not tell
 * which lines are masked.
 */
export function openToAppend(file: string, header: RecordingHeader): OpenFile {
  const parts = existingParts(file);
  const path = parts.at(-1);
  if (path === undefined) return createFile(file, header);
  const opened = openPart(path, parts, header);
  if (typeof opened === 'object') return { file, ...opened };
  rmSync(path);
  const earlier = openToAppend(file, header);
  if (opened === 0) return earlier;
  return { ...earlier, removed: [...earlier.removed, { file: basename(path), line: 1, bytes: opened }] };
}

/**
 * Opens an existing part. Returns the size of a later part whose recorder was killed before the header was written. If it is the first part,
 * writes a header. Removing the file was rejected: its recorder may be about to write, and would then write to a file without a name.
 */
function openPart(path: string, parts: readonly string[], header: RecordingHeader): Omit<OpenFile, 'file'> | number {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === 'ELOOP') throw new RecordingError('file_exists', `${path} is a symbolic link. Pass the path of the file itself.`);
    throw unwritable(path, error);
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw new RecordingError('unwritable', `${path} is not a regular file. Pass another path.`);
    // A file that is refused keeps its mode.
    const begun = readFirstLine(descriptor, stat.size);
    if (begun !== undefined) requireSame(path, parseHeader(begun, path), header);
    const size = sizeBetweenWrites(descriptor);
    const first = readFirstLine(descriptor, size);
    if (first === undefined && parts.length === 1) {
      ftruncateSync(descriptor, 0);
      const removed = size === 0 ? [] : [{ file: basename(path), line: 1, bytes: size }];
      return { descriptor, parts, bytes: writeWhole(descriptor, headerLine(header)), header, n: 0, t: 0, removed };
    }
    if (first === undefined) {
      closeSync(descriptor);
      return size;
    }
    const found = parseHeader(first, path);
    requireSame(path, found, header);
    const { bytes, ...own } = readEnd(descriptor, size);
    // A recorder that was killed at the beginning of a part has written no number to it.
    const { n, t } = own.n > 0 ? own : latest(own, numbersOf(parts.slice(0, -1)));
    const removed = bytes === size ? [] : [{ file: basename(path), line: countLines(descriptor, bytes) + 1, bytes: size - bytes }];
    if (removed.length > 0) ftruncateSync(descriptor, bytes);
    return { descriptor, parts, bytes, header: found, n, t, removed };
  } catch (error) {
    closeSync(descriptor);
    throw error instanceof RecordingError ? error : unwritable(path, error);
  }
}

/**
 * Returns a size of the file at which no other recorder is writing a line. While it is, the file has a part of the line, and this part would be
 * removed as torn, with the rest of the line. Changing the mode waits for the end of a write.
 */
function sizeBetweenWrites(descriptor: number): number {
  for (let size = -1; ; ) {
    fchmodSync(descriptor, mode);
    const before = size;
    size = fstatSync(descriptor).size;
    if (size === before) return size;
  }
}

function existingParts(file: string): string[] {
  try {
    return partNames(basename(file), readdirSync(dirname(file))).map((name) => join(dirname(file), name));
  } catch (error) {
    throw unwritable(file, error);
  }
}

function fileExists(path: string): RecordingError {
  return new RecordingError(
    'file_exists',
    `${path} exists, and a recording does not overwrite a file. Pass another path, remove the file, or append to it.`,
  );
}

function unwritable(path: string, error: unknown): RecordingError {
  return new RecordingError('unwritable', `${path}: the recording cannot be written: ${describeThrown(error)}. Pass another path.`, {
    cause: error,
  });
}

function requireSame(path: string, found: RecordingHeader, header: RecordingHeader): void {
  const optionsOf = ({ form, masked, placeholders }: RecordingHeader) => JSON.stringify([form, masked, [...placeholders].sort()]);
  if (optionsOf(found) === optionsOf(header)) return;
  throw new RecordingError(
    'other_recording',
    `${path} was recorded with other options: its form, mask or placeholders differ. Use the same options, or record to another file.`,
  );
}

/** Beyond this length, a first line cannot be a header. */
const longestHeader = 256 * 1024;

/** Returns undefined for a file that is empty, or that has only the beginning of a header. */
function readFirstLine(descriptor: number, size: number): string | undefined {
  const bytes = readAt(descriptor, 0, Math.min(size, longestHeader));
  const end = bytes.indexOf(10);
  const text = bytes.subarray(0, end < 0 ? bytes.length : end).toString('utf8');
  return end < 0 && isHeaderBegin(text) ? undefined : text;
}
