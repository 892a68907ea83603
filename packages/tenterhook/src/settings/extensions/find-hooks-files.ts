import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Diagnostic, SettingsDocument } from '@tenterhook/protocol';
import { isPlainObject, pathText } from '@tenterhook/runtime/json';
import type { FileOwners } from '../read/file-owners.js';
import { markAsKept, type ReadDocument, readDocument } from '../read/read-document.js';
import type { CandidateFile } from './extension-files.js';

/** The part of a file that contains hooks: the whole file, or an entry of a list in a manifest. */
export interface HooksPart {
  /** The key of the part in `lastGood`. */
  readonly key: string;
  readonly result: Exclude<ReadDocument, { state: 'missing' }>;
}

export interface LookedAt extends CandidateFile {
  readonly state: 'missing' | 'read' | 'broken';
  /** Why the file has no hooks: a sentence without its subject, which is the path of the file. */
  readonly why: string;
  /** The remedy for a file whose hooks cannot be used. @default replace the link, or name another file */
  readonly remedy?: string;
  readonly parts: readonly HooksPart[];
  readonly diagnostics: readonly Diagnostic[];
  /** The number of files that this file names. */
  readonly named: number;
  /** The document, if it contains no hooks. */
  readonly without?: SettingsDocument;
  /** The place where another file names this file. That other file contains no hooks itself. */
  readonly namedAt?: Partial<Diagnostic> & { readonly text: string };
}

export interface Looking {
  readonly directory: string;
  readonly source: string;
  /** The last valid content of each manifest. If a manifest becomes invalid, the files that it listed are still read. */
  readonly lastGood: Map<string, SettingsDocument>;
  /** Called for each file before the file is read. */
  readonly onLook: (file: string) => Promise<void>;
  /** Checks who owns and may write the files. */
  readonly owners?: FileOwners | undefined;
}

/**
 * Examines the files in turn. The `hooks` of a file are hooks, the name of another file with hooks, or a list of both. The named file is
 * examined next, and only once.
 */
export async function findHooksFiles(candidates: readonly CandidateFile[], looking: Looking): Promise<readonly LookedAt[]> {
  const found: LookedAt[] = [];
  let parts = 0;
  const queue: (CandidateFile & Pick<LookedAt, 'namedAt'>)[] = [...candidates];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { file } = next;
    if (found.some((other) => other.file === file)) continue;
    await looking.onLook(file);
    const { names, ...looked } = await lookAt(file, looking);
    const { owners } = next;
    if (parts + looked.parts.length > maxFiles || found.length + 1 + queue.length + names.length > maxFiles) {
      found.push({ ...next, ...looked, state: 'broken', ...tooMany, parts: [], named: 0 });
      continue;
    }
    parts += looked.parts.length;
    found.push({ ...next, ...looked, named: names.length });
    queue.unshift(...names.map(({ path, text }) => ({ file: resolve(looking.directory, text), owners, namedAt: { ...path, text } })));
  }
  return found;
}

/**
 * The maximum number of files of an extension, and of documents in these files. Each document may have the maximum size of a settings file.
 */
const maxFiles = 25;

const tooMany = {
  why: `brings the hooks of the extension to more than ${maxFiles} files or lists, and no more are read`,
  remedy: 'Put the hooks into fewer files.',
};

interface Named {
  readonly text: string;
  readonly path: Partial<Diagnostic>;
}

async function lookAt(
  file: string,
  { directory, source, lastGood, owners }: Looking,
): Promise<Omit<LookedAt, keyof CandidateFile | 'namedAt' | 'named'> & { readonly names: readonly Named[] }> {
  const nothing = { parts: [], diagnostics: [], names: [] };
  const outside = await findContainmentProblem(directory, file);
  if (outside !== undefined) return { ...nothing, state: 'broken', why: outside };
  const key = `${source} ${file}`;
  const result = await readDocument(file, source, false, owners);
  if (result.state === 'missing') {
    lastGood.delete(key);
    return { ...nothing, state: 'missing', why: 'does not exist' };
  }
  const last = result.state === 'broken' ? lastGood.get(key) : undefined;
  const document = result.state === 'read' ? result.document : last;
  const hooks = document === undefined ? undefined : hooksIn(document.value);
  if (document === undefined || !isListOrName(hooks)) {
    if (document !== undefined && hooks === undefined && result.state === 'read') {
      lastGood.delete(key);
      return { ...nothing, state: 'read', why: 'has no "hooks"', without: document };
    }
    return { ...nothing, state: result.state, why: '', parts: [{ key, result }] };
  }
  lastGood.set(key, document);
  const entries = (Array.isArray(hooks) ? hooks : [hooks]).map((value, index) => ({
    value,
    path: Array.isArray(hooks) ? ['hooks', index] : ['hooks'],
  }));
  const inline = entries.filter(({ value }) => typeof value !== 'string');
  const names = entries.flatMap(({ value, path }) =>
    typeof value === 'string' ? [{ text: value, path: { file, ...document.locate(path), path: pathText(path) } }] : [],
  );
  return {
    state: result.state,
    why: names.length === 0 ? 'has no "hooks"' : `names ${names.map(({ text }) => text).join(', ')}`,
    parts: inline.map(({ value, path }) => ({
      key: `${key} ${pathText(path)}`,
      result: { state: 'read', document: partOf(document, value, path), diagnostics: [] },
    })),
    diagnostics: last === undefined ? result.diagnostics : markAsKept(result.diagnostics),
    names,
  };
}

/** Returns the document with only this entry of the list. */
function partOf(document: SettingsDocument, hooks: unknown, at: readonly (string | number)[]): SettingsDocument {
  return {
    ...document,
    value: { ...(document.value as object), hooks },
    locate: ([first, ...rest]) => document.locate(first === 'hooks' ? [...at, ...rest] : first === undefined ? [] : [first, ...rest]),
  };
}

function isListOrName(hooks: unknown): hooks is string | readonly unknown[] {
  return typeof hooks === 'string' || Array.isArray(hooks);
}

/** A value that is not an object is passed on, so that the dialect reports the mistake. */
function hooksIn(value: unknown): unknown {
  return isPlainObject(value) ? value['hooks'] : { value };
}

/**
 * Returns why a file is outside of the extension's directory: because of its path, or because of a link. Undefined if it is inside. Files
 * outside are not read, because people who review an extension look only at the files inside.
 */
async function findContainmentProblem(directory: string, file: string): Promise<string | undefined> {
  const why = 'is outside of the extension and is not read';
  if (!isWithin(directory, file)) return why;
  try {
    const real = await realpath(file);
    return isWithin(await realpath(directory), real) ? undefined : `leads to ${real}, outside of the extension, and is not read`;
  } catch {
    // The file does not exist or cannot be accessed. Reading it reports this later.
    return undefined;
  }
}

function isWithin(directory: string, file: string): boolean {
  const way = relative(directory, file);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
