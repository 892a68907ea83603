import type { DialectContext, SettingsLocation, StarterSettings } from '@tenterhook/protocol';
import { claimedByPlace, join, withSlashes } from '../../shared/paths.js';

export const projectFile = '.agents/hooks.json';

/** Returns the settings file of the user. */
export function userFile(home: string): string {
  return join(home, '.gemini/config/hooks.json');
}

/** Returns the settings files: user, project. Hooks run one after another in this order, which is unverified. */
export function locations({ projectDir, home }: Pick<DialectContext, 'projectDir' | 'home'>): SettingsLocation[] {
  return [
    { source: 'user', file: userFile(home) },
    { source: 'project', file: join(projectDir, projectFile) },
  ];
}

/** Tests whether Antigravity would read this file. A file in `.agents` belongs to the folder that contains `.agents`. */
export function claims(file: string, { home }: Pick<DialectContext, 'home'>): { projectDir?: string } | undefined {
  return withSlashes(file) === withSlashes(userFile(home)) ? {} : claimedByPlace(file, projectFile);
}

/** The settings that `tenterhook init` writes for a project. */
export const starter: StarterSettings = {
  file: projectFile,
  script: '.agents/hooks/guard.mjs',
  commandPath: 'toolCall.args.CommandLine',
  silent: true,
  settings: {
    guard: {
      PreToolUse: [{ matcher: 'run_command', hooks: [{ type: 'command', command: 'node .agents/hooks/guard.mjs', timeout: 10 }] }],
    },
  },
};
