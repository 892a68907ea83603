import type { DialectContext, SettingsLocation, StarterSettings } from '@tenterhook/protocol';
import { claimedByPlace, isAbsolute, join, withSlashes } from '../../shared/paths.js';

/** The settings file of a workspace. */
export const workspaceFile = '.eca/config.json';

/** Workspace, then user (decision 55). */
export function locations(context: DialectContext): [project: SettingsLocation, user: SettingsLocation] {
  return [
    { source: 'project', file: join(context.projectDir, workspaceFile) },
    { source: 'user', file: join(configFolder(context), 'eca/config.json') },
  ];
}

/** The folder for settings of programs, by the XDG base directory specification, which ignores a relative XDG_CONFIG_HOME. */
export function configFolder({ environment, home }: DialectContext): string {
  const folder = environment['XDG_CONFIG_HOME'] ?? '';
  return isAbsolute(folder) ? folder : join(home, '.config');
}

/**
 * ECA owns a file at a place where ECA looks for one. It belongs to the workspace whose `.eca` folder holds it. A folder `eca` alone is no
 * evidence, because other programs may have one; the folder that XDG_CONFIG_HOME names is known from the context.
 */
export function claims(file: string, context: DialectContext): { readonly projectDir?: string } | undefined {
  const path = withSlashes(file);
  const isUsers = `/${path}`.endsWith('/.config/eca/config.json') || path === withSlashes(locations(context)[1].file);
  return claimedByPlace(file, workspaceFile) ?? (isUsers ? {} : undefined);
}

/** The first settings of a workspace, in which its hooks run. */
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
