import type { DialectContext, SettingsLocation, StarterSettings } from '@tenterhook/protocol';
import { claimedByPlace, isAbsolute, join, withSlashes } from '../../shared/paths.js';

export const workspaceFile = '.eca/config.json';

/** Returns the settings files: first that of the workspace, then that of the user (decision 55). */
export function locations(context: DialectContext): [project: SettingsLocation, user: SettingsLocation] {
  return [
    { source: 'project', file: join(context.projectDir, workspaceFile) },
    { source: 'user', file: join(configFolder(context), 'eca/config.json') },
  ];
}

/**
 * Returns the folder for configuration files of the user, as the XDG specification defines it. It requires that a relative
 * XDG_CONFIG_HOME is ignored.
 */
export function configFolder({ environment, home }: DialectContext): string {
  const folder = environment['XDG_CONFIG_HOME'] ?? '';
  return isAbsolute(folder) ? folder : join(home, '.config');
}

/**
 * Tests whether ECA would read this file. A file in `.eca` belongs to the workspace that contains this folder. A folder named `eca`
 * is accepted only in `.config` or in XDG_CONFIG_HOME, because elsewhere it may belong to another program.
 */
export function claims(file: string, context: DialectContext): { readonly projectDir?: string } | undefined {
  const path = withSlashes(file);
  const isUsers = `/${path}`.endsWith('/.config/eca/config.json') || path === withSlashes(locations(context)[1].file);
  return claimedByPlace(file, workspaceFile) ?? (isUsers ? {} : undefined);
}

/** The settings that `tenterhook init` writes for a workspace. */
export const starter: StarterSettings = {
  file: workspaceFile,
  script: '.eca/hooks/guard.mjs',
  settings: {
    hooks: {
      guard: {
        type: 'preToolCall',
        matcher: 'eca__shell_command',
        onError: 'block',
        actions: [{ type: 'shell', shell: 'node .eca/hooks/guard.mjs', timeout: 10_000 }],
      },
    },
  },
};
