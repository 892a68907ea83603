import { createLog } from '@tenterhook/runtime/log';
import { type FileStamps, getStamps, isSameStamps } from './file-stamps.js';

export interface WatchFilesOptions {
  /**
   * The files to look at and their stamps from the last reading. They were taken before the reading, so that no change is missed in
   * between.
   */
  loaded(): FileStamps;
  /** Reads them anew, after which `loaded()` returns other stamps. Its rejection is logged. */
  reload(): Promise<void>;
  /** Milliseconds between two looks. A change counts when two looks in a row saw the same. */
  readonly debounceMs: number;
  /** @default asks the file system */
  readonly look?: (files: readonly string[]) => Promise<FileStamps>;
}

export interface FileWatch {
  /** No further look and no further reload; a reload in progress is not waited for. Idempotent. */
  stop(): void;
}

const log = createLog('settings');

/**
 * Looks at a few files again and again. Polling, not notifications of the system (`fs.watch`, or chokidar on top of it): most of these
 * files and their folders do not exist; editors replace files by renaming, which ends a watch on a file; and network file systems and
 * containers send no notifications. Three `stat` calls five times a second cost less than watches on all parent folders. Not
 * `fs.watchFile`, which has a timer for each file and takes its first look after the files were read, so that changes in between are lost.
 * One timer that keeps no process alive. Looks and reloads never overlap.
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

/** After this many looks that all differ, a file is read although it still changes: every wait has an end. */
export const maxUnsettledLooks = 20;

/**
 * Decides whether files are read again: they differ from what was loaded, and two looks in a row saw the same. So a burst of writes is one
 * change, and a file is not read while an editor writes it. A state that could not be loaded is not tried again before it changes.
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
    // By identity: every load makes new stamps, so that the same object is from before the attempt.
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
