import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { describeOption, textOfField } from '@tenterhook/runtime/text';
import type { RecordingHeader } from './recording.js';
import { RecordingError } from './recording-error.js';

export const formatName = 'tenterhook-bus-recording';
/** The version that this package writes, and the highest one that it reads. */
export const formatVersion = 1;
/** The version in package.json, which a test compares. Reading that file was rejected: its path differs between sources and bundles. */
export const writerVersion = '0.1.0';

/** What a recorder decides about its header. */
export interface HeaderChoice {
  readonly form: 'full' | 'minimal';
  readonly masked: boolean;
  readonly placeholders: readonly string[];
}

/** The header of a recording that begins now. In the minimal form it has nothing that differs from run to run. */
export function createHeader({ form, masked, placeholders }: HeaderChoice): RecordingHeader {
  const begin = { format: formatName, version: formatVersion, form } as const;
  if (form === 'minimal') return { ...begin, masked, placeholders };
  return {
    ...begin,
    id: globalThis.crypto.randomUUID(),
    part: 1,
    startedAt: new Date().toISOString(),
    writer: { name: 'tenterhook', version: writerVersion, node: process.versions.node, platform: process.platform },
    masked,
    placeholders,
  };
}

/** Whether a text without a line break can be the beginning of a header. A recorder that is killed at once leaves such a file. */
export function isHeaderBegin(text: string): boolean {
  const begin = `{"format":"${formatName}"`;
  return text.length < begin.length ? begin.startsWith(text) : text.startsWith(begin);
}

/** Reads the first line of a file. Throws a RecordingError that names the file. */
export function parseHeader(line: string, file: string): RecordingHeader {
  // Some editors write a byte order mark.
  const value = parseJson(line.replace(/^\ufeff/, ''));
  if (!isPlainObject(value) || value['format'] !== formatName) {
    throw new RecordingError(
      'not_a_recording',
      `${file}:1: the line is not the header of a recording. Its "format" must be "${formatName}". Pass a file that "recordBus" has written.`,
    );
  }
  const { version, form, masked, placeholders, id, part, startedAt, writer, ...others } = value;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    throw new RecordingError(
      'not_a_recording',
      `${file}:1: "version" must be a whole number from 1, and is ${describeOption(version)}. The file is not read.`,
    );
  }
  if (version > formatVersion) {
    throw new RecordingError(
      'newer_recording',
      `${file}: written by a newer Tenterhook, version ${version}; this one reads ${formatVersion}. Update Tenterhook to read the file.`,
    );
  }
  return {
    ...others,
    ...omitUndefined({
      id: typeof id === 'string' ? id : undefined,
      part: typeof part === 'number' ? part : undefined,
      startedAt: typeof startedAt === 'string' ? startedAt : undefined,
      writer: isPlainObject(writer) ? writerOf(writer) : undefined,
    }),
    format: formatName,
    version,
    form: form === 'minimal' ? 'minimal' : 'full',
    masked: masked === true,
    placeholders: Array.isArray(placeholders) ? placeholders.filter((name) => typeof name === 'string') : [],
  };
}

function writerOf({ name, version, node, platform }: Readonly<Record<string, unknown>>): NonNullable<RecordingHeader['writer']> {
  return { name: textOfField(name), version: textOfField(version), node: textOfField(node), platform: textOfField(platform) };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
