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
