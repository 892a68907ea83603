import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import {
  type CombinedSettings,
  type Diagnostic,
  type Dialect,
  type DialectContext,
  formatDiagnostic,
  type HookDefinition,
  type ParsedSettings,
  type SettingsDocument,
  type SettingsLocation,
} from '@tenterhook/protocol';
import { saysNothing } from './insert-json.js';

/**
 * How settings files are read. The caller passes these functions, so that a migration reads files in the same way as the program that runs
 * the hooks.
 */
export interface SettingsReader {
  /** Reads a regular file, or returns why it cannot. Rejects with errors of the file system. */
  readText(file: string, source: string): Promise<{ readonly text: string } | { readonly problem: string }>;
  /** `required`: true if a missing file is an error, not `missing`. */
  readDocument(file: string, source: string, required: boolean): Promise<ReadSettings>;
  documentOfText(text: string, file: string, source: string): ReadSettings;
  /** Combines the documents of a dialect into one set of hooks, and applies their switches. */
  combine(dialect: Dialect, parsed: readonly ParsedSettings[]): CombinedSettings;
}

export type ReadSettings =
  | { readonly state: 'read'; readonly document: SettingsDocument }
  | { readonly state: 'missing' }
  | { readonly state: 'broken'; readonly diagnostics: readonly Diagnostic[] };

/** A settings file before anything is added to it. */
export type TargetFile =
  | {
      readonly state: 'missing' | 'read';
      /** The path of the file after all links were resolved. */
      readonly realFile: string;
      /** `''` if the file does not exist. */
      readonly text: string;
      /** The parsed file. Absent if it has no content. */
      readonly document?: SettingsDocument;
    }
  | { readonly state: 'refused'; readonly problem: string };

/**
 * Reads the file to which hooks would be added. Refuses a file that cannot be changed without risk, such as a link to a place outside of
 * the project.
 */
export async function readTarget(location: SettingsLocation, projectDir: string, reader: SettingsReader): Promise<TargetFile> {
  try {
    return await lookAt(location, projectDir, reader);
  } catch (error) {
    // For example, a folder in the path is a file, a link leads to itself, or a folder is not readable.
    return { state: 'refused', problem: `The file cannot be read: ${(error as Error).message}.` };
  }
}

async function lookAt({ file, source }: SettingsLocation, projectDir: string, reader: SettingsReader): Promise<TargetFile> {
  const real = realFileOf(file);
  if (real === undefined) return { state: 'refused', problem: 'The file is a link to a file that does not exist.' };
  if (source !== 'user' && !isWithin(real, realFileOf(projectDir) ?? projectDir)) {
    // Refused, because otherwise the migration would follow a link of a repository and write to a file anywhere on the machine.
    return { state: 'refused', problem: `The file is a link to ${real}, which is outside of the project.` };
  }
  const stats = statSync(real, { throwIfNoEntry: false });
  if (stats === undefined) return { state: 'missing', realFile: real, text: '' };
  // `access()` was rejected: for root it permits writing to every file.
  if ((stats.mode & 0o222) === 0) return { state: 'refused', problem: 'It is read-only.' };
  return readText(real, file, source, reader);
}

async function readText(realFile: string, file: string, source: string, reader: SettingsReader): Promise<TargetFile> {
  const read = await reader.readText(realFile, source);
  if ('problem' in read) return { state: 'refused', problem: read.problem };
  const { text } = read;
  if (text.includes('\uFFFD'))
    return { state: 'refused', problem: 'The file contains bytes that are not valid UTF-8. They would be lost.' };
  if (saysNothing(text.replace(/^\uFEFF/, ''))) return { state: 'read', realFile, text };
  const result = await reader.readDocument(file, source, true);
  if (result.state === 'read') return { state: 'read', realFile, text, document: result.document };
  const problem = result.state === 'broken' ? result.diagnostics.map(formatDiagnostic).join(' ') : 'The file no longer exists.';
  return { state: 'refused', problem };
}

/** Resolves the links in a path, even if the file or its folder does not exist yet. Returns undefined for a link to a missing file. */
function realFileOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
    const folder = dirname(path);
    const real = folder === path ? path : realFileOf(folder);
    return real === undefined ? undefined : join(real, path.slice(folder.length));
  }
}

function isWithin(file: string, folder: string): boolean {
  const path = relative(folder, file);
  return path !== '..' && !path.startsWith(`..${sep}`);
}

/** The file to which a hook would be added, or why there is none. */
type TargetPlace = SettingsLocation | { readonly cannot: string };

/** The levels that an administrator manages. No hooks are written there. */
const administrators = ['system', 'managed'];

/**
 * Returns a function that finds the target file for a hook. A hook in the project's file is added to the project's file, a hook in the
 * user's file to the user's file.
 */
export function targetPlaces(from: Dialect, to: Dialect, context: DialectContext): (hook: HookDefinition) => TargetPlace {
  const origins = from.locations(context);
  const targets = to.locations(context);
  const agent = to.agent ?? to.name;
  return (hook) => {
    const level = levelOf(hook, origins);
    const [place] = targets.filter(({ source }) => source === level);
    if (administrators.includes(level)) return { cannot: 'The hook is in the settings of an administrator, which are not migrated.' };
    if (place !== undefined) return place;
    if (level === 'local') {
      const shared = targets.map(({ source, file }) => `${file} (${source})`).join(' or ');
      const remedy = `Write the hook into ${shared} yourself, or move it to another level first.`;
      return { cannot: `${agent} has no private project settings. ${remedy}` };
    }
    return { cannot: `${agent} has no settings of the level "${level}".` };
  };
}

/**
 * Returns the level of a hook: `project`, `user` … If the user named the settings file on the command line, its path determines the level.
 * The level is `project` if the path is not one of the dialect's locations.
 */
function levelOf({ source, file }: HookDefinition, origins: readonly SettingsLocation[]): string {
  const [place] = origins.filter((origin) => origin.file === file);
  if (place !== undefined) return origins.some((origin) => origin.file === file && origin.source === source) ? source : place.source;
  return /^settings(?::|$)/.test(source) ? 'project' : source;
}
