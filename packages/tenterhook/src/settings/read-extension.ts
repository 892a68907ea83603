import type { Diagnostic, Dialect, SettingsDocument } from '@tenterhook/protocol';
import { type Extension, sourceOfExtension } from './extension.js';
import {
  alsoWithHooks,
  type CandidateFile,
  candidatesIn,
  type FoundFile,
  findHooksFile,
  type PassedFile,
  tellingDialect,
} from './extension-files.js';
import { foreignSpeakers } from './foreign-format.js';
import { documentOf } from './read-document.js';
import { type DialectDocument, parseDocument, type ReadingOf, settleDocument, type Whose } from './read-settings-file.js';
import type { SettingsFile } from './settings-file.js';

export interface ReadExtension {
  readonly found?: DialectDocument;
  /** Those in its directory that were looked at; none where its hooks were handed in. */
  readonly files: readonly SettingsFile[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ExtensionReading extends ReadingOf {
  /** The format of all settings, where it was named. */
  readonly chosen: Dialect | undefined;
  /** Told of each file before it is read. */
  readonly onLook: (file: string) => Promise<void>;
}

/** The hooks of an extension: those that it was given with, else those of the first file in its directory that has some. */
export async function readExtension(extension: Extension, reading: ExtensionReading): Promise<ReadExtension> {
  const { name, hooks, directory } = extension;
  const named = reading.dialects.find((dialect) => dialect.name === extension.dialect);
  const told = directory === undefined ? undefined : tellingDialect(directory, reading);
  const source = sourceOfExtension(extension);
  if (hooks !== undefined || directory === undefined) {
    const document = documentOf({ hooks }, source);
    const known = named ?? [told, reading.chosen].find((dialect) => dialect !== undefined && !isForeign(document, dialect, reading));
    return { found: parseDocument(document, { known, complete: completed(extension) }, reading), files: [], diagnostics: [] };
  }
  const only = named ?? told;
  const candidates = candidatesIn(directory, only === undefined ? reading.dialects : [only]);
  const { found, passed } = await findHooksFile(candidates, directory, source, reading.onLook);
  for (const { file } of passed) reading.lastGood.delete(`${source} ${file}`);
  const files = passed.map(({ file, owners, state }) => ({ file, ...ownedBy(onlyOne(owners), extension), state }));
  if (found === undefined) return { files, diagnostics: [nothingFound(name, passed, ownedBy(onlyOf(candidates), extension))] };
  const read = readFound(found, extension, reading);
  const also = await alsoWithHooks(ofDialect(found.rest, read.found?.dialect), directory, found.file);
  const diagnostics = [...read.diagnostics, ...also.map((file) => unreadFile(file, found.file, read.own))];
  return { ...read, files: [...files, { file: found.file, ...read.own, state: read.state }], diagnostics };
}

function readFound({ file, owners, result }: FoundFile, extension: Extension, reading: ExtensionReading) {
  const { chosen } = reading;
  const document = result.state === 'read' ? result.document : undefined;
  const isChosen = chosen !== undefined && owners.includes(chosen) && !(document !== undefined && isForeign(document, chosen, reading));
  const known = onlyOne(owners) ?? (isChosen ? chosen : undefined);
  const whose = { known, among: owners, complete: completed(extension) };
  const read = settleDocument(result, { file, source: sourceOfExtension(extension) }, whose, reading);
  const own = ownedBy(read.found?.dialect ?? known, extension);
  return { ...read, own, diagnostics: read.diagnostics.map((diagnostic) => ({ ...diagnostic, ...own })) };
}

/** What an extension lies beside, or what given settings are written in, says nothing of hooks that are plainly another format's. */
function isForeign(document: SettingsDocument, dialect: Dialect, { dialects, context }: ReadingOf): boolean {
  return foreignSpeakers(document, dialect, dialects, context).length > 0;
}

function completed(extension: Extension): NonNullable<Whose['complete']> {
  const { directory, frontMatterOf } = extension;
  return (document, dialect) => ({
    ...document,
    source: sourceOfExtension(extension, dialect),
    ...(directory === undefined ? {} : { directory }),
    ...(frontMatterOf === undefined ? {} : { frontMatterOf }),
  });
}

interface Owned {
  readonly source: string;
  readonly dialect?: string;
}

function ownedBy(dialect: Dialect | undefined, extension: Extension): Owned {
  return { source: sourceOfExtension(extension, dialect), ...(dialect === undefined ? {} : { dialect: dialect.name }) };
}

function onlyOne(dialects: readonly Dialect[]): Dialect | undefined {
  return dialects.length === 1 ? dialects[0] : undefined;
}

function onlyOf(candidates: readonly CandidateFile[]): Dialect | undefined {
  return onlyOne([...new Set(candidates.flatMap(({ owners }) => owners))]);
}

function ofDialect(candidates: readonly CandidateFile[], dialect: Dialect | undefined): readonly CandidateFile[] {
  return candidates.filter(({ owners }) => dialect !== undefined && owners.includes(dialect));
}

function nothingFound(name: string, passed: readonly PassedFile[], own: Owned): Diagnostic {
  return {
    code: 'unreadable_file',
    severity: 'error',
    message: `The extension "${name}" has no hooks: ${passed.map(({ file, why }) => `${file} ${why}`).join(', ')}.`,
    remedy: 'Write { "hooks": { … } } to one of these files, or hand the hooks over as "hooks" of the extension.',
    ...own,
  };
}

function unreadFile(file: string, found: string, own: Owned): Diagnostic {
  return {
    code: 'unread_file',
    severity: 'warning',
    message: `This file has hooks, too, and is not read for them; those of the extension are read from ${found}.`,
    remedy: 'Move them there.',
    file,
    ...own,
  };
}
