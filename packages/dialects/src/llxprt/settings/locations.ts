import type { DialectContext, SettingsLocation, StarterSettings } from '@tenterhook/protocol';
import { claimedByPlace, join, withSlashes } from '../../shared/paths.js';

/** The folder of a project, or of the home directory, that holds its settings. */
export const folder = '.llxprt';
const settingsFile = `${folder}/settings.json`;

type Locations = [project: SettingsLocation, user: SettingsLocation, system: SettingsLocation];

/** Project, user, system (decision 24); extensions have no file. */
export function locations({ projectDir, home }: DialectContext, systemFile: string): Locations {
  return [
    { source: 'project', file: join(projectDir, settingsFile) },
    { source: 'user', file: join(home, settingsFile) },
    { source: 'system', file: systemFile },
  ];
}

/**
 * LLxprt owns a file at a place where LLxprt looks for one. It belongs to the project whose `.llxprt` folder holds it. Of the system only the one
 * file counts: another program may have a folder of that name.
 */
export function claims(file: string, systemFile: string): { readonly projectDir?: string } | undefined {
  return claimedByPlace(file, settingsFile) ?? (withSlashes(file) === withSlashes(systemFile) ? {} : undefined);
}

/** The first settings of a project. */
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
