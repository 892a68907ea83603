import type { DialectContext, SettingsLocation, StarterSettings } from '@tenterhook/protocol';
import { claimedByPlace, join, withSlashes } from '../../shared/paths.js';

export const folder = '.cursor';
export const hooksFile = `${folder}/hooks.json`;

/** Returns the settings file of the user. */
export function userFile(home: string): string {
  return join(home, hooksFile);
}

/** Returns the settings files: managed, project, user. The results of their hooks are merged in this order. */
export function locations(
  { projectDir, home, platform, environment }: DialectContext,
  managedFile: string | undefined,
): SettingsLocation[] {
  return [
    { source: 'managed', file: managedFile ?? getManagedFile(platform, environment) },
    { source: 'project', file: join(projectDir, hooksFile) },
    { source: 'user', file: userFile(home) },
  ];
}

/** Tests whether Cursor would read this file. A file in `.cursor` belongs to the folder that contains `.cursor`. */
export function claims(file: string, context: DialectContext, managedFile: string | undefined): { projectDir?: string } | undefined {
  const path = withSlashes(file);
  const [managed, , user] = locations(context, managedFile).map((location) => withSlashes(location.file));
  if (path === managed || path === user) return {};
  return claimedByPlace(file, hooksFile);
}

/** Returns the hooks file and the manifest of a plugin. Both may contain hooks. */
export function extensionFiles(directory: string): string[] {
  return [join(directory, 'hooks/hooks-cursor.json'), join(directory, '.cursor-plugin/plugin.json')];
}

function getManagedFile(platform: string, environment: DialectContext['environment']): string {
  if (platform === 'darwin') return '/Library/Application Support/Cursor/hooks.json';
  return platform === 'win32' ? `${environment['ProgramData'] ?? 'C:\\ProgramData'}\\Cursor\\hooks.json` : '/etc/cursor/hooks.json';
}

/** The settings that `tenterhook init` writes for a project. */
export const starter: StarterSettings = {
  file: hooksFile,
  script: '.cursor/hooks/guard.mjs',
  settings: {
    version: 1,
    hooks: { beforeShellExecution: [{ command: 'node .cursor/hooks/guard.mjs', timeout: 10, failClosed: true }] },
  },
};
