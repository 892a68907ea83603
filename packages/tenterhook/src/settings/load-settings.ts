import { resolve } from 'node:path';
import type { Diagnostic, Dialect, DialectContext, HookDefinition, SettingsDocument } from '@tenterhook/protocol';
import { combineSafely, parseSafely } from './contained-dialect.js';
import { type FileStamps, stampOf } from './file-stamps.js';
import { documentOf, readDocument } from './read-document.js';
import { recogniseDialect } from './recognise-dialect.js';
import { unmatchedMatchers } from './unmatched-matchers.js';
import { unreadFiles } from './unread-files.js';

/** Hooks that an extension of the host brings along. */
export interface Extension {
  readonly name: string;
  /** Hook groups by event, as they would stand under "hooks" of a settings file. */
  readonly hooks: object;
  /** @default true */
  readonly active?: boolean;
}

/** Where settings come from: the places each dialect looks at, or exactly what was given. */
export interface SettingsRequest {
  readonly dialects: readonly Dialect[];
  readonly context: DialectContext;
  /** Files and objects to use instead of discovery. */
  readonly given?: readonly (string | object)[];
  /** What the given ones are written in. @default recognised one by one */
  readonly dialect?: string;
  readonly extensions: readonly Extension[];
  /** The tools of the agent, which matchers are compared with. @default they are not */
  readonly toolNames?: readonly string[];
  /** The last good state of each file of each source, which a broken one keeps (decision 35). */
  readonly lastGood: Map<string, SettingsDocument>;
}

/** A file that was looked for, and what came of it. */
export interface SettingsFile {
  readonly file: string;
  readonly source: string;
  readonly dialect?: string;
  readonly state: 'read' | 'missing' | 'broken';
}

export interface LoadedSettings {
  readonly hooks: readonly HookDefinition[];
  readonly off: readonly { readonly hook: HookDefinition; readonly reason: string }[];
  readonly diagnostics: readonly Diagnostic[];
  readonly files: readonly SettingsFile[];
  /** What the files were before they were read, whether they were there or not. */
  readonly stamps: FileStamps;
}

/** Reads everything, dialect by dialect, into one complete set. Never throws for what stands in a file. */
export async function loadSettings(request: SettingsRequest): Promise<LoadedSettings> {
  const files: SettingsFile[] = [];
  const diagnostics: Diagnostic[] = [];
  const documents: { document: SettingsDocument; dialect: Dialect }[] = [];
  const stamps = new Map<string, string>();
  const chosen = request.dialects.find((dialect) => dialect.name === request.dialect);

  const add = (document: SettingsDocument, known = chosen): Dialect => {
    const { dialect, note } = known === undefined ? recogniseDialect(document, request.dialects) : { dialect: known };
    if (note !== undefined) diagnostics.push(note);
    documents.push({ document, dialect });
    return dialect;
  };

  const read = async (file: string, source: string, required: boolean, dialect: Dialect | undefined) => {
    // Before the file is read, so that a change while it is being read is one that was not seen; of two readings the earlier stamp counts.
    if (!stamps.has(file)) stamps.set(file, await stampOf(file));
    const result = await readDocument(file, source, required);
    // In the home directory, the project's file and the user's are one.
    const key = `${source} ${file}`;
    if (result.state === 'missing') {
      request.lastGood.delete(key);
      return files.push({ file, source, ...named(dialect), state: 'missing' });
    }
    if (result.state === 'read') request.lastGood.set(key, result.document);
    const document = result.state === 'read' ? result.document : request.lastGood.get(key);
    const isKept = result.state === 'broken' && document !== undefined;
    diagnostics.push(...(isKept ? result.diagnostics.map(withKeptHooks) : result.diagnostics));
    return files.push({ file, source, ...named(document === undefined ? dialect : add(document, dialect)), state: result.state });
  };

  if (request.given === undefined) {
    const looking = chosen === undefined ? request.dialects : [chosen];
    for (const dialect of looking) {
      for (const location of dialect.locations(request.context)) await read(location.file, location.source, false, dialect);
      diagnostics.push(...unreadFiles(dialect, request.context));
    }
  } else {
    for (const [index, settings] of request.given.entries()) {
      const source = request.given.length === 1 ? 'settings' : `settings:${index + 1}`;
      if (typeof settings === 'string') await read(resolve(settings), source, true, chosen);
      else add(documentOf(settings, source));
    }
  }
  for (const extension of request.extensions) {
    if (extension.active !== false) add(documentOf({ hooks: extension.hooks }, `extension:${extension.name}`));
  }
  return { files, stamps, ...combineByDialect(request, documents, diagnostics) };
}

function combineByDialect(
  request: SettingsRequest,
  documents: readonly { document: SettingsDocument; dialect: Dialect }[],
  diagnostics: Diagnostic[],
): Omit<LoadedSettings, 'files' | 'stamps'> {
  const hooks: HookDefinition[] = [];
  const off: { hook: HookDefinition; reason: string }[] = [];
  for (const dialect of request.dialects) {
    const parsed = documents
      .filter((entry) => entry.dialect === dialect)
      .map((entry) => parseSafely(dialect, entry.document, request.context));
    diagnostics.push(...parsed.flatMap((entry) => entry.diagnostics));
    const combined = combineSafely(dialect, parsed);
    hooks.push(...combined.hooks);
    off.push(...combined.off);
    diagnostics.push(...combined.diagnostics);
    diagnostics.push(...unmatchedMatchers(combined.hooks, dialect, request.toolNames ?? [], request.context.projectDir));
  }
  return { hooks, off, diagnostics };
}

function withKeptHooks(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, message: `${diagnostic.message} Its last good state stays in force.` };
}

function named(dialect: Dialect | undefined): { dialect?: string } {
  return dialect === undefined ? {} : { dialect: dialect.name };
}
