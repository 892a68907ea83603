import { posix, win32 } from 'node:path';

/** What decides where the store is. */
export interface StoreSurroundings {
  /** The home directory. Undefined if there is none. */
  readonly home: string | undefined;
  /** The environment of the process itself, without variables of settings. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/**
 * Returns the directory of the store: `$XDG_STATE_HOME/tenterhook/trust`, without the variable `~/.local/state/tenterhook/trust`, on Windows
 * `%LOCALAPPDATA%\tenterhook\trust`. Pure. Undefined if no variable and no home directory has an absolute path: a relative one would mean
 * another directory in each project, and one that the project itself can fill.
 */
export function placeOfStore({ home, environment, platform }: StoreSurroundings): string | undefined {
  if (platform === 'win32') {
    // A path such as \state is absolute for Node, but relative to the current drive.
    const isFixed = (path: string | undefined): path is string => path !== undefined && /^([a-z]:[\\/]|\\\\[^\\])/i.test(path);
    const local = environment['LOCALAPPDATA'];
    if (isFixed(local)) return win32.join(local, 'tenterhook', 'trust');
    return isFixed(home) ? win32.join(home, 'AppData', 'Local', 'tenterhook', 'trust') : undefined;
  }
  const state = environment['XDG_STATE_HOME'];
  if (state !== undefined && posix.isAbsolute(state)) return posix.join(state, 'tenterhook', 'trust');
  return home !== undefined && posix.isAbsolute(home) ? posix.join(home, '.local', 'state', 'tenterhook', 'trust') : undefined;
}
