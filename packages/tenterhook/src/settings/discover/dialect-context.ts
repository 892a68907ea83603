import { accessSync, closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import type { DialectContext } from '@tenterhook/protocol';

/**
 * Creates the context of dialects. With it, dialects can examine files, but nothing else of the machine. `env` is by default the
 * environment of this process.
 */
export function dialectContext(projectDir: string, env?: Readonly<Record<string, string | undefined>>): DialectContext {
  return {
    projectDir,
    home: env === undefined ? homeDirectory() : homeDirectory([() => homeIn(env), () => userInfo().homedir]),
    environment: Object.fromEntries(
      Object.entries(env ?? process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    platform: process.platform,
    files: { isFile, isExecutable, head, realPath },
  };
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Reads the beginning of a regular file. Never waits: a script may have been replaced by a pipe. */
function head(path: string, bytes: number): string | undefined {
  if (!isFile(path)) return undefined;
  try {
    const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      if (!fstatSync(descriptor).isFile()) return undefined;
      const buffer = Buffer.alloc(bytes);
      return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, bytes, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/**
 * Returns the home directory, or `''` if there is none. Node is not enough:
 * - It returns HOME even if it is empty. The user's settings file would then be `/.llxprt/settings.json`.
 * - It throws in a container whose user is not in the list of users.
 */
export function homeDirectory(finders: readonly (() => string)[] = [homedir, () => userInfo().homedir]): string {
  for (const find of finders) {
    try {
      const home = find();
      if (isAbsolute(home)) return home;
    } catch {
      // Try the next finder.
    }
  }
  return '';
}

/** Finds the home directory like `homedir()` of Node, but in the given environment. */
function homeIn(env: Readonly<Record<string, string | undefined>>): string {
  return (process.platform === 'win32' ? env['USERPROFILE'] : env['HOME']) ?? '';
}
