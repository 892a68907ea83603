import type { DialectContext, SettingsLocation, SettingsLookalike } from '@tenterhook/protocol';
import { join, locations } from './locations.js';

/** Names beside `settings.json` that people put hooks under; no spelling in other letters, which may be the same file on a disk. */
const nearMisses = ['hooks.json', 'hooks/hooks.json', 'settings.jsonc', 'settings.json5', 'settings.local.json', 'setting.json'];

/** Names that other programs have too, so that they count only when they speak of hooks. */
const ambiguousNames = ['settings.json', 'hooks.json'];
const headBytes = 65_536;

/** Files that their author may take for settings (field failure 21). Probed by name: a dialect cannot list a folder, and need not. */
export function lookalikes(context: DialectContext, systemFile: string): SettingsLookalike[] {
  const [project, user] = locations(context, systemFile) as [SettingsLocation, SettingsLocation, SettingsLocation];
  const { projectDir, home, files } = context;
  const speaksOfHooks = (file: string) => files.isFile(file) && files.head(file, headBytes)?.includes('"hooks"') === true;
  const insteadOf = ({ source, file: read }: SettingsLocation, file: string) => ({ file, source, insteadOf: read });
  return [
    ...besideSettings(projectDir)
      .filter(files.isFile)
      .map((file) => insteadOf(project, file)),
    ...ambiguousNames
      .map((name) => join(projectDir, name))
      .filter(speaksOfHooks)
      .map((file) => insteadOf(project, file)),
    ...settingsAbove(context, project, user),
    ...(home === projectDir ? [] : besideSettings(home)).filter(files.isFile).map((file) => insteadOf(user, file)),
  ];
}

function besideSettings(folder: string): string[] {
  return nearMisses.map((name) => join(folder, `.llxprt/${name}`));
}

/** Whoever starts in a subdirectory of a project expects its hooks. Below the home directory, what is above belongs to the user. */
function settingsAbove(
  { projectDir, home, files }: DialectContext,
  project: SettingsLocation,
  user: SettingsLocation,
): SettingsLookalike[] {
  if (files.isFile(project.file)) return [];
  for (let folder = parentOf(projectDir); folder !== undefined && folder !== home; folder = parentOf(folder)) {
    const file = join(folder, '.llxprt/settings.json');
    if (file === user.file || !files.isFile(file)) continue;
    const remedy = `They are those of the project "${folder}": take that as the project directory, or write the hooks here.`;
    return [{ file, source: project.source, insteadOf: project.file, remedy }];
  }
  return [];
}

function parentOf(folder: string): string | undefined {
  const parent = folder.replace(/[\\/]+[^\\/]+[\\/]*$/, '');
  return parent === folder || parent === '' ? undefined : parent;
}
