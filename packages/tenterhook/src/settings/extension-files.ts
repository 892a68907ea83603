import { resolve } from 'node:path';
import { type Dialect, isPlainObject } from '@tenterhook/protocol';
import { extensionFilesSafely } from './contained-dialect.js';
import type { Extension } from './extension.js';
import { type ReadDocument, readDocument } from './read-document.js';
import type { ReadingOf } from './read-settings-file.js';

/** A file in which an extension may have its hooks, and the dialects that would look there. */
export interface CandidateFile {
  readonly file: string;
  readonly owners: readonly Dialect[];
}

/** A candidate that says nothing of hooks itself, and why. */
export interface PassedFile extends CandidateFile {
  readonly state: 'missing' | 'read';
  readonly why: string;
}

export interface FoundFile extends CandidateFile {
  readonly result: Exclude<ReadDocument, { state: 'missing' }>;
  /** Those that were not looked at. */
  readonly rest: readonly CandidateFile[];
}

/** The files in which an extension without `hooks` may have them; all are watched, also those that another one stands before. */
export function filesOfExtension({ hooks, directory }: Extension, { dialects }: ReadingOf): string[] {
  return hooks !== undefined || directory === undefined ? [] : candidatesIn(directory, dialects).map(({ file }) => file);
}

export function candidatesIn(directory: string, dialects: readonly Dialect[]): readonly CandidateFile[] {
  const owners = new Map<string, Dialect[]>();
  for (const dialect of dialects) {
    for (const file of extensionFilesSafely(dialect, directory)) owners.set(file, [...(owners.get(file) ?? []), dialect]);
  }
  return [...owners].map(([file, of]) => ({ file, owners: of }));
}

/** The dialect to which a file belongs that no other one looks for: a manifest, say. Of a directory made for several agents nothing is told. */
export function tellingDialect(directory: string, { dialects, context }: ReadingOf): Dialect | undefined {
  const own = candidatesIn(directory, dialects).filter(({ file, owners }) => owners.length === 1 && context.files.isFile(file));
  const told = new Set(own.flatMap(({ owners }) => owners));
  return told.size === 1 ? [...told][0] : undefined;
}

/**
 * The first of the files that holds hooks, or that is too broken to tell. A manifest may name the file that holds them, which takes its place;
 * `onLook` is told of each file before it is read.
 */
export async function findHooksFile(
  candidates: readonly CandidateFile[],
  directory: string,
  source: string,
  onLook: (file: string) => Promise<void>,
): Promise<{ readonly found?: FoundFile; readonly passed: readonly PassedFile[] }> {
  const passed: PassedFile[] = [];
  const queue = [...candidates];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { file, owners } = next;
    if (passed.some((other) => other.file === file)) continue;
    await onLook(file);
    const result = await readDocument(file, source, false);
    const hooks = result.state === 'read' ? hooksIn(result.document.value) : undefined;
    if (result.state === 'missing') passed.push({ file, owners, state: 'missing', why: 'is not there' });
    else if (result.state === 'read' && hooks === undefined) passed.push({ file, owners, state: 'read', why: 'has no "hooks"' });
    else if (typeof hooks === 'string') {
      passed.push({ file, owners, state: 'read', why: `names ${hooks}` });
      queue.unshift({ file: resolve(directory, hooks), owners });
    } else return { found: { file, owners, result, rest: queue }, passed };
  }
  return { passed };
}

/** Those of the files that hold hooks as well, and not by naming the one that was found. */
export async function alsoWithHooks(rest: readonly CandidateFile[], directory: string, found: string): Promise<readonly string[]> {
  const holding: string[] = [];
  for (const { file } of rest) {
    const result = await readDocument(file, '', false);
    const hooks = result.state === 'read' ? hooksIn(result.document.value) : undefined;
    if (hooks !== undefined && !(typeof hooks === 'string' && resolve(directory, hooks) === found)) holding.push(file);
  }
  return holding;
}

/** What is no object says more than nothing, and its dialect says what: the whole of it stands for hooks. */
function hooksIn(value: unknown): unknown {
  return isPlainObject(value) ? value['hooks'] : value;
}
