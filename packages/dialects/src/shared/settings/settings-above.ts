import type { DialectContext, SettingsLocation, SettingsLookalike } from '@tenterhook/protocol';
import { join, parentOf } from '../paths.js';

/**
 * Settings of a project that the project directory lies in, where it has none of its own: whoever starts in a subdirectory of a project
 * expects its hooks. Not above the home directory, and not the user's own. `file` is relative to a project's directory.
 */
export function settingsAbove(
  { projectDir, home, files }: DialectContext,
  file: string,
  project: SettingsLocation,
  user: SettingsLocation,
): SettingsLookalike[] {
  if (files.isFile(project.file)) return [];
  for (let folder: string | undefined = projectDir; folder !== undefined && folder !== home; folder = parentOf(folder)) {
    const above = join(folder, file);
    if (above === user.file || !files.isFile(above)) continue;
    const remedy = `They are those of the project "${folder}": take that as the project directory, or write the hooks here.`;
    return [{ file: above, source: project.source, insteadOf: project.file, remedy }];
  }
  return [];
}
