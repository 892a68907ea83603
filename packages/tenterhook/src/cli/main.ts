import { writeSync } from 'node:fs';
import { version } from './version.js';

const argv = process.argv.slice(2);

// Editors and package managers ask every tool for its version, and should not wait for the answer. So `--version` loads no other module,
// not even the streams of the process.
if (!(argv.length === 1 && ['--version', '-V'].includes(argv[0] as string) && isWritten(`${version}\n`))) {
  // This file is built as CommonJS, which has no top-level `await`.
  void import('./run.js').then(({ runInProcess }) => runInProcess(argv));
}

/** Returns false if stdout is closed, full or busy. The command line is then loaded; it prints the version and reports the problem. */
function isWritten(text: string): boolean {
  try {
    return writeSync(1, text) === text.length;
  } catch {
    return false;
  }
}
