import { type FileStamps, isSameStamps } from './file-stamps.js';

/** After this many looks that all differ, a file is read although it has not come to rest: everything that waits has an end. */
export const maxUnsettledLooks = 20;

/**
 * Whether files should be read again: they are not what was loaded, and two looks in a row saw the same. So a burst of writes is one change,
 * and a file is not read while an editor is writing it. What was tried and could not be loaded is not tried again before it changes.
 */
export function settledChange(): (loaded: FileStamps, seen: FileStamps) => boolean {
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
