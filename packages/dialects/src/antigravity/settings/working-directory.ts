import type { DialectContext, SettingsDocument } from '@tenterhook/protocol';
import { absolutePath, parentOf, withSlashes } from '../../shared/paths.js';
import { userFile } from './locations.js';

type Machine = Pick<DialectContext, 'projectDir' | 'home' | 'files'>;

/** The beginning of a word that does not depend on the directory: `/`, `~`, a variable, an option, a drive. */
const placeless = /^(?:[/\\~$%-]|[A-Za-z]:[/\\])/;

/** The most words of a command that are compared with files. */
const maxWords = 50;

/**
 * Returns the directory in which a hook starts. Hooks of the user start in the folder of their settings. For hooks of a project the reports
 * disagree: some start in the project, and some in the folder of the settings. So a hook starts in the project, unless its command names a
 * file that only that folder has, and none of the project: a guard must find its script.
 */
export function directoryOf(command: string, { source, file }: SettingsDocument, { projectDir, home, files }: Machine): string {
  const folder = file === undefined ? undefined : parentOf(file);
  if (file === undefined || folder === undefined) return projectDir;
  // A host may also pass the file of the user by its path. In the project, its relative paths would be scripts of the repository.
  if (source === 'user' || (source === 'settings' && withSlashes(file) === withSlashes(userFile(home)))) return folder;
  const words = command.split(/[\s"'`|&;()<>{}=,]+/).filter((word) => /[./\\]/.test(word) && !placeless.test(word));
  const isIn = (directory: string, word: string) => files.isFile(absolutePath(word, directory));
  const compared = words.slice(0, maxWords);
  // The settings themselves are in the folder, so a command that names them shows nothing.
  const isInFolder = compared.some((word) => isIn(folder, word) && withSlashes(absolutePath(word, folder)) !== withSlashes(file));
  return isInFolder && !compared.some((word) => isIn(projectDir, word)) ? folder : projectDir;
}
