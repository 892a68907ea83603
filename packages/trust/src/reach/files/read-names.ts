import { opendirSync } from 'node:fs';

/** Returns the names in a folder, sorted. Stops and returns undefined if there are more than `max`. */
export function readNames(path: string, max: number): string[] | undefined {
  const names: string[] = [];
  try {
    const folder = opendirSync(path, { bufferSize: 256 });
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
        if (names.length >= max) return undefined;
        names.push(entry.name);
      }
    } finally {
      folder.closeSync();
    }
  } catch {
    return undefined;
  }
  return names.sort((one, other) => (one < other ? -1 : 1));
}
