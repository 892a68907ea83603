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
 * How settings files are read. The caller passes these functions, so that a migration reads files exactly as the program that runs
 * the hooks.
 */
export interface SettingsReader {
  /** Reads a regular file, or returns why it cannot be read. Rejects on errors of the file system. */
  readText(file: string, source: string): Promise<{ readonly text: string } | { readonly problem: string }>;
  /** With `required`, a missing file is an error. Otherwise the result is `missing`. */
  readDocument(file: string, source: string, required: boolean): Promise<ReadSettings>;
  documentOfText(text: string, file: string, source: string): ReadSettings;
  /** Combines the documents of a dialect into one set of hooks, and applies their switches. */
  combine(dialect: Dialect, parsed: readonly ParsedSettings[]): CombinedSettings;
}

export type ReadSettings =
  | { readonly state: 'read'; readonly document: SettingsDocument }
  | { readonly state: 'missing' }
  | { readonly state: 'broken'; readonly diagnostics: readonly Diagnostic[] };

export type TargetFile =
  | {
      readonly state: 'missing' | 'read';
      /** The path after all links were resolved. */
      readonly realFile: string;
      /** The content, or `''` if the file does not exist. */
      readonly text: string;
      /** The parsed file. Missing if the file has no content. */
      readonly document?: SettingsDocument;
    }
  | { readonly state: 'refused'; readonly problem: string };

/**
 * Reads the file to which hooks would be added. Refuses a file that is not safe to change, such as a link to a place outside the
 * project.
 */
export async function readTarget(location: SettingsLocation, projectDir: string, reader: SettingsReader): Promise<TargetFile> {
  try {
    return await lookAt(location, projectDir, reader);
  } catch (error) {
    // For example, the path contains a file instead of a folder, a link leads to itself, or a folder is not readable.
    return { state: 'refused', problem: `The file cannot be read: ${(error as Error).message}.` };
  }
}

async function lookAt({ file, source }: SettingsLocation, projectDir: string, reader: SettingsReader): Promise<TargetFile> {
  const real = realFileOf(file);
  if (real === undefined) return { state: 'refused', problem: 'The file is a link to a file that does not exist.' };
  if (source !== 'user' && !isWithin(real, realFileOf(projectDir) ?? projectDir)) {
    // A link of a repository could otherwise make the migration write to any file of the user.
    return { state: 'refused', problem: `The file is a link to ${real}, which is outside of the project.` };
  }
  const stats = statSync(real, { throwIfNoEntry: false });
  if (stats === undefined) return { state: 'missing', realFile: real, text: '' };
  // `access()` was rejected: for root it allows every file.
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

/**
 * Resolves the links in a path, even if the file or its folder does not exist yet. Returns undefined for a link to a missing file.
 */
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

type TargetPlace = SettingsLocation | { readonly cannot: string };

/** The levels of settings that belong to an administrator. No hooks are written there. */
const administrators = ['system', 'managed'];

/**
 * Returns a function that finds the target file for a hook. The file has the level of the hook: a hook in the project's file is
 * added to the project's file of the other agent.
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
 * Returns the level of a hook, e.g. `project`, `user`. For a file that was named on the command line, the path determines the
 * level. The level is `project` if the path is not one of the dialect's locations.
 */
function levelOf({ source, file }: HookDefinition, origins: readonly SettingsLocation[]): string {
  const at = origins.filter((origin) => origin.file === file || (file !== undefined && origin.folder === dirname(file)));
  const [place] = at;
  if (place !== undefined) return at.some((origin) => origin.source === source) ? source : place.source;
  return /^settings(?::|$)/.test(source) ? 'project' : source;
}
