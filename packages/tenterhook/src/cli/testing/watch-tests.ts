import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onAbort } from '@tenterhook/runtime/async';
import { skippedDirectories } from '../../hook-tests/find-test-files.js';
import { getStamps } from '../../settings/watch/file-stamps.js';
import { watchFiles } from '../../settings/watch/watch-files.js';
import { type CommandContext, printError } from '../context.js';
import { formatCliError } from '../errors/format-cli-error.js';

/** Milliseconds between two looks at the files. */
const debounceMs = 200;

/** The maximum number of files that are watched. */
const mostFiles = 2_000;

/** The files of a run. */
export interface TestedFiles {
  readonly tests: readonly string[];
  /** Settings files, also those that are missing. */
  readonly settings: readonly string[];
}

/**
 * Runs the tests again after each change, until the signal aborts. Watches the test files, the settings that they name, and everything in
 * the directories of the test files and the directories below, where the hooks are. A run that fails, for example because a test file was removed, is reported; watching goes on.
 */
export async function watchTests(
  files: () => TestedFiles,
  runAgain: () => Promise<unknown>,
  signal: AbortSignal,
  context: CommandContext,
): Promise<void> {
  let watched: readonly string[] = [];
  const find = () => {
    try {
      watched = filesAround(files());
    } catch {
      // A path of the command line was removed. The files that it had are missing now, which is a change.
    }
    return watched;
  };
  let loaded = await getStamps(find());
  printError(context, `note: Watching ${loaded.size} files. Ctrl-C ends the command.`);
  // The watch has a timer that does not keep the process alive.
  const alive = setInterval(() => {}, 2 ** 30);
  const watch = watchFiles({
    loaded: () => loaded,
    look: () => getStamps(find()),
    debounceMs,
    reload: async () => {
      context.stdout.write('\n');
      await runAgain().catch((error: unknown) => printError(context, formatCliError(error).message));
      // After the run, because hooks may write files here, and each run would cause the next one.
      loaded = await getStamps(find());
    },
  });
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else onAbort(signal, resolve);
  });
  watch.stop();
  clearInterval(alive);
}

function filesAround({ tests, settings }: TestedFiles): string[] {
  const found = new Set([...tests, ...settings]);
  const directories = [...new Set(tests.map((file) => dirname(file)))];
  for (let directory = directories.shift(); directory !== undefined && found.size < mostFiles; directory = directories.shift()) {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (entry.isFile()) found.add(path);
      else if (entry.isDirectory() && !skippedDirectories.has(entry.name)) directories.push(path);
    }
  }
  return [...found];
}
