import type { Diagnostic, Dialect, SettingsDocument } from '@tenterhook/protocol';
import { toDocument } from '../read/read-document.js';
import {
  type DialectDocument,
  parseDocument,
  type ReadingOf,
  type SettingsFile,
  settleDocument,
  type Whose,
} from '../read/read-settings-file.js';
import { findForeignDialects, recogniseDialect } from '../read/recognise-dialect.js';
import { type Extension, getExtensionSource } from './extension.js';
import { type CandidateFile, findCandidates, findLookalikes, findOwner } from './extension-files.js';
import { findHooksFiles, type HooksPart, type LookedAt } from './find-hooks-files.js';

export interface ReadExtension {
  readonly found: readonly DialectDocument[];
  /** The files in the directory that were examined. Empty if the agent passed the hooks. */
  readonly files: readonly SettingsFile[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ExtensionReading extends ReadingOf {
  /** The dialect of all settings, if the caller named one. */
  readonly chosen: Dialect | undefined;
  /** Called for each file before the file is read. */
  readonly onLook: (file: string) => Promise<void>;
}

/** The extension that a diagnostic is about. */
interface Owned {
  readonly source: string;
  readonly dialect?: string;
}

/** Reads the hooks of an extension: those that the agent passed, or those of all files in its directory. */
export async function readExtension(extension: Extension, reading: ExtensionReading): Promise<ReadExtension> {
  const { hooks, directory } = extension;
  const named = reading.dialects.find((dialect) => dialect.name === extension.dialect);
  const found = directory === undefined ? undefined : findOwner(directory, reading, reading.chosen);
  const source = getExtensionSource(extension);
  if (hooks !== undefined || directory === undefined) {
    const document = toDocument({ hooks }, source);
    const known = named ?? [found, reading.chosen].find((dialect) => dialect !== undefined && !isForeign(document, dialect, reading));
    return { found: [parseDocument(document, { known, complete: completed(extension) }, reading)], files: [], diagnostics: [] };
  }
  const only = named ?? found;
  const candidates = findCandidates(directory, only === undefined ? reading.dialects : [only], reading.chosen);
  const looked = await findHooksFiles(candidates, { ...reading, directory, source });
  const read = readFiles(looked, extension, reading);
  const own = ownedBy(read.dialect ?? onlyOf(candidates), extension);
  const lookalikes = await findLookalikes(directory, candidates, reading);
  const diagnostics = [...read.diagnostics, ...lookalikes.map((lookalike) => unreadLookalike(lookalike, own))];
  // "No hooks" is reported only if no other problem explains it.
  if (read.found.length === 0 && read.diagnostics.length === 0) diagnostics.unshift(nothingFound(extension.name, looked, own));
  return { ...read, diagnostics };
}

/** Reads all files in one format: that of the first file with hooks. Files that only other formats look for are ignored. */
function readFiles(looked: readonly LookedAt[], extension: Extension, reading: ExtensionReading) {
  const found: DialectDocument[] = [];
  const files: SettingsFile[] = [];
  const diagnostics: Diagnostic[] = [];
  let dialect: Dialect | undefined;
  let hasHooks = false;
  for (const entry of looked) {
    const { file, owners, state, namedAt } = entry;
    if (dialect !== undefined && !owners.includes(dialect)) continue;
    const misplaced = misplacedIn(entry, dialect, extension, reading);
    const parts = misplaced === undefined ? entry.parts : [misplaced];
    const read = parts.map((part) => readPart(part, owners, misplaced?.dialect ?? dialect, extension, reading));
    dialect ??= read.map((part) => part.found?.dialect).find((of) => of !== undefined);
    const own = ownedBy(dialect ?? onlyOne(owners), extension);
    found.push(...read.flatMap((part) => part.found ?? []));
    const said = [...entry.diagnostics, ...read.flatMap((part) => part.diagnostics)];
    const isUnusable = parts.length === 0 && (namedAt !== undefined || entry.state === 'broken') && entry.named === 0;
    diagnostics.push(...said.map((diagnostic) => ({ ...diagnostic, ...own })), ...(isUnusable ? [unusableNamed(entry, own)] : []));
    // A missing file is not reported if no manifest names it and another file has hooks.
    if (state === 'missing' && hasHooks && namedAt === undefined) continue;
    hasHooks ||= parts.length > 0;
    files.push({ file, ...own, state: read.find((part) => part.state === 'broken')?.state ?? state });
  }
  return { found, files, diagnostics, dialect };
}

function readPart(
  part: HooksPart,
  owners: readonly Dialect[],
  dialect: Dialect | undefined,
  extension: Extension,
  reading: ExtensionReading,
) {
  const { chosen } = reading;
  const document = part.result.state === 'read' ? part.result.document : undefined;
  const isChosen = chosen !== undefined && owners.includes(chosen) && !(document !== undefined && isForeign(document, chosen, reading));
  const known = dialect ?? onlyOne(owners) ?? (isChosen ? chosen : undefined);
  return settleDocument(part.result, part.key, { known, among: owners, complete: completed(extension) }, reading);
}

/** Reports events that are written next to "hooks" instead of inside it. The message of the dialect says where to write them. */
function misplacedIn(
  { without, owners }: LookedAt,
  dialect: Dialect | undefined,
  extension: Extension,
  reading: ExtensionReading,
): (HooksPart & { readonly dialect: Dialect }) | undefined {
  if (without === undefined) return undefined;
  const meant = { ...without, value: { hooks: without.value } };
  const of = dialect ?? onlyOne(owners) ?? recogniseDialect(meant, owners, reading.context).dialect;
  const document = completed(extension)(without, of);
  const isMisplaced = of.parse(document, reading.context).diagnostics.some(({ code }) => code === 'misplaced_hooks');
  if (!isMisplaced) return undefined;
  return { key: `${without.source} ${without.file}`, result: { state: 'read', document: without, diagnostics: [] }, dialect: of };
}

/**
 * Tests whether hooks are clearly written in another format than expected. Their content then decides the format. The manifest, and the
 * format that the caller named, are ignored.
 */
function isForeign(document: SettingsDocument, dialect: Dialect, { dialects, context }: ReadingOf): boolean {
  return findForeignDialects(document, dialect, dialects, context).length > 0;
}

function completed(extension: Extension): NonNullable<Whose['complete']> {
  const { directory, frontMatterOf } = extension;
  return (document, dialect) => ({
    ...document,
    source: getExtensionSource(extension, dialect),
    ...(directory === undefined ? {} : { directory }),
    ...(frontMatterOf === undefined ? {} : { frontMatterOf }),
  });
}

function ownedBy(dialect: Dialect | undefined, extension: Extension): Owned {
  return { source: getExtensionSource(extension, dialect), ...(dialect === undefined ? {} : { dialect: dialect.name }) };
}

function onlyOne(dialects: readonly Dialect[]): Dialect | undefined {
  return dialects.length === 1 ? dialects[0] : undefined;
}

function onlyOf(candidates: readonly CandidateFile[]): Dialect | undefined {
  return onlyOne([...new Set(candidates.flatMap(({ owners }) => owners))]);
}

function nothingFound(name: string, looked: readonly LookedAt[], own: Owned): Diagnostic {
  return {
    code: 'unreadable_file',
    severity: 'error',
    message: `The extension "${name}" has no hooks: ${looked.map(({ file, why }) => `${file} ${why}`).join(', ')}.`,
    remedy: 'Write { "hooks": { … } } to one of these files, or pass the hooks as "hooks" of the extension.',
    ...own,
  };
}

/**
 * Reports a named file that cannot be used. If a manifest names the file, the diagnostic has the position of the name, because the manifest
 * must be fixed. Otherwise it has the position of the file.
 */
function unusableNamed({ file, why, namedAt, remedy }: LookedAt, own: Owned): Diagnostic {
  const { text, ...place } = namedAt ?? { text: undefined, file };
  return {
    code: 'unreadable_file',
    severity: 'error',
    message: `${text === undefined ? 'This file' : `"${text}"`} ${why}; hooks in it do not run.`,
    remedy:
      remedy ?? (text === undefined ? 'Replace the link with the file.' : 'Name a file in the extension that contains { "hooks": { … } }.'),
    ...place,
    ...own,
  };
}

function unreadLookalike({ file, insteadOf }: { readonly file: string; readonly insteadOf: string }, own: Owned): Diagnostic {
  return {
    code: 'unread_file',
    severity: 'warning',
    message: `This file is not read; the hooks of the extension are read from ${insteadOf}.`,
    remedy: 'Move them there.',
    file,
    ...own,
  };
}
