import { posix, win32 } from 'node:path';

/** The properties of the machine that decide where the store is. */
export interface StoreSurroundings {
  /** The home directory. Undefined if there is none. */
  readonly home: string | undefined;
  /** The environment of the process itself, without variables of settings. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/**
 * Returns the directory of the store:
 * - `$XDG_STATE_HOME/tenterhook/trust`, or `~/.local/state/tenterhook/trust` without the variable;
 * - on Windows `%LOCALAPPDATA%\tenterhook\trust`.
 *
 * Undefined if neither the variable nor the home directory is an absolute path. A relative path would be another directory in each project,
 * and the project could write to it.
 */
export function placeOfStore({ home, environment, platform }: StoreSurroundings): string | undefined {
  if (platform === 'win32') {
    // Node treats \state as an absolute path on Windows, although it is relative to the current drive.
    const isFixed = (path: string | undefined): path is string => path !== undefined && /^([a-z]:[\\/]|\\\\[^\\])/i.test(path);
    const local = environment['LOCALAPPDATA'];
    if (isFixed(local)) return win32.join(local, 'tenterhook', 'trust');
    return isFixed(home) ? win32.join(home, 'AppData', 'Local', 'tenterhook', 'trust') : undefined;
  }
  const state = environment['XDG_STATE_HOME'];
  if (state !== undefined && posix.isAbsolute(state)) return posix.join(state, 'tenterhook', 'trust');
  return home !== undefined && posix.isAbsolute(home) ? posix.join(home, '.local', 'state', 'tenterhook', 'trust') : undefined;
}
