import type { DialectContext, SettingsDocument, SettingsLocation, StarterSettings } from '@tenterhook/protocol';
import { claimedByPlace, isAbsolute, join, withSlashes } from '../../shared/paths.js';

/** The folder of a project, or of the home directory, that holds its settings. */
export const folder = '.gemini';
const settingsFile = `${folder}/settings.json`;

/** In an extension: its hooks, and the manifest that makes it an extension. */
const hooksFile = 'hooks/hooks.json';
export const manifestFile = 'gemini-extension.json';

/** Project, user, system. The host hands extensions in, from any directory. */
export function locations(context: DialectContext, systemFile?: string): SettingsLocation[] {
  return [
    { source: 'project', file: join(context.projectDir, settingsFile) },
    { source: 'user', file: join(getHome(context), settingsFile) },
    { source: 'system', file: systemFile ?? getSystemFile(context.platform) },
  ];
}

/** `GEMINI_CLI_HOME` takes the place of the home directory. */
export function getHome({ environment, home }: DialectContext): string {
  const moved = environment['GEMINI_CLI_HOME'] ?? '';
  return isAbsolute(moved) ? moved : home;
}

/** A file is Gemini CLI's if it is where Gemini CLI would look; it belongs to the project whose `.gemini` folder holds it. */
export function claims(file: string, context: DialectContext, systemFile?: string): { readonly projectDir?: string } | undefined {
  const path = withSlashes(file);
  if (/(?:^|\/)\.gemini\/extensions\/[^/]+\/hooks\/hooks\.json$/.test(path)) return {};
  return claimedByPlace(file, settingsFile) ?? (path === withSlashes(systemFile ?? getSystemFile(context.platform)) ? {} : undefined);
}

export function extensionFiles(directory: string): string[] {
  return [join(directory, hooksFile), join(directory, manifestFile)];
}

/** Whether an extension brought the document along, so that it is not one of the settings files. */
export function isOfExtension({ source }: SettingsDocument): boolean {
  return source.startsWith('extension:');
}

function getSystemFile(platform: string): string {
  if (platform === 'darwin') return '/Library/Application Support/GeminiCli/settings.json';
  return platform === 'win32' ? 'C:\\ProgramData\\gemini-cli\\settings.json' : '/etc/gemini-cli/settings.json';
}

/** The first settings of a project. */
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
