import { statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Declares a test that runs programs of the machine. If one is missing, the test fails in CI, because there it would never run. Elsewhere
 * it is skipped under a title that names the program and how to install it. With a silent skip, it would not be noticed that a test no longer runs.
 */
export function testWithPrograms(programs: readonly string[], title: string, run: () => Promise<void>): void {
  const missing = programs.filter((program) => programFile(program) === undefined);
  if (missing.length === 0) {
    test(title, run);
    return;
  }
  const what = missing.join(' and ');
  if (!process.env['CI']) {
    test.skip(`${title} [not run: there is no ${what} on PATH; Debian: apt-get install ${missing.join(' ')}]`, run);
    return;
  }
  test(title, () => {
    throw new Error(`The test needs ${what}, and PATH has none. Install it; .ci/run says which programs the tests need.`);
  });
}

/** The absolute path of a program in PATH; undefined if there is none. */
export function programFile(name: string): string | undefined {
  const directories = (process.env['PATH'] ?? '').split(delimiter).filter((directory) => directory.startsWith('/'));
  return directories.map((directory) => join(directory, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && (found.mode & 0o111) !== 0;
}
