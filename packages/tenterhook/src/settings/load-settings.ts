import { combineSettings, limitDiagnostics } from '@tenterhook/engine/internal';
import type { Diagnostic, Dialect, HookDefinition, ParsedSettings } from '@tenterhook/protocol';
import { duplicateHooks } from './checks/duplicate-hooks.js';
import { findRefusedAddresses } from './checks/private-addresses.js';
import { repeatedCommands } from './checks/repeated-commands.js';
import { type AgentTool, unmatchedMatchers } from './checks/unmatched-matchers.js';
import { checkHome, checkProject, filesAt, findUnreadFiles, getLocations } from './discover/locations.js';
import type { Extension } from './extensions/extension.js';
import { getExtensionFiles } from './extensions/extension-files.js';
import { readExtension } from './extensions/read-extension.js';
import type { FileOwners } from './read/file-owners.js';
import { toDocument } from './read/read-document.js';
import { type DialectDocument, parseDocument, type ReadingOf, readSettingsFile, type SettingsFile } from './read/read-settings-file.js';
import { dialectsOfFile } from './read/recognise-dialect.js';
import { type FileStamps, getStamp } from './watch/file-stamps.js';

/** Where settings are read from: the files where the dialects look, or the settings that the caller passed. */
export interface SettingsRequest extends Omit<ReadingOf, 'owners'> {
  /** The absolute paths of settings files, and settings as objects. If present, no files are discovered. */
  readonly given?: readonly (string | object)[];
  /** Settings that are read in addition, with the source that decides about their trust. @default none */
  readonly guards?: readonly AddedSettings[];
  /** Whether to look for settings files, if there is no `given`. @default true */
  readonly discovers?: boolean;
  /** The dialect of `given`. @default determined for each file and object */
  readonly dialect?: string;
  readonly extensions: readonly Extension[];
  /** The tools of the agent, with which matchers are compared. @default matchers are not checked */
  readonly toolNames?: readonly AgentTool[];
  /** The private addresses that http hooks may call, as in `HttpOptions`. */
  readonly allowedAddresses?: boolean | readonly string[];
  /** Variables that http hooks of a repository may send in headers, in addition to those that the user's settings list. @default none */
  readonly headerVariables?: readonly string[];
  /** What the policy of the administrator requires of the hooks of all formats. @default there is no policy */
  readonly policy?: ParsedSettings | undefined;
  /** Creates the owner check for one reading of the settings. @default every owner is trusted */
  readonly openOwners?: (() => FileOwners) | undefined;
  /** Whether to check the scripts that commands start. Takes too long for the start of an agent. @default false */
  readonly checksScripts?: boolean;
}

/** Settings that a caller adds to those that were found. */
export interface AddedSettings {
  readonly dialect: string;
  /** An absolute path, or the settings themselves. */
  readonly settings: string | object;
  readonly source: 'settings' | 'project';
}

export interface LoadedSettings {
  readonly hooks: readonly HookDefinition[];
  readonly off: readonly { readonly hook: HookDefinition; readonly reason: string }[];
  readonly diagnostics: readonly Diagnostic[];
  readonly files: readonly SettingsFile[];
  /** The stamp of each file before it was read, and of each folder before it was listed. Missing files have stamps too. */
  readonly stamps: FileStamps;
}

