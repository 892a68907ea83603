import type { DialectContext, SettingsLocation, StarterSettings } from '@tenterhook/protocol';
import { claimedByPlace, isAbsolute, join, withSlashes } from '../../shared/paths.js';

/** The project's settings: the file that all developers share, and the file of one developer. */
export const projectFile = '.claude/settings.json';
export const localFile = '.claude/settings.local.json';

/**
 * Returns the settings files: project, local, user, managed. The results of their hooks are merged in this order. Hooks of skills,
 * subagents and plugins come from the host.
 */
export function locations(context: DialectContext, managedFile: string | undefined): SettingsLocation[] {
  return [
    { source: 'project', file: join(context.projectDir, projectFile) },
    { source: 'local', file: join(context.projectDir, localFile) },
    { source: 'user', file: join(userFolder(context), 'settings.json') },
    { source: 'managed', file: managedFile ?? getManagedFile(context.platform) },
  ];
}

/** Returns the folder of the user's settings. If `CLAUDE_CONFIG_DIR` is set, it is the whole path. */
export function userFolder({ environment, home }: Pick<DialectContext, 'environment' | 'home'>): string {
  const folder = environment['CLAUDE_CONFIG_DIR'] ?? '';
  return isAbsolute(folder) ? folder : join(home, '.claude');
}

/**
 * Tests whether Claude Code would read this file. A file in `.claude` belongs to Claude Code, even if other agents read it too
 * (decision 69). The project of the file is the parent of `.claude`. The user's own `.claude` has no project.
 */
export function claims(file: string, context: DialectContext, managedFile: string | undefined): { projectDir?: string } | undefined {
  const path = withSlashes(file);
  const [, , user, managed] = locations(context, managedFile).map((location) => withSlashes(location.file));
  if (path === user || path === managed) return {};
  return claimedByPlace(file, projectFile) ?? claimedByPlace(file, localFile);
}

/** Returns the hooks file and the manifest of a plugin. Both may contain hooks. */
export function extensionFiles(directory: string): string[] {
  return [join(directory, 'hooks/hooks.json'), join(directory, '.claude-plugin/plugin.json')];
}

function getManagedFile(platform: string): string {
  if (platform === 'darwin') return '/Library/Application Support/ClaudeCode/managed-settings.json';
  return platform === 'win32' ? 'C:\\Program Files\\ClaudeCode\\managed-settings.json' : '/etc/claude-code/managed-settings.json';
}

/** The settings that `tenterhook init` writes for a project. */
export const starter: StarterSettings = {
  file: projectFile,
  script: '.claude/hooks/guard.mjs',
  settings: {
    hooks: {
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: [{ type: 'command', command: 'node "$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.mjs', timeout: 10, onFailure: 'block' }],
        },
      ],
    },
  },
};
