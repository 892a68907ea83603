import type { FileHandle } from 'node:fs/promises';
import { describeValue, requireOptions } from '@tenterhook/runtime/text';
import { joinExchanges } from '../format/exchanges.js';
import { isHeaderBegin, parseHeader } from '../format/header.js';
import { requireCount } from '../format/limits.js';
import { parseBytes, parseLine } from '../format/parse-line.js';
import type { RecordedMessage, Recording, RecordingHeader, RecordingNote, RecordingProblem } from '../format/recording.js';
import { RecordingError } from '../format/recording-error.js';
import { problemOfNote } from '../format/torn-note.js';
import { openRegular } from './open-regular.js';
import { findParts } from './parts.js';
import { readLines } from './read-lines.js';

/** Limits of reading. */
export interface ReadOptions {
  /** Longer lines are skipped, with a problem. @default 64 MiB */
  readonly maxLineBytes?: number | undefined;
  /** A recording with more bytes is refused with `too_large`. @default 1 GiB */
  readonly maxBytes?: number | undefined;
}

const optionNames = Object.keys({ maxLineBytes: true, maxBytes: true } satisfies Record<keyof ReadOptions, true>);

/** What the files of a recording contain. */
interface Contents {
  readonly messages: RecordedMessage[];
  readonly notes: RecordingNote[];
  readonly problems: RecordingProblem[];
}

/**
 * Reads a recording with all its parts. The file may be missing if later parts exist, because the oldest parts are removed. Lines that
 * cannot be read are reported in `problems`, and the rest is read. Rejects with a RecordingError if the recording cannot be used at all, and
 * with a TypeError for unknown and invalid options.
 */
export async function readRecording(file: string, options: ReadOptions = {}): Promise<Recording> {
  requireOptions('readRecording', options, optionNames);
  if (typeof file !== 'string' || file === '')
    throw new TypeError(`readRecording: the file must be a path, and is ${describeValue(file)}.`);
  const { maxLineBytes = 64 * 2 ** 20, maxBytes = 2 ** 30 } = options;
  requireCount('readRecording: maxLineBytes', maxLineBytes, 1);
  requireCount('readRecording: maxBytes', maxBytes, 1);
  const found = await findParts(file);
  const contents: Contents = { messages: [], notes: [], problems: [] };
  let first: RecordingHeader | undefined;
  let bytes = 0;
  let lastPart = 0;
  const files: string[] = [];
  for (const part of found.length === 0 ? [file] : found) {
    const handle = await openRegular(part);
    try {
      bytes += (await handle.stat()).size;
      if (bytes > maxBytes) {
        throw new RecordingError('too_large', `${part}: the recording has more than ${maxBytes} bytes. Raise maxBytes to read it.`);
      }
      const header = await readPart(handle, part, { maxLineBytes, id: first?.id, isFirst: first === undefined }, contents);
      // A file of another recording has the name of a part.
      if (header === undefined) continue;
      const { part: number = 1 } = header;
      if (lastPart > 0 && number !== lastPart + 1) {
        contents.problems.push({ code: 'missing_part', message: `${part}: part ${lastPart + 1} of the recording is missing.` });
      }
      lastPart = number;
      first ??= header;
      files.push(part);
      // The minimal form is one file. It may have replaced the first one of several.
      if (header.form === 'minimal') break;
    } finally {
      await handle.close();
    }
  }
  const header = first as RecordingHeader;
  const { messages, notes, problems } = contents;
  findGap(messages, problems);
  if (header.form === 'full' && notes.at(-1)?.note !== 'end') {
    problems.push({
      code: 'interrupted',
      message: `${files.at(-1)}: the recording has no end, so its writer was interrupted or is still writing.`,
    });
  }
  return { header, files, messages, notes, exchanges: joinExchanges(messages), problems };
}

