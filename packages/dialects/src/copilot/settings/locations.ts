import type { DialectContext, SettingsLocation, StarterSettings } from '@tenterhook/protocol';
import { claimedByPlace, isAbsolute, join, parentOf, withSlashes } from '../../shared/paths.js';

/** The folder of a project in which every file has hooks, and the settings of a project. */
export const projectFolder = '.github/hooks';
export const projectFiles = ['.github/copilot/settings.json', '.github/copilot/settings.local.json'] as const;
/** The file into which new hooks are written. */
export const newFile = 'hooks.json';

/** Returns the folder of the user's files. If `COPILOT_HOME` is set, it is the whole path. */
export function userFolder({ environment, home }: Pick<DialectContext, 'environment' | 'home'>): string {
  const written = environment['COPILOT_HOME'] ?? '';
  return isAbsolute(written) ? written : join(home, '.copilot');
}

/** Returns the settings files: policies, user, project. Hooks run one after another in this order. */
export function locations(context: DialectContext, managedFolder: string | undefined): SettingsLocation[] {
  const user = userFolder(context);
  const [shared, local] = projectFiles;
  return [
    inFolder('managed', managedFolder ?? getManagedFolder(context)),
    inFolder('user', join(user, 'hooks')),
    { source: 'user', file: join(user, 'settings.json') },
    inFolder('project', join(context.projectDir, projectFolder)),
    { source: 'project', file: join(context.projectDir, shared) },
    { source: 'local', file: join(context.projectDir, local) },
  ];
}

function inFolder(source: string, folder: string): SettingsLocation {
  return { source, folder, file: join(folder, newFile) };
}

/** Tests whether Copilot would read this file. */
export function claims(file: string, context: DialectContext, managedFolder: string | undefined): { projectDir?: string } | undefined {
  const path = withSlashes(file);
  const fixed = locations(context, managedFolder).filter(({ source }) => source === 'managed' || source === 'user');
  const folder = parentOf(file);
  const isIn = (one: string | undefined) => one !== undefined && folder !== undefined && withSlashes(one) === withSlashes(folder);
  const isJson = path.endsWith('.json');
  if (fixed.some((location) => withSlashes(location.file) === path || (isJson && isIn(location.folder)))) return {};
  for (const own of projectFiles) {
    const claimed = claimedByPlace(file, own);
    if (claimed !== undefined) return claimed;
  }
  const name = path.slice(path.lastIndexOf('/') + 1);
  return isJson && !name.startsWith('.') ? claimedByPlace(file, `${projectFolder}/${name}`) : undefined;
}

/** Returns the files of a plugin that may contain hooks. */
export function extensionFiles(directory: string): string[] {
  return [join(directory, 'hooks.json'), join(directory, 'hooks/hooks.json')];
}

function getManagedFolder({ platform, environment }: DialectContext): string {
  if (platform !== 'win32') return '/etc/github-copilot/policy.d';
  return `${environment['ProgramData'] ?? 'C:\\ProgramData'}\\GitHub\\Copilot\\policy.d`;
}

/** The settings that `tenterhook init` writes for a project. */
export const starter: StarterSettings = {
  file: `${projectFolder}/${newFile}`,
  script: '.github/hooks/guard.mjs',
  settings: {
    version: 1,
    hooks: { PreToolUse: [{ type: 'command', matcher: 'Bash', command: 'node .github/hooks/guard.mjs', timeoutSec: 10 }] },
  },
};
