import { createLog } from '@tenterhook/runtime/log';
import { type FileStamps, getStamps, isSameStamps } from './file-stamps.js';

export interface WatchFilesOptions {
  /**
   * Returns the files and their stamps from the last reading. The stamps must be taken before the files are read, so that no change is
   * missed.
   */
  loaded(): FileStamps;
  /** Reads the files again. `loaded()` then returns a new object. A rejection is logged. */
  reload(): Promise<void>;
  /** Milliseconds between two checks. A change is reported when two checks in a row see the same state. */
  readonly debounceMs: number;
  /** Returns the stamps of files. @default reads the stamps from the file system */
  readonly look?: (files: readonly string[]) => Promise<FileStamps>;
}

export interface FileWatch {
  /** Stops checks and reloads. Does not wait for a reload in progress. Further calls have no effect. */
  stop(): void;
}

const log = createLog('settings');

/**
 * Checks a few files at intervals, with one timer that does not keep the process alive. Checks and reloads never overlap.
 *
 * Notifications of the system were rejected (`fs.watch`, or chokidar, which uses it):
 * - Most of these files, and their folders, do not exist. Watching all parent folders takes more time than three `stat` calls five times a
 *   second.
 * - Editors replace files by renaming, which ends the watch of a file.
 * - Network file systems and containers send no notifications.
 *
 * `fs.watchFile` was rejected too. It has a timer for each file, and misses changes between the reading and its first check.
 */
export function watchFiles({ loaded, reload, debounceMs, look = getStamps }: WatchFilesOptions): FileWatch {
  const isSettled = debounceChanges();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const next = () => {
    if (!stopped) timer = setTimeout(() => void lookAgain(), debounceMs).unref();
  };
  const lookAgain = async () => {
    const seen = await look([...loaded().keys()]);
    if (!stopped && isSettled(loaded(), seen)) await reloadFor(changedFiles(loaded(), seen));
    next();
  };
  const reloadFor = async (files: readonly string[]) => {
    log('changed: %s', files.join(', '));
    try {
      await reload();
    } catch (error) {
      log('the settings could not be read again: %O', error);
    }
  };

  next();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

function changedFiles(loaded: FileStamps, seen: FileStamps): string[] {
  return [...seen.keys()].filter((file) => seen.get(file) !== loaded.get(file));
}

/**
 * The maximum number of checks in a row that each see a different state. After them, the files are read although they still change, so that
 * the wait ends.
 */
export const maxUnsettledLooks = 20;

/**
 * Returns a function that decides whether to read the files again. The files must differ from the loaded ones, and two checks in a row must
 * have seen them in the same state. So a burst of writes causes one reading, and a file is not read while an editor writes it. A state that
 * could not be loaded is not tried again until it changes.
 */
export function debounceChanges(): (loaded: FileStamps, seen: FileStamps) => boolean {
  let previous: FileStamps | undefined;
  let unsettledLooks = 0;
  let tried: { readonly loaded: FileStamps; readonly seen: FileStamps } | undefined;

  const rest = (isSettled: boolean) => {
    previous = undefined;
    unsettledLooks = 0;
    return isSettled;
  };
  return (loaded, seen) => {
    // Compares `loaded` by identity. Every load creates a new object, so the same object means that the last attempt failed.
    const wasTried = tried !== undefined && tried.loaded === loaded && isSameStamps(tried.seen, seen);
    if (wasTried || isSameStamps(loaded, seen)) return rest(false);
    unsettledLooks += 1;
    const isSettled = (previous !== undefined && isSameStamps(previous, seen)) || unsettledLooks >= maxUnsettledLooks;
    previous = seen;
    if (!isSettled) return false;
    tried = { loaded, seen };
    return rest(true);
  };
}