/** Makes a recording of lines that are in memory. Lines of the recorder are valid, so messages that were dropped are the only problem. */
export function parseRecording(header: RecordingHeader, lines: readonly string[]): Recording {
  const messages: RecordedMessage[] = [];
  const notes: RecordingNote[] = [];
  for (const [index, line] of lines.entries()) {
    // The header is line 1.
    const parsed = parseLine(line, index + 2);
    if ('message' in parsed) messages.push(parsed.message);
    else if ('note' in parsed) notes.push(parsed.note);
  }
  const problems: RecordingProblem[] = [];
  findGap(messages, problems);
  return { header, files: [], messages, notes, exchanges: joinExchanges(messages), problems };
}

/** Reads the whole text of a file that this package has made. */
export function parseText(text: string): Recording {
  const [first = '', ...lines] = text.split('\n').filter((line) => line !== '');
  return parseRecording(parseHeader(first, 'the recording'), lines);
}

/** Reads the lines of one file. Returns undefined if the file belongs to another recording than `id`, or has no whole header. */
async function readPart(
  handle: FileHandle,
  file: string,
  { maxLineBytes, id, isFirst }: { readonly maxLineBytes: number; readonly id: string | undefined; readonly isFirst: boolean },
  { messages, notes, problems }: Contents,
): Promise<RecordingHeader | undefined> {
  let header: RecordingHeader | undefined;
  let isConflict = false;
  for await (const { number, bytes, isWhole } of readLines(handle, maxLineBytes)) {
    const place = `${file}:${number}`;
    if (header === undefined) {
      const text = bytes?.toString('utf8') ?? '';
      if (!isWhole && !isFirst && isHeaderBegin(text)) break;
      // A conflict in the header begins with the mark, and then has one of the two headers.
      if (number === 1 && text.startsWith('<<<<<<< ')) {
        isConflict = true;
        continue;
      }
      header = parseHeader(isWhole ? text : '', file);
      if (isConflict) throw conflictInHeader(file);
      if (id !== undefined && header.id !== id) return undefined;
    } else if (!isWhole) {
      problems.push({
        code: 'torn',
        line: number,
        message: `${place}: the line has no end. The writer was interrupted. The line is ignored.`,
      });
    } else if (bytes === undefined) {
      problems.push({ code: 'long_line', line: number, message: `${place}: the line has more than ${maxLineBytes} bytes and is ignored.` });
    } else {
      const parsed = parseBytes(bytes, number);
      if ('message' in parsed) messages.push(parsed.message);
      else if ('note' in parsed) {
        notes.push(parsed.note);
        problems.push(...[problemOfNote(parsed.note, file)].filter((problem) => problem !== undefined));
      } else problems.push({ code: 'invalid_line', line: number, message: `${place}: the line ${parsed.problem}, and is ignored.` });
    }
  }
  if (header !== undefined || isFirst) return header ?? parseHeader('', file);
  problems.push(tornHeader(file));
  return undefined;
}

function conflictInHeader(file: string): RecordingError {
  const reason = 'the line is the mark of a conflict in a merge, so the header is unknown';
  return new RecordingError('damaged', `${file}:1: ${reason}. Resolve the conflict, or record again.`);
}

/** The problem of a later file without a whole header. */
export function tornHeader(file: string): RecordingProblem {
  const message = `${file}:1: the header has no end. The writer was interrupted, or is still writing. The file is ignored.`;
  return { code: 'torn', line: 1, message };
}

/**
 * Reports where numbers are missing. The first number may be higher than 1, because the oldest part is removed. Numbers need not rise: two
 * processes that continue one file at the same time count from the same number.
 */
function findGap(messages: readonly RecordedMessage[], problems: RecordingProblem[]): void {
  const numbers = new Set(messages.flatMap(({ n }) => n ?? []));
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const n of numbers) [least, most] = [Math.min(least, n), Math.max(most, n)];
  const missing = most - least + 1 - numbers.size;
  const at = missing > 0 ? messages.find(({ n }) => n !== undefined && n !== least && !numbers.has(n - 1)) : undefined;
  if (at === undefined) return;
  problems.push({
    code: 'missing_messages',
    line: at.line,
    message: `line ${at.line}: messages are missing before the message ${at.n}. In the whole recording, ${missing} are missing.`,
  });
}