/** Reads the settings of all dialects into one set of hooks. Never throws because of a file's content. */
export async function loadSettings({ openOwners, ...given }: SettingsRequest): Promise<LoadedSettings> {
  const request = { ...given, owners: openOwners?.() };
  const files: SettingsFile[] = [];
  const diagnostics: Diagnostic[] = [];
  const documents: DialectDocument[] = [];
  const stamps = new Map<string, string>();
  const chosen = request.dialects.find((dialect) => dialect.name === request.dialect);

  // `push(...said)` would throw for a file with very many problems: a call can have only a limited number of arguments.
  const report = (said: readonly Diagnostic[]) => {
    for (const diagnostic of said) diagnostics.push(diagnostic);
  };

  const add = (document: DialectDocument) => {
    report(document.notes);
    documents.push(document);
  };

  const stamp = async (file: string) => {
    if (!stamps.has(file)) stamps.set(file, await getStamp(file));
  };

  const read = async (file: string, source: string, required: boolean, known: Dialect | undefined) => {
    // The stamp is taken before the file is read, so that a change during the reading is noticed. If a file is read twice, the earlier
    // stamp is kept.
    await stamp(file);
    const { state, found, diagnostics: said } = await readSettingsFile({ file, source }, required, { known }, request);
    const dialect = named(found?.dialect ?? known);
    report(said.map((diagnostic) => ({ ...dialect, ...diagnostic })));
    if (found !== undefined) add(found);
    files.push({ file, source, ...dialect, state });
  };

  if (request.given === undefined && request.discovers !== false) {
    report(checkProject(request.context.projectDir));
    const looking = chosen === undefined ? request.dialects : [chosen];
    report(checkHome(looking, request.context));
    for (const dialect of looking) {
      for (const location of getLocations(dialect, request.context)) {
        if (location.folder !== undefined) await stamp(location.folder);
        const { files: found, problems } = filesAt(location);
        report(problems.map((problem) => ({ dialect: dialect.name, ...problem })));
        for (const file of found) await read(file, location.source, false, dialect);
      }
    }
    report(await findUnreadFiles(looking, request.context, (file, among) => dialectsOfFile(file, among, request.context)));
    if (request.isCommandLine && chosen === undefined) {
      const { findOtherAgentsFiles } = await import('./discover/other-agents.js');
      report(findOtherAgentsFiles(request.dialects, request.context, diagnostics));
    }
  } else {
    const { given = [] } = request;
    for (const [index, settings] of given.entries()) {
      const source = given.length === 1 ? 'settings' : `settings:${index + 1}`;
      if (typeof settings === 'string') await read(settings, source, true, chosen);
      else add(parseDocument(toDocument(settings, source), { known: chosen }, request));
    }
  }
  for (const { dialect, settings, source } of request.guards ?? []) {
    const known = request.dialects.find(({ name }) => name === dialect);
    if (typeof settings === 'string') await read(settings, source, true, known);
    else add(parseDocument(toDocument(settings, source), { known }, request));
  }
  for (const extension of request.extensions) {
    if (extension.active === false) continue;
    for (const file of getExtensionFiles(extension, request)) await stamp(file);
    const { found, files: looked, diagnostics: said } = await readExtension(extension, { ...request, chosen, onLook: stamp });
    report(said);
    files.push(...looked);
    for (const document of found) add(document);
  }
  return { files, stamps, ...(await combine(request, documents, diagnostics)) };
}

async function combine(
  request: Omit<SettingsRequest, 'openOwners'>,
  documents: readonly DialectDocument[],
  diagnostics: readonly Diagnostic[],
): Promise<Omit<LoadedSettings, 'files' | 'stamps'>> {
  const settings = request.dialects.map((dialect) => ({
    dialect,
    parsed: documents.filter((entry) => entry.dialect === dialect).map((entry) => entry.parsed),
  }));
  const combined = combineSettings(settings, request);
  const { hooks, off } = combined;
  const unmatched = (request.toolNames === undefined ? [] : settings).flatMap(({ dialect, parsed }) => {
    const reported = new Set(parsed.flatMap((entry) => entry.diagnostics.flatMap((diagnostic) => reportedGroup(diagnostic) ?? [])));
    const unsaid = hooks.filter((hook) => hook.dialect === dialect.name && !reported.has(groupOf(hook)));
    return unmatchedMatchers(unsaid, dialect, request.toolNames ?? [], request.context.projectDir);
  });
  const found = [
    ...diagnostics,
    ...settings.flatMap(({ parsed }) => parsed.flatMap((entry) => entry.diagnostics)),
    ...combined.diagnostics,
    ...unmatched,
    ...(await findRefusedAddresses(hooks, request.allowedAddresses)),
    ...duplicateHooks(hooks),
    ...(await repeatedCommands(hooks, request.dialects, request.context)),
  ];
  if (!request.checksScripts) return { hooks, off, diagnostics: limitDiagnostics(found) };
  const { checkScripts } = await import('./checks/scripts/check-scripts.js');
  return { hooks, off, diagnostics: limitDiagnostics([...found, ...checkScripts(hooks, request.dialects, request.context, found)]) };
}

/**
 * Returns the hook group whose unmatched matcher this diagnostic of a dialect reports. Our own check then skips the group, so that it is
 * not reported twice. The remedy of the dialect is better, because the dialect knows the tool names of other agents.
 */
function reportedGroup({ code, path, file, source }: Diagnostic): string | undefined {
  return code === 'unmatched_matcher' && path !== undefined ? JSON.stringify([source, file, path.replace(/\.matcher$/, '')]) : undefined;
}

/** Returns the group of a hook: the path of the hook without its last step. */
function groupOf({ path, file, source }: HookDefinition): string {
  return JSON.stringify([source, file, path?.replace(/\.[^.]*$/, '')]);
}

function named(dialect: Dialect | undefined): { dialect?: string } {
  return dialect === undefined ? {} : { dialect: dialect.name };
}
