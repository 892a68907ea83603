import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const endings = ['.hook-test.yaml', '.hook-test.yml', '.hook-test.json'];

/** Directories that have no tests of the user, or too many files to search. */
export const skippedDirectories: ReadonlySet<string> = new Set(['node_modules', '.git']);

/** The maximum number of directories that are searched. */
const mostDirectories = 20_000;

/** Whether the name is that of a file of cases. */
export function isTestFile(name: string): boolean {
  return endings.some((ending) => name.endsWith(ending));
}

/**
 * Returns the files of cases below a directory, sorted by path, or the path itself if it is a file. Does not follow symbolic links, which
 * could form a cycle. Throws the error of the file system if the path does not exist.
 */
export function findTestFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const files: string[] = [];
  const directories = [path];
  for (let searched = 0; directories.length > 0 && searched < mostDirectories; searched += 1) {
    const directory = directories.shift() as string;
    for (const entry of entriesOf(directory)) {
      if (entry.isDirectory() && !skippedDirectories.has(entry.name)) directories.push(join(directory, entry.name));
      else if (entry.isFile() && isTestFile(entry.name)) files.push(join(directory, entry.name));
    }
  }
  return files.sort();
}

/** A directory that cannot be read has no tests. */
function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}
