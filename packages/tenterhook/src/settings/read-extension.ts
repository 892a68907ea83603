import { type Diagnostic, type Dialect, isPlainObject, type SettingsDocument } from '@tenterhook/protocol';
import { extensionFilesSafely } from './contained-dialect.js';
import { type Extension, sourceOfExtension } from './extension.js';
import { foreignSpeakers } from './foreign-format.js';
import { documentOf, readDocument } from './read-document.js';
import { type DialectDocument, parseDocument, type ReadingOf, settleDocument, type Whose } from './read-settings-file.js';
import type { SettingsFile } from './settings-file.js';

export interface ReadExtension {
  readonly found?: DialectDocument;
  /** Those in its directory that were looked at; none where its hooks were handed in. */
  readonly files: readonly SettingsFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A file that may hold the hooks of an extension, and the dialects that would look there. */
type Candidates = ReadonlyMap<string, readonly Dialect[]>;

/** The files in which an extension without `hooks` may have them; all are watched, also those that another one stands before. */
export function filesOfExtension({ hooks, directory }: Extension, { dialects }: ReadingOf): string[] {
  return hooks !== undefined || directory === undefined ? [] : [...candidatesIn(directory, dialects).keys()];
}

/** The hooks of an extension: those that it was given with, else those of the first file in its directory that has some. */
export async function readExtension(extension: Extension, chosen: Dialect | undefined, reading: ReadingOf): Promise<ReadExtension> {
  const { hooks, directory } = extension;
  const named = reading.dialects.find(({ name }) => name === extension.dialect);
  const told = directory === undefined ? undefined : tellingDialect(directory, reading);
  if (hooks === undefined && directory !== undefined) {
    const only = named ?? told;
    return readFrom(candidatesIn(directory, only === undefined ? reading.dialects : [only]), extension, chosen, reading);
  }
  const document = documentOf({ hooks }, sourceOfExtension(extension));
  const known = named ?? [told, chosen].find((dialect) => dialect !== undefined && !isForeign(document, dialect, reading));
  return { found: parseDocument(document, { known, complete: completed(extension) }, reading), files: [], diagnostics: [] };
}

async function readFrom(
  candidates: Candidates,
  extension: Extension,
  chosen: Dialect | undefined,
  reading: ReadingOf,
): Promise<ReadExtension> {
  const files: SettingsFile[] = [];
  for (const [file, owners] of candidates) {
    const only = owners.length === 1 ? owners[0] : undefined;
    const place = { file, source: sourceOfExtension(extension) };
    const result = await readDocument(file, place.source, false);
    if (result.state === 'missing' || (result.state === 'read' && hasNoHooks(result.document))) {
      reading.lastGood.delete(`${place.source} ${file}`);
      files.push({ file, ...ownedBy(only, extension), state: result.state });
      continue;
    }
    const document = result.state === 'read' ? result.document : undefined;
    const isChosen = chosen !== undefined && owners.includes(chosen) && !(document !== undefined && isForeign(document, chosen, reading));
    const known = only ?? (isChosen ? chosen : undefined);
    const read = settleDocument(result, place, { known, among: owners, complete: completed(extension) }, reading);
    const own = ownedBy(read.found?.dialect ?? only, extension);
    files.push({ file, ...own, state: read.state });
    const diagnostics = read.diagnostics.map((diagnostic) => ({ ...diagnostic, ...own }));
    return { ...(read.found === undefined ? {} : { found: read.found }), files, diagnostics };
  }
  return { files, diagnostics: [nothingFound(extension, candidates, files)] };
}

function candidatesIn(directory: string, dialects: readonly Dialect[]): Candidates {
  const candidates = new Map<string, Dialect[]>();
  for (const dialect of dialects) {
    for (const file of extensionFilesSafely(dialect, directory)) candidates.set(file, [...(candidates.get(file) ?? []), dialect]);
  }
  return candidates;
}

/** The dialect to which a file belongs that no other one looks for: a manifest, say. Of a directory made for several agents nothing is told. */
function tellingDialect(directory: string, { dialects, context }: ReadingOf): Dialect | undefined {
  const own = [...candidatesIn(directory, dialects)].filter(([file, owners]) => owners.length === 1 && context.files.isFile(file));
  const told = new Set(own.flatMap(([, owners]) => owners));
  return told.size === 1 ? [...told][0] : undefined;
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

function ownedBy(dialect: Dialect | undefined, extension: Extension): { readonly source: string; readonly dialect?: string } {
  return { source: sourceOfExtension(extension, dialect), ...(dialect === undefined ? {} : { dialect: dialect.name }) };
}

/** A manifest that says nothing of hooks is a file like any other. What is no object says more than nothing, and its dialect says what. */
function hasNoHooks({ value }: SettingsDocument): boolean {
  return isPlainObject(value) && value['hooks'] === undefined;
}

function nothingFound(extension: Extension, candidates: Candidates, files: readonly SettingsFile[]): Diagnostic {
  const owners = new Set([...candidates.values()].flat());
  const dialect = owners.size === 1 ? [...owners][0] : undefined;
  const looked = files.map(({ file, state }) => `${file} ${state === 'missing' ? 'is not there' : 'has no "hooks"'}`);
  return {
    code: 'unreadable_file',
    severity: 'error',
    message: `The extension "${extension.name}" has no hooks: ${looked.join(', ')}.`,
    remedy: 'Write { "hooks": { … } } to one of these files, or hand the hooks over as "hooks" of the extension.',
    ...ownedBy(dialect, extension),
  };
}
