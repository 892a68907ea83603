import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeMarkup } from '@tenterhook/runtime/text';
import { createPrivateDirectory, unusableDirectory } from './private-directory.js';

/** How the page is opened. */
export interface OpenPageOptions {
  /** Starts the browser with the path of a file. Its errors are those of the caller. */
  readonly start: (file: string) => void;
  /** Resolves when the page was used, so that the file is no longer needed. @default never */
  readonly used?: Promise<void> | undefined;
  /** After this number of milliseconds the file is removed in any case. @default 30000 */
  readonly keptMs?: number | undefined;
}

/** A page that is being opened. */
export interface OpenedPage {
  /** The file that leads to the page, of mode 0600 in a directory of mode 0700. */
  readonly file: string;
  /** Removes the file. Idempotent. */
  close(): void;
}

/**
 * Opens an address in the browser through a file that only this user can read. An argument of the browser would be in the list of processes,
 * which other users can read, and the address has the token. Throws a TenterhookError with the code `no_directory` if the file cannot be made.
 */
export function openPage(privateUrl: string, { start, used, keptMs = 30_000 }: OpenPageOptions): OpenedPage {
  const directory = createPrivateDirectory();
  const file = join(directory.path, 'open.html');
  const target = escapeMarkup(privateUrl);
  const page = [
    '<!doctype html><meta charset="utf-8"><title>Tenterhook</title>',
    `<meta http-equiv="refresh" content="0; url=${target}">`,
    `<p><a href="${target}" rel="noreferrer">Open the inspector</a></p>\n`,
  ].join('\n');
  try {
    writeFileSync(file, page, { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    directory.remove();
    throw unusableDirectory(cause);
  }
  const close = () => {
    clearTimeout(timer);
    directory.remove();
  };
  const timer = setTimeout(close, keptMs);
  timer.unref();
  void used?.then(close);
  try {
    start(file);
  } catch (error) {
    close();
    throw error;
  }
  return { file, close };
}
