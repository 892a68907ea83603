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
 * Returns the files that may contain the hooks of an extension. All of them are watched, even if they do not exist yet. Returns an empty
 * array if the agent passed the hooks themselves.
 */
export function getExtensionFiles({ hooks, directory }: Extension, { dialects }: ReadingOf): string[] {
  return hooks !== undefined || directory === undefined ? [] : findCandidates(directory, dialects).map(({ file }) => file);
}

/**
 * Returns the files that dialects look for in the directory of an extension. Each dialect lists its files in an order. A file is owned by
 * the dialects that list it earliest, and by the chosen dialect if that lists the file. Files that more dialects look for come first.
 */
export function findCandidates(directory: string, dialects: readonly Dialect[], chosen?: Dialect): readonly CandidateFile[] {
  const seekers = new Map<string, { readonly dialect: Dialect; readonly at: number }[]>();
  for (const dialect of dialects) {
    for (const [at, file] of (dialect.extensionFiles?.(directory) ?? []).entries())
      seekers.set(file, [...(seekers.get(file) ?? []), { dialect, at }]);
  }
  return [...seekers]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([file, of]) => {
      const first = Math.min(...of.map(({ at }) => at));
      return { file, owners: of.filter(({ dialect, at }) => at === first || dialect === chosen).map(({ dialect }) => dialect) };
    });
}

/**
 * Returns the dialect to which an extension belongs, judged by its manifests: the existing files that only one dialect owns. Returns the
 * chosen dialect if it looks for all these files. Returns undefined if there are no manifests, or manifests of several dialects.
 */
export function findOwner(directory: string, { dialects, context }: ReadingOf, chosen: Dialect | undefined): Dialect | undefined {
  const manifests = findCandidates(directory, dialects).filter(({ file, owners }) => owners.length === 1 && context.files.isFile(file));
  if (manifests.length === 0) return undefined;
  const files = chosen?.extensionFiles?.(directory) ?? [];
  if (manifests.every(({ file }) => files.includes(file))) return chosen;
  const distinct = new Set(manifests.flatMap(({ owners }) => owners));
  return distinct.size === 1 ? [...distinct][0] : undefined;
}

/**
 * Finds files whose hooks do not run because the file is in the wrong folder, e.g. `hooks.json` instead of `hooks/hooks.json`. Also returns
 * the file that is read instead.
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
