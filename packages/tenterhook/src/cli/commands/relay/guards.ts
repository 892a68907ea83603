import { dirname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getMaxSettingsBytes } from '@tenterhook/engine/internal';
import type { HookExecutor, HookSource } from '@tenterhook/protocol';
import { type Guard, type GuardSettings, noGuardSettings, readGuardSettings } from '@tenterhook/relay';
import { describeThrown } from '@tenterhook/runtime/text';
import type { AddedSettings } from '../../../settings/load-settings.js';
import { documentOfText } from '../../../settings/read/read-document.js';
import { readRegularFile } from '../../../settings/read/read-regular-file.js';
import { dialects, relayedDialects } from './relayed-agent.js';

/** The guards of the user and of the project, as the system that runs them needs them. */
export interface FoundGuards {
  readonly settings: GuardSettings;
  readonly guards: readonly AddedSettings[];
  /** Absolute paths of modules that export an engine. */
  readonly modules: readonly string[];
  /** Why some guards do not run, as sentences. */
  readonly problems: readonly string[];
}

/** Where the lists of guards are. */
export interface GuardPlaces {
  readonly projectDir: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Returns the path of the user's list of guards. */
export function guardFile({ home, environment }: Omit<GuardPlaces, 'projectDir'>): string {
  const folder = environment['XDG_CONFIG_HOME'] ?? '';
  return join(isAbsolute(folder) ? folder : join(home, '.config'), 'tenterhook/relay.json');
}

/** Returns the path of the project's list of guards. They run only if the user trusts them. */
export function projectGuardFile(projectDir: string): string {
  return join(projectDir, '.tenterhook/relay.json');
}

/** Reads both lists of guards. */
export async function findGuards(agent: string, places: GuardPlaces): Promise<FoundGuards> {
  const [userFile, projectFile] = [guardFile(places), projectGuardFile(places.projectDir)];
  const settings = await readList(userFile, agent, false);
  const ofProject = await readList(projectFile, agent, true);
  const path = (file: string, list: string) => (file.startsWith('~/') ? join(places.home, file.slice(2)) : resolve(dirname(list), file));
  const added = (guards: readonly Guard[], list: string, source: AddedSettings['source']) =>
    guards.flatMap((guard): AddedSettings[] => {
      if (guard.kind === 'module') return [];
      const { dialect, settings: given } = guard;
      return [{ dialect, source, settings: typeof given === 'string' ? path(given, list) : given }];
    });
  return {
    settings,
    modules: settings.guards.flatMap((guard) => (guard.kind === 'module' ? [path(guard.file, userFile)] : [])),
    problems: [...settings.problems, ...ofProject.problems],
    guards: [...added(settings.guards, userFile, 'settings'), ...added(ofProject.guards, projectFile, 'project')],
  };
}

async function readList(file: string, agent: string, isOfRepository: boolean): Promise<GuardSettings> {
  let text: string;
  try {
    const found = await readRegularFile(file, getMaxSettingsBytes(isOfRepository ? 'project' : 'user'));
    if ('problem' in found) return { ...noGuardSettings, problems: [`${file}: ${found.problem} ${found.remedy}`] };
    text = found.text;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return noGuardSettings;
    return { ...noGuardSettings, problems: [`${file} cannot be read: ${describeThrown(error)}.`] };
  }
  const read = documentOfText(text.replace(/^\uFEFF/, ''), file, 'user');
  if (read.state !== 'read') return { ...noGuardSettings, problems: [`${file} is not valid JSON.`] };
  const namesOf = (known: readonly { readonly name: string }[]) => known.map(({ name }) => name);
  return readGuardSettings(read.document.value, file, {
    agent,
    agents: namesOf(relayedDialects),
    dialects: namesOf(dialects),
    isOfRepository,
  });
}

/** Engines of handlers, and why others are missing, as sentences. */
export interface ImportedEngines {
  readonly engines: readonly (HookSource & HookExecutor)[];
  readonly problems: readonly string[];
}

/** Imports modules of guards. */
export async function importEngines(modules: readonly string[]): Promise<ImportedEngines> {
  const engines: (HookSource & HookExecutor)[] = [];
  const problems: string[] = [];
  for (const file of modules) {
    try {
      engines.push(await importEngine(pathToFileURL(file).href));
    } catch (error) {
      problems.push(`The module ${file} of the list of guards cannot be used: ${describeThrown(error)}`);
    }
  }
  return { engines, problems };
}

async function importEngine(url: string): Promise<HookSource & HookExecutor> {
  const module = (await import(url)) as Readonly<Record<string, unknown>>;
  const engine = [module['default'], ...Object.values(module)].find(isEngine);
  if (engine === undefined) throw new TypeError('it must export a HookEngine');
  return engine;
}

function isEngine(value: unknown): value is HookSource & HookExecutor {
  const { hooksFor, run } = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
  return typeof hooksFor === 'function' && typeof run === 'function';
}
