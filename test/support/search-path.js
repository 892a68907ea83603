import { closeSync, openSync, readSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Returns a PATH in which directories whose `python3` is a script are last. Managers of versions (pyenv, asdf) put such a script before
 * the program. The script takes five times as long as the start of Python, and some tests start hundreds of hooks in Python.
 */
export function withProgramsFirst(path) {
  const directories = path.split(delimiter);
  const isLate = (directory) => isScript(join(directory, 'python3'));
  return [...directories.filter((each) => !isLate(each)), ...directories.filter(isLate)].join(delimiter);
}

function isScript(file) {
  let descriptor;
  try {
    descriptor = openSync(file, 'r');
    const start = Buffer.alloc(2);
    return readSync(descriptor, start) === 2 && start.toString() === '#!';
  } catch {
    return false;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
