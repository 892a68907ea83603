import type { DialectContext, SettingsLocation, StarterSettings } from '@tenterhook/protocol';
import { claimedByPlace, isAbsolute, join, withSlashes } from '../../shared/paths.js';

export const folder = '.codex';
/** The files with hooks in the folder of a project, or of the user. */
export const hooksFile = 'hooks.json';
export const configFile = 'config.toml';
const pluginManifest = '.codex-plugin/plugin.json';

/** Returns the settings files: project, user, managed. The results of their hooks are merged in this order. */
export function locations(context: DialectContext, managedFile: string | undefined): SettingsLocation[] {
  const project = join(context.projectDir, folder);
  const user = userFolder(context);
  return [
    { source: 'project', file: join(project, hooksFile) },
    { source: 'project', file: join(project, configFile) },
    { source: 'user', file: join(user, hooksFile) },
    { source: 'user', file: join(user, configFile) },
    { source: 'managed', file: managedFile ?? getManagedFile(context) },
  ];
}

/** Returns the folder of the user's settings. If `CODEX_HOME` is set, it is the whole path. */
export function userFolder({ environment, home }: Pick<DialectContext, 'environment' | 'home'>): string {
  const written = environment['CODEX_HOME'] ?? '';
  return isAbsolute(written) ? written : join(home, folder);
}

/** Tests whether Codex would read this file. A file in `.codex` belongs to the folder that contains `.codex`. */
export function claims(file: string, context: DialectContext, managedFile: string | undefined): { projectDir?: string } | undefined {
  const path = withSlashes(file);
  const [, , ...fixed] = locations(context, managedFile).map((location) => withSlashes(location.file));
  if (fixed.includes(path)) return {};
  return claimedByPlace(file, `${folder}/${hooksFile}`) ?? claimedByPlace(file, `${folder}/${configFile}`);
}

/** Returns the manifest and the hooks file of a plugin. Both may contain hooks. */
export function extensionFiles(directory: string): string[] {
  return [join(directory, pluginManifest), join(directory, 'hooks/hooks.json')];
}

function getManagedFile({ platform, environment }: DialectContext): string {
  if (platform !== 'win32') return '/etc/codex/requirements.toml';
  return `${environment['ProgramData'] ?? 'C:\\ProgramData'}\\OpenAI\\Codex\\requirements.toml`;
}

/** The settings that `tenterhook init` writes for a project. */
export const starter: StarterSettings = {
  file: `${folder}/${hooksFile}`,
  script: '.codex/hooks/guard.mjs',
  settings: {
    hooks: {
      PreToolUse: [
        { matcher: 'Bash', hooks: [{ type: 'command', command: 'node .codex/hooks/guard.mjs', timeout: 10, onError: 'block' }] },
      ],
    },
  },
};
