import type { DialectContext, SettingsLocation, SettingsLookalike } from '@tenterhook/protocol';
import { inHooksFolder, lookalikesAmong, settingsAbove } from '../../shared/lint/misplaced-files.js';
import { join } from '../../shared/paths.js';
import type { RelativeHost } from '../options.js';

const headBytes = 65_536;

/** Returns the files that look like the agent's settings but are not read. */
export function misplacedFiles(context: DialectContext, { product, managedFile }: RelativeHost): SettingsLookalike[] {
  const places = product.locations(context, managedFile);
  const [file] = product.projectFiles;
  const folder = file.slice(0, file.indexOf('/'));
  const isPlace = (source: string) => (place: SettingsLocation) => place.source === source;
  const [project, user] = [places.find(isPlace('project')), places.find(isPlace('user'))];
  if (project === undefined || user === undefined) return [];
  const hasHooks = (path: string) => context.files.isFile(path) && /"hooks"\s*:/.test(context.files.head(path, headBytes) ?? '');
  const inFolder = inHooksFolder.map((name) => join(context.projectDir, `${folder}/${name}`));
  const isOther = product.projectFiles.some((name) => context.files.isFile(join(context.projectDir, name)));
  return [...lookalikesAmong(inFolder, project, hasHooks), ...(isOther ? [] : settingsAbove(context, file, project, user))];
}
