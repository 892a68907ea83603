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
 * Returns the files that may contain the hooks of an extension that has no `hooks` itself. All of them are watched, even if they do not
 * exist yet.
 */
export function getExtensionFiles({ hooks, directory }: Extension, { dialects }: ReadingOf): string[] {
  return hooks !== undefined || directory === undefined ? [] : findCandidates(directory, dialects).map(({ file }) => file);
}

/**
 * Returns the files that dialects look for in a directory. A file that several dialects look for belongs to those that look for it first,
 * and to the dialect that the caller chose. Files that more dialects look for come first.
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
 * Returns the dialect to which the manifests in a directory belong: files for which only one dialect looks, or for which it looks before
 * others do. If the chosen dialect looks for all of them, it is this one. Undefined if there are manifests of several dialects, or none.
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
 * Finds files with hooks that are outside of the folder in which hooks are looked for (`hooks.json` instead of `hooks/hooks.json`). Their
 * authors expect them to run. Also returns which file is read instead.
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
