import type { DialectContext, SettingsLocation, StarterSettings } from '@tenterhook/protocol';
import { claimedByPlace, join, withSlashes } from '../../shared/paths.js';
import { geminiManifest, hooksFile } from '../../shared/settings/extension-paths.js';

/** The folder with the settings, in a project or in the home directory. */
export const folder = '.llxprt';
const settingsFile = `${folder}/settings.json`;

type Locations = [project: SettingsLocation, user: SettingsLocation, system: SettingsLocation];

/** Returns the settings files: project, user, system (decision 24). */
export function locations({ projectDir, home }: DialectContext, systemFile: string): Locations {
  return [
    { source: 'project', file: join(projectDir, settingsFile) },
    { source: 'user', file: join(home, settingsFile) },
    { source: 'system', file: systemFile },
  ];
}

/**
 * Tests whether LLxprt would read this file. A file in `.llxprt` belongs to the project that contains this folder. In the system's
 * folder only the settings file itself is accepted, because another program may have a folder with the same name.
 */
export function claims(file: string, systemFile: string): { readonly projectDir?: string } | undefined {
  return claimedByPlace(file, settingsFile) ?? (withSlashes(file) === withSlashes(systemFile) ? {} : undefined);
}

/**
 * Returns the files of an extension. LLxprt Code also reads extensions of Gemini CLI, so the list ends with their manifest. The
 * manifest must be last: unless the caller has chosen this dialect, a directory with this manifest counts as an extension of Gemini
 * CLI.
 */
export function extensionFiles(directory: string): string[] {
  return ['llxprt-extension.json', hooksFile, geminiManifest].map((file) => join(directory, file));
}

/** The settings that `tenterhook init` writes for a project. */
export const starter: StarterSettings = {
  file: settingsFile,
  script: `${folder}/hooks/guard.mjs`,
  settings: {
    tools: { enableHooks: true },
    hooks: {
      BeforeTool: [
        {
          matcher: '^run_shell_command$',
          hooks: [
            {
              name: 'guard',
              type: 'command',
              command: `node "$LLXPRT_PROJECT_DIR"/${folder}/hooks/guard.mjs`,
              timeout: 10_000,
              onError: 'block',
            },
          ],
        },
      ],
    },
  },
};
