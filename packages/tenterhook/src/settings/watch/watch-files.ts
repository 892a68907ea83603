import { createLog } from '@tenterhook/runtime/log';
import { type FileStamps, getStamps, isSameStamps } from './file-stamps.js';

export interface WatchFilesOptions {
  /** The files to look at and what they were when they were last read: stamps taken before the reading, so that no change falls between. */
  loaded(): FileStamps;
  /** Reads them anew, after which `loaded()` are other stamps. What it rejects with is logged. */
  reload(): Promise<void>;
  /** Milliseconds between two looks. A change counts when two looks in a row saw the same. */
  readonly debounceMs: number;
  /** @default asks the file system */
  readonly look?: (files: readonly string[]) => Promise<FileStamps>;
}

export interface FileWatch {
  /** Nothing is looked at and nothing is reloaded any more; a reload that runs is not waited for. Idempotent. */
  stop(): void;
}

const log = createLog('settings');

/**
 * Looks at a few files again and again. Looking, and not being told by the system (`fs.watch`, or chokidar on top of it): most of these files
 * do not exist, their folders neither; editors replace them by renaming, which ends a watch on a file; and on network file systems and in
 * containers nobody tells. Three `stat` calls five times a second cost less than the watches of all folders above. Not `fs.watchFile`, which
 * does the same with a timer for every file and takes its first look after the files were read: what changes in between would be lost.
 * One timer that keeps no process alive, and never two looks at a time, nor a look while a reload runs.
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

/** After this many looks that all differ, a file is read although it has not come to rest: everything that waits has an end. */
export const maxUnsettledLooks = 20;

/**
 * Whether files should be read again: they are not what was loaded, and two looks in a row saw the same. So a burst of writes is one change,
 * and a file is not read while an editor is writing it. What was tried and could not be loaded is not tried again before it changes.
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
    // By identity: every load makes stamps of its own, so that equal ones are those from before the trial.
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
