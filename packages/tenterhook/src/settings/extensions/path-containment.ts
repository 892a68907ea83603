import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';

/**
 * Says of a file that it does not lie in the directory, be it by its path or because a link leads out; undefined where it does. Whoever reads
 * an extension before using it has read what lies in it.
 */
export async function placeOutside(directory: string, file: string): Promise<string | undefined> {
  const why = 'lies outside of the extension and is not read';
  if (!isWithin(directory, file)) return why;
  try {
    const real = await realpath(file);
    return isWithin(await realpath(directory), real) ? undefined : `leads to ${real}, outside of the extension, and is not read`;
  } catch {
    // What is not there, or cannot be looked at, is told when it is read.
    return undefined;
  }
}

function isWithin(directory: string, file: string): boolean {
  const way = relative(directory, file);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
