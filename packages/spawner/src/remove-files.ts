import { unlinkSync } from 'node:fs';

/** A file that is gone already, perhaps with the whole directory, is no error. */
export function removeFiles(paths: readonly string[]): void {
  for (const path of paths) {
    try {
      unlinkSync(path);
    } catch {}
  }
}
