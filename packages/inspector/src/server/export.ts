import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { isPlainObject } from '@tenterhook/runtime/json';
import { escapedJson } from '../api/json.js';
import { recordingOf } from '../source/recording-source.js';
import type { Source } from '../source/source.js';
import { sendProblem } from './answers.js';

/** Ranges of rows in one request. A filter that leaves every second row of the largest list fits. */
const mostRanges = 60_000;
/** The latest time that a date can have, in milliseconds since 1970. */
const latest = 8.64e15;

/**
 * Sends a recording of some rows, masked: `{ rows: [[from, to], …] }`, both inclusive. Rows that are forgotten meanwhile are left out. The
 * messages are in the order of the original, and their numbers are new, so that no message seems to be missing.
 */
export async function sendExport(response: ServerResponse, source: Source, { rows }: Readonly<Record<string, unknown>>): Promise<void> {
  const ranges = rangesOf(rows);
  if (ranges === undefined) {
    const message = `"rows" must be a list of at most ${mostRanges} ranges such as [0, 41], the numbers of the first and the last row.`;
    return sendProblem(response, 400, 'invalid_request', message);
  }
  const { index } = source;
  const numbers = numbersOf(ranges, index.first, index.next);
  const places = numbers.flatMap((n) => index.placesOf(n) ?? []).sort((one, other) => one - other);
  const began = numbers.reduce((first, n) => Math.min(first, index.row(n)?.at ?? first), Number.POSITIVE_INFINITY);
  // A recording of another program may have any times.
  const start = Math.abs(began) <= latest ? began : Date.now();
  response.writeHead(200, { 'Content-Type': 'application/x-ndjson; charset=utf-8' });
  await pipeline(exportedLines(source, places, start), response);
}

async function* exportedLines(source: Source, places: readonly number[], start: number): AsyncGenerator<string> {
  const lineOf = (line: unknown) => `${escapedJson(line)}\n`;
  yield lineOf(exportHeader(start, source.texts.isMasked));
  let messages = 0;
  for (const place of places) {
    const found = await source.messageAt(place);
    if (found === undefined) continue;
    messages += 1;
    const { type, payload, cut } = found.message;
    const t = Math.min(latest, Math.max(0, Math.round((found.at - start) * 1000) / 1000));
    yield lineOf({
      n: messages,
      t,
      type,
      payload: withOwnId(source.texts.stored(payload), recordingOf(place)),
      ...(cut === undefined ? {} : { cut }),
    });
  }
  yield lineOf({ t: 0, note: 'end', messages });
}

/** Two recordings may have the same correlation ids, and their events would be mixed up in one. */
function withOwnId(payload: unknown, recording: number): unknown {
  if (recording === 0 || !isPlainObject(payload) || typeof payload['correlationId'] !== 'string') return payload;
  return { ...payload, correlationId: `${payload['correlationId']}~${recording + 1}` };
}

/** The numbers in ranges that are sorted by their beginnings, each once: many ranges may have the same numbers. */
function numbersOf(ranges: readonly (readonly [number, number])[], first: number, next: number): number[] {
  const numbers: number[] = [];
  let n = first;
  for (const [from, to] of ranges) for (n = Math.max(n, from); n <= Math.min(to, next - 1); n += 1) numbers.push(n);
  return numbers;
}

function exportHeader(startedAt: number, masked: boolean): object {
  return {
    format: 'tenterhook-bus-recording',
    version: 1,
    form: 'full',
    id: randomUUID(),
    part: 1,
    startedAt: new Date(startedAt).toISOString(),
    masked,
    placeholders: [],
  };
}

function rangesOf(rows: unknown): readonly (readonly [number, number])[] | undefined {
  if (!Array.isArray(rows) || rows.length > mostRanges) return undefined;
  const ranges = rows.filter(
    (range): range is [number, number] =>
      Array.isArray(range) && range.length === 2 && range.every((n) => Number.isSafeInteger(n) && n >= 0),
  );
  return ranges.length === rows.length ? ranges.sort(([one], [other]) => one - other) : undefined;
}
