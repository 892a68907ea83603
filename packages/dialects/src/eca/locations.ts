import type { DialectContext, SettingsLocation } from '@tenterhook/protocol';
import { isAbsolute, join } from '../shared/paths.js';

/** Where a workspace holds its settings. */
export const workspaceFile = '.eca/config.json';

/** Workspace, then user (decision 55). A relative XDG_CONFIG_HOME counts as none, as its own specification has it. */
export function locations(context: DialectContext): [project: SettingsLocation, user: SettingsLocation] {
  return [
    { source: 'project', file: join(context.projectDir, workspaceFile) },
    { source: 'user', file: join(configFolder(context), 'eca/config.json') },
  ];
}

/** The folder for settings of programs, by the XDG base directory specification. */
export function configFolder({ environment, home }: DialectContext): string {
  const folder = environment['XDG_CONFIG_HOME'] ?? '';
  return isAbsolute(folder) ? folder : join(home, '.config');
}

/**
 * A file is ECA's when it lies where ECA would look; it belongs to the workspace whose `.eca` folder holds it. A folder `eca` alone says
 * nothing, because anybody may have one: the one that XDG_CONFIG_HOME moves is known by the context.
 */
export function claims(file: string, context: DialectContext): { projectDir?: string } | undefined {
  const path = withSlashes(file);
  if (path === workspaceFile) return { projectDir: '.' };
  if (path.endsWith(`/${workspaceFile}`)) return { projectDir: file.slice(0, -workspaceFile.length - 1) || '/' };
  return `/${path}`.endsWith('/.config/eca/config.json') || path === withSlashes(locations(context)[1].file) ? {} : undefined;
}

function withSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}
