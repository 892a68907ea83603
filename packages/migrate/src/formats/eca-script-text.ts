import { ecaHookData } from '@tenterhook/dialects/internal';
import type { HookDefinition } from '@tenterhook/protocol';
import { projectVariable, shellPath, shellWord } from '../portable/command-text.js';
import type { HookLoss } from '../portable/portable-hook.js';
import type { MigrationContext } from './hook-migration.js';

/** What an action runs as one text for a shell. */
export interface ActionText {
  readonly text: string;
  /** A text of its settings; a script is named by its path. */
  readonly isShell: boolean;
  readonly losses: readonly HookLoss[];
}

/** A script is a command elsewhere: the program itself where it is one, else `bash` and its path. */
export function actionText(hook: HookDefinition, { projectDir, home }: MigrationContext): ActionText {
  const written = hook.action.kind === 'command' ? hook.action.command : '';
  const { command } = ecaHookData(hook);
  if (command.kind === 'shell' && command.text === written) return { text: written, isShell: true, losses: [] };
  const path = pathText(written, projectDir, home);
  if (command.kind === 'program' && command.file === written) return { text: path, isShell: false, losses: [] };
  const message = `There is no file ${written} yet; it is run with bash, whatever its first line will say.`;
  const losses: HookLoss[] = command.kind === 'shell' ? [{ field: 'action', message }] : [];
  return { text: `bash ${path}`, isShell: false, losses };
}

/** From the project or the home directory where it lies in one, so that it holds on another machine. */
function pathText(file: string, projectDir: string, home: string): string {
  const within = (folder: string) => folder !== '' && file.startsWith(`${folder}/`);
  if (within(projectDir)) return shellPath(projectVariable, file.slice(projectDir.length));
  return within(home) ? shellPath('HOME', file.slice(home.length)) : shellWord(file);
}
