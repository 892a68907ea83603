import { basename, join } from 'node:path';
import type { Dialect } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { readDocument } from '../read/read-document.js';
import type { ReadingOf } from '../read/read-settings-file.js';
import type { Extension } from './extension.js';

/** A file that may contain the hooks of an extension, and the dialects that look for it. */
export interface CandidateFile {
  readonly file: string;
  readonly owners: readonly Dialect[];
}

/**
 * Returns the files that may contain the hooks of an extension without `hooks`. All of them are watched, including those that do not exist
 * yet.
 */
export function getExtensionFiles({ hooks, directory }: Extension, { dialects }: ReadingOf): string[] {
  return hooks !== undefined || directory === undefined ? [] : findCandidates(directory, dialects).map(({ file }) => file);
}

export function findCandidates(directory: string, dialects: readonly Dialect[]): readonly CandidateFile[] {
  const owners = new Map<string, Dialect[]>();
  for (const dialect of dialects) {
    for (const file of dialect.extensionFiles?.(directory) ?? []) owners.set(file, [...(owners.get(file) ?? []), dialect]);
  }
  return [...owners].map(([file, of]) => ({ file, owners: of }));
}

/**
 * Returns the dialect of an existing file that no other dialect looks for, such as a manifest. Undefined if the directory has such files of
 * several dialects.
 */
export function findOnlyOwner(directory: string, { dialects, context }: ReadingOf): Dialect | undefined {
  const own = findCandidates(directory, dialects).filter(({ file, owners }) => owners.length === 1 && context.files.isFile(file));
  const distinct = new Set(own.flatMap(({ owners }) => owners));
  return distinct.size === 1 ? [...distinct][0] : undefined;
}

/**
 * Finds files with hooks that are next to the folder in which hooks are looked for, and not in it. Also returns which file is read instead.
 * The authors of such files expect their hooks to run.
 */
export async function findLookalikes(directory: string, candidates: readonly CandidateFile[], { context }: ReadingOf) {
  const found: { readonly file: string; readonly insteadOf: string }[] = [];
  for (const { file: insteadOf, owners } of candidates) {
    const file = join(directory, basename(insteadOf));
    if (candidates.some((other) => other.file === file) || !context.files.isFile(file)) continue;
    const result = await readDocument(file, '', false);
    if (result.state === 'read' && speaksOfHooks(result.document.value, owners)) found.push({ file, insteadOf });
  }
  return found;
}

function speaksOfHooks(value: unknown, owners: readonly Dialect[]): boolean {
  if (!isPlainObject(value)) return false;
  const events = owners.flatMap((owner) => Object.keys(owner.events ?? {}));
  return ['hooks', ...events].some((key) => Object.hasOwn(value, key));
}
