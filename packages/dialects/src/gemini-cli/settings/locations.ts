import type { DialectContext, SettingsLocation, StarterSettings } from '@tenterhook/protocol';
import { claimedByPlace, isAbsolute, join, withSlashes } from '../../shared/paths.js';
import { geminiManifest, hooksFile } from '../../shared/settings/extension-paths.js';

/** The folder with the settings, in a project or in the home directory. */
export const folder = '.gemini';
const settingsFile = `${folder}/settings.json`;

/** Returns the settings files: project, user, system. Extensions come from the host, which may keep them in any directory. */
export function locations(context: DialectContext, systemFile?: string): SettingsLocation[] {
  return [
    { source: 'project', file: join(context.projectDir, settingsFile) },
    { source: 'user', file: join(getHome(context), settingsFile) },
    { source: 'system', file: systemFile ?? getSystemFile(context.platform) },
  ];
}

/** Returns the home directory: `GEMINI_CLI_HOME` if it is set, otherwise the user's. */
export function getHome({ environment, home }: DialectContext): string {
  const moved = environment['GEMINI_CLI_HOME'] ?? '';
  return isAbsolute(moved) ? moved : home;
}

/** Tests whether Gemini CLI would read this file. A file in `.gemini` belongs to the project that contains this folder. */
export function claims(file: string, context: DialectContext, systemFile?: string): { readonly projectDir?: string } | undefined {
  const path = withSlashes(file);
  if (/(?:^|\/)\.gemini\/extensions\/[^/]+\/hooks\/hooks\.json$/.test(path)) return {};
  return claimedByPlace(file, settingsFile) ?? (path === withSlashes(systemFile ?? getSystemFile(context.platform)) ? {} : undefined);
}

export function extensionFiles(directory: string): string[] {
  return [join(directory, hooksFile), join(directory, geminiManifest)];
}

function getSystemFile(platform: string): string {
  if (platform === 'darwin') return '/Library/Application Support/GeminiCli/settings.json';
  return platform === 'win32' ? 'C:\\ProgramData\\gemini-cli\\settings.json' : '/etc/gemini-cli/settings.json';
}

/** The settings that `tenterhook init` writes for a project. */
export const starter: StarterSettings = {
  file: settingsFile,
  script: `${folder}/hooks/guard.mjs`,
  settings: {
    hooks: {
      BeforeTool: [
        {
          matcher: '^run_shell_command$',
          hooks: [
            {
              name: 'guard',
              type: 'command',
              command: `node "$GEMINI_PROJECT_DIR"/${folder}/hooks/guard.mjs`,
              timeout: 10_000,
              onError: 'block',
            },
          ],
        },
      ],
    },
  },
};
