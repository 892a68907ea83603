import { writeSync } from 'node:fs';
import { version } from './version.js';

const argv = process.argv.slice(2);

// Editors and package managers ask every tool for its version, so that answer loads nothing else, the streams of the process included.
if (!(argv.length === 1 && ['--version', '-V'].includes(argv[0] as string) && isWritten(`${version}\n`))) {
  // This file is built as CommonJS, which has no `await` at its top.
  void import('./run.js').then(({ runInProcess }) => runInProcess(argv));
}

/** False where stdout is closed, full or busy: the command itself then answers, and says what is wrong. */
function isWritten(text: string): boolean {
  try {
    return writeSync(1, text) === text.length;
  } catch {
    return false;
  }
}
