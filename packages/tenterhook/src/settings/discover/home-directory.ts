import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';

/**
 * The home directory, `''` when there is none. Node takes HOME as it is, also an empty one, which would make `/.llxprt/settings.json` the
 * file of the user; and it throws for a user of a container who has no entry in the list of users.
 */
export function homeDirectory(finders: readonly (() => string)[] = [homedir, () => userInfo().homedir]): string {
  for (const find of finders) {
    try {
      const home = find();
      if (isAbsolute(home)) return home;
    } catch {
      // The next one may know.
    }
  }
  return '';
}

/** What `homedir()` of Node reads, of another environment than that of this process. */
export function homeIn(env: Readonly<Record<string, string | undefined>>): string {
  return (process.platform === 'win32' ? env['USERPROFILE'] : env['HOME']) ?? '';
}
